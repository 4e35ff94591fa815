//! Requests as they should be, and answers to the server's questions, which a generator combines.

/// The methods of requests, each with the members of its params.
pub(super) const SHAPES: [(&str, &str); 50] = [
    ("prompts/list", ""),
    ("prompts/get", r#""name":"code_review","arguments":{"code":"x","language":"py"}"#),
    ("prompts/get", r#""name":"code_review","arguments":{"code":"\u0078"}"#),
    ("prompts/get", r#""name":"code_review","arguments":{"code":7}"#),
    ("prompts/get", r#""name":"code_review""#),
    ("prompts/get", r#""name":"survey""#),
    ("prompts/get", r#""arguments":{},"n\u0061me":"survey""#),
    ("prompts/get", r#""name":"no such","arguments":{}"#),
    ("resources/list", ""),
    ("resources/list", r#""cursor":null"#),
    ("resources/templates/list", ""),
    ("resources/templates/list", r#""cursor":"x""#),
    ("resources/read", r#""uri":"file:///project/src/main.rs""#),
    ("resources/read", r#""uri":"file:\/\/\/project/config.json""#),
    ("resources/read", r#""uri":"notes://ships""#),
    ("resources/read", r#""uri":"notes://a%2Fb""#),
    ("resources/read", r#""uri":"NOTES://%c3%a9?#""#),
    ("resources/read", r#""uri":"ask://roots""#),
    ("resources/read", r#""uri":"ask://roots""#),
    ("resources/read", r#""uri":"nowhere://""#),
    ("resources/read", r#""uri":["notes://ships"]"#),
    ("resources/subscribe", r#""uri":"notes://ships""#),
    ("resources/subscribe", r#""uri":"""#),
    ("resources/unsubscribe", r#""uri":"notes://ships""#),
    ("subscriptions/listen", r#""notifications":{"promptsListChanged":true}"#),
    (
        "subscriptions/listen",
        r#""notifications":{"resourceSubscriptions":["notes://ships","\u0061"],"taskIds":["a"]}"#,
    ),
    ("subscriptions/listen", r#""notifications":{"resourceSubscriptions":["a",7]}"#),
    (
        "completion/complete",
        r#""ref":{"type":"ref/prompt","name":"code_review"},"argument":{"name":"language","value":"py"}"#,
    ),
    (
        "completion/complete",
        r#""argument":{"value":"t","name":"title"},"ref":{"uri":"notes://{title}","type":"ref/resource"},"context":{"arguments":{"a":"b"}}"#,
    ),
    (
        "completion/complete",
        r#""ref":{"type":"ref/prompt","name":"survey"},"argument":{"name":"no","value":""},"context":null"#,
    ),
    ("completion/complete", r#""ref":{"type":"ref/x"},"argument":{"name":"a","value":"b"}"#),
    ("completion/complete", r#""ref":7,"argument":[],"context":[]"#),
    ("tasks/get", r#""taskId":"a""#),
    ("tasks/update", r#""taskId":"a","inputResponses":{"roots-1":{"roots":[]}}"#),
    ("tasks/cancel", r#""taskId":7"#),
    ("tasks/list", ""),
    ("tools/call", r#""name":"build","arguments":{}"#),
    ("tools/call", r#""name":"folders""#),
    ("tools/call", r#""name":"folders","arguments":null"#),
    ("tools/call", r#""name":"ship""#),
    ("tools/call", r#""name":"ship","_meta":{"progressToken":"p"}"#),
    ("tools/call", r#""name":"slogan""#),
    ("tools/call", r#""name":"both""#),
    ("tools/call", r#""name":"both""#),
    ("tools/call", r#""name":"either""#),
    ("tools/call", r#""name":"either""#),
    (
        "initialize",
        r#""protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{}}"#,
    ),
    (
        "initialize",
        r#""protocolVersion":"2025-11-25","capabilities":{"elicitation":{},"sampling":{"tools":{}},"roots":{}}"#,
    ),
    (
        "initialize",
        r#""protocolVersion":"2025-06-18","capabilities":{"elicitation":{},"sampling":{},"roots":{}}"#,
    ),
    ("initialize", r#""protocolVersion":"2024-11-05","capabilities":{"roots":[]}"#),
];

/// What the `_meta` of a request of 2026-07-28 says, of a client that can be asked.
pub(super) const MODERN: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"sampling":{"tools":{}},"roots":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;

/// Answers to questions.
pub(super) const ANSWERS: [&str; 14] = [
    r#"{"roots":[{"uri":"file:///a","name":"a"},{"uri":"file:///b"}]}"#,
    r#"{"roots":[]}"#,
    r#"{"roots":[{"uri":7}]}"#,
    r#"{"action":"accept","content":{"city":"Bonn","express":true,"parcels":2}}"#,
    r#"{"action":"accept","content":{"city":"B\u006fnn"}}"#,
    r#"{"action":"accept","content":{"city":"B","parcels":10}}"#,
    r#"{"action":"accept","content":{"city":"Bonn","parcels":1e400}}"#,
    r#"{"action":"accept"}"#,
    r#"{"action":"decline","content":null}"#,
    r#"{"action":"c\u0061ncel"}"#,
    r#"{"role":"assistant","content":{"type":"text","text":"Tea."},"model":"m","stopReason":"endTurn"}"#,
    r#"{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"add","input":{"a":1,"b":2}}],"model":"m","stopReason":"toolUse"}"#,
    r#"{"role":"assistant","content":[{"type":"tool_use","id":7,"name":"no","input":[]}],"model":"m"}"#,
    r#"{"_meta":{"a":1}}"#,
];

/// Errors in place of answers.
pub(super) const ERRORS: [&str; 4] = [
    r#"{"code":-1,"message":"no","data":{"a":[1]}}"#,
    r#"{"code":"-1","message":7}"#,
    r#"{"code":9e99}"#,
    "null",
];

/// The keys of questions in a round.
pub(super) const KEYS: [&str; 5] =
    ["elicitation-1", "elicitation-2", "sampling-1", "roots-1", "\\u0072oots-1"];
