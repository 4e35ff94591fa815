//! The table of requests that are refused, and of those that are served all the same.

use serde_json::{Value, json};

use super::scene::{Scene, raw};

/// A body in the modern era.
fn body(method: &str, more: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{{{more}"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    )
}

/// Headers that every modern request has, with others instead of those in `change`: a header
/// without a value is left out.
fn head(change: &[&str]) -> String {
    let usual = [
        "Host: localhost",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        "MCP-Protocol-Version: 2026-07-28",
        "Mcp-Method: tools/call",
        "Mcp-Name: echo",
    ];
    let name = |line: &str| line.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let is_kept = |line: &&str| !change.iter().any(|other| name(other) == name(line));
    let has_value = |line: &&str| !line.trim().ends_with(':');
    let lines = usual.into_iter().filter(is_kept);
    let lines: Vec<_> = lines.chain(change.iter().copied().filter(has_value)).collect();
    lines.join("\n")
}

/// Sends a POST; returns the status, and of the body the error's code and the id.
async fn post(change: &[&str], body: &str) -> (u16, Value, Value) {
    let scene = Scene::new(|options| options.max_body = 4_096);
    let request = raw(&format!("POST /mcp\n{}\n\n{body}", head(change)));
    let response = scene.send(request).await;
    let status = response.status().as_u16();
    let kind = response.headers().get("content-type").cloned();
    let text = super::scene::rest(response.into_body()).await;
    if status == 202 {
        assert_eq!(text, "");
        return (status, Value::Null, Value::Null);
    }
    if kind.is_some_and(|kind| kind == "text/event-stream") {
        return (status, json!("events"), Value::Null);
    }
    let answer: Value = serde_json::from_str(&text).expect("every answer is JSON");
    (status, answer["error"]["code"].clone(), answer["id"].clone())
}

#[tokio::test]
async fn the_source_of_a_request_is_checked_first() {
    let good = body("tools/call", r#""name":"echo","#);
    for (change, status) in [
        (&["Host: localhost", "Host: localhost"][..], 400),
        (&["Host:"], 400),
        (&["Host: evil.example.com"], 403),
        (&["Host: localhost.evil.example.com"], 403),
        (&["Host: localhost@evil.example.com"], 403),
        (&["Host: localhost:x"], 403),
        (&["Host: LocalHost:8080"], 200),
        (&["Host: 127.0.0.1:1"], 200),
        (&["Host: [::1]:1"], 200),
        (&["Host: [::1]"], 200),
        (&["Origin: null"], 403),
        (&["Origin: http://evil.example.com"], 403),
        (&["Origin: http://localhost@evil.example.com"], 403),
        (&["Origin: http://localhost.evil.example.com"], 403),
        (&["Origin: file://localhost"], 403),
        (&["Origin: http://localhost", "Origin: http://evil.example.com"], 403),
        (&["Origin: http://localhost:3000"], 200),
        (&["Origin: https://127.0.0.1"], 200),
        // The source is checked before everything else.
        (&["Origin: null", "Content-Type: text/plain"], 403),
    ] {
        let (found, code, id) = post(change, &good).await;
        assert_eq!(found, status, "{change:?}");
        if status != 200 {
            assert_eq!((code, id), (json!(-32000), Value::Null), "{change:?}");
        }
    }
}

#[tokio::test]
async fn the_host_in_the_target_of_a_request_counts_more_than_the_header() {
    let good = body("tools/call", r#""name":"echo","#);
    let scene = Scene::new(|_| {});
    for (target, host, status) in [
        ("http://evil.example.com/mcp", "Host: localhost", 403),
        ("http://localhost@evil.example.com/mcp", "Host: localhost", 403),
        ("http://localhost/mcp", "Host: evil.example.com", 200),
        ("http://localhost:8080/mcp", "Host:", 200),
    ] {
        let request = raw(&format!("POST {target}\n{}\n\n{good}", head(&[host])));
        assert_eq!(scene.ask(request).await.0, status, "{target} {host}");
    }
}

#[tokio::test]
async fn the_kind_of_body_and_answer_is_checked() {
    let good = body("tools/call", r#""name":"echo","#);
    for (change, status, code) in [
        (&["Content-Type:"][..], 415, json!(-32000)),
        (&["Content-Type: text/plain"], 415, json!(-32000)),
        (&["Content-Type: application/json-rpc"], 415, json!(-32000)),
        (&["Content-Type: Application/JSON; charset=utf-8"], 200, Value::Null),
        (&["Accept: text/html"], 406, json!(-32000)),
        (&["Accept: application/json;q=0, text/event-stream;q=0.0"], 406, json!(-32000)),
        (&["Accept: */*;q=0"], 406, json!(-32000)),
        (&["Accept:"], 200, Value::Null),
        (&["Accept: */*"], 200, Value::Null),
        (&["Accept: application/*"], 200, Value::Null),
        (&["Accept: application/json"], 200, Value::Null),
        (&["Accept: text/html", "Accept: APPLICATION/JSON ; q=0.5"], 200, Value::Null),
        (&["Accept: text/event-stream"], 200, json!("events")),
        (&["Accept: text/event-stream, application/json;q=0"], 200, json!("events")),
        (&["Accept: text/event-stream, */*;q=0"], 200, json!("events")),
    ] {
        let (found, found_code, _) = post(change, &good).await;
        assert_eq!((found, found_code), (status, code), "{change:?}");
    }
}

#[tokio::test]
async fn bodies_are_checked() {
    let long = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{}"}}"#, "x".repeat(5_000));
    for (body, status, code, id) in [
        ("", 400, -32700, Value::Null),
        ("{", 400, -32700, Value::Null),
        ("nothing", 400, -32700, Value::Null),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"} {}"#, 400, -32700, json!(7)),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"a":}}"#,
            400,
            -32700,
            json!(7),
        ),
        ("17", 400, -32600, Value::Null),
        ("null", 400, -32600, Value::Null),
        (r#""text""#, 400, -32600, Value::Null),
        ("[]", 400, -32600, Value::Null),
        (r#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#, 400, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, 400, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, 400, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, 400, -32600, Value::Null),
        (r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, 400, -32600, json!(7)),
        (r#"{"id":7,"method":"ping"}"#, 400, -32600, json!(7)),
        (r#"{"jsonrpc":"2.0","id":7}"#, 400, -32600, json!(7)),
        (&long, 413, -32000, Value::Null),
    ] {
        assert_eq!(post(&[], body).await, (status, json!(code), id), "{body:.80}");
    }
    let scene = Scene::new(|_| {});
    let request = raw(&format!("POST /mcp\n{}\n\n", head(&[])));
    let body = [br#"{"jsonrpc":"2.0","id":7,"method":"#.as_slice(), b"\"\xff\"}"].concat();
    let refusal = scene.gate().check(&request.into_parts().0, &body).unwrap_err();
    assert_eq!(refusal.status, 400);
    assert!(String::from_utf8_lossy(&refusal.body).contains(r#""id":7,"error":{"code":-32700"#));
    // The client never sent an id with replaced bytes.
    let request = raw(&format!("POST /mcp\n{}\n\n", head(&[])));
    let body = [br#"{"jsonrpc":"2.0","id":""#.as_slice(), b"\xff\",\"method\":\"ping\"}"].concat();
    let refusal = scene.gate().check(&request.into_parts().0, &body).unwrap_err();
    assert!(refusal.body.starts_with(br#"{"jsonrpc":"2.0","error":{"code":-32700"#));
}

#[tokio::test]
async fn what_a_modern_request_must_name_is_checked() {
    let good = body("tools/call", r#""name":"echo","#);
    let meta = |members: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"echo","_meta":{{{members}}}}}}}"#
        )
    };
    let version = |version: &str| {
        meta(&format!(
            r#""io.modelcontextprotocol/protocolVersion":"{version}","io.modelcontextprotocol/clientCapabilities":{{}}"#
        ))
    };
    let hello = body("tools/call", r#""name":"hé","#);
    for (change, body, status, code) in [
        // The `_meta` of a request.
        (&[][..], meta(""), 400, json!(-32602)),
        (&[], r#"{"jsonrpc":"2.0","id":7,"method":"tools/call"}"#.into(), 400, json!(-32602)),
        (
            &[],
            meta(r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#),
            400,
            json!(-32602),
        ),
        (&[], meta(r#""io.modelcontextprotocol/clientCapabilities":{}"#), 400, json!(-32602)),
        (
            &["MCP-Protocol-Version:"],
            meta(r#""io.modelcontextprotocol/clientCapabilities":[]"#),
            400,
            json!(-32602),
        ),
        // The header of the version, before the version itself.
        (&["MCP-Protocol-Version:"], good.clone(), 400, json!(-32020)),
        (&["MCP-Protocol-Version: 2025-11-25"], good.clone(), 400, json!(-32020)),
        (
            &["MCP-Protocol-Version: 2026-07-28", "MCP-Protocol-Version: 2026-07-28"],
            good.clone(),
            400,
            json!(-32020),
        ),
        (&[], version("v999.0.0"), 400, json!(-32020)),
        (&["MCP-Protocol-Version: v999.0.0"], version("v999.0.0"), 400, json!(-32022)),
        (&["MCP-Protocol-Version: 2025-11-25"], version("2025-11-25"), 400, json!(-32022)),
        // The headers for balancers.
        (&["Mcp-Method:"], good.clone(), 400, json!(-32020)),
        (&["Mcp-Method: tools/list"], good.clone(), 400, json!(-32020)),
        (&["Mcp-Method: TOOLS/CALL"], good.clone(), 400, json!(-32020)),
        (&["Mcp-Method: tools/call", "Mcp-Method: tools/call"], good.clone(), 400, json!(-32020)),
        (&["MCP-METHOD:   tools/call  "], good.clone(), 200, Value::Null),
        (&["Mcp-Name:"], good.clone(), 400, json!(-32020)),
        (&["Mcp-Name: other"], good.clone(), 400, json!(-32020)),
        (&["Mcp-Name: =?base64?ZWNobw==?="], good.clone(), 200, Value::Null),
        (&["Mcp-Name: =?base64?ZWNobw?="], good.clone(), 400, json!(-32020)),
        (&["Mcp-Name: =?base64?ZWN!bw==?="], good.clone(), 400, json!(-32020)),
        (&["Mcp-Name: =?BASE64?ZWNobw==?="], good.clone(), 400, json!(-32020)),
        // It says an unknown tool, which is no fault of the headers.
        (&["Mcp-Name: =?base64?aMOp?="], hello, 200, json!(-32602)),
    ] {
        let (found, found_code, id) = post(change, &body).await;
        assert_eq!((found, found_code), (status, code), "{change:?} {body}");
        if status != 200 {
            assert_eq!(id, json!(7), "{change:?} {body}");
        }
    }
}

#[tokio::test]
async fn headers_that_repeat_arguments_are_checked() {
    for (arguments, headers, is_served) in [
        // What the body has, a header repeats.
        (r#"{"region":"eu"}"#, &["Mcp-Param-Region: eu"][..], true),
        (r#"{"region":"eu"}"#, &["MCP-PARAM-REGION:  eu "], true),
        (r#"{"region":"e\u0075"}"#, &["Mcp-Param-Region: eu"], true),
        (r#"{"region":"eu"}"#, &["Mcp-Param-Region: =?base64?ZXU=?="], true),
        (r#"{"region":"hé 1"}"#, &["Mcp-Param-Region: =?base64?aMOpIDE=?="], true),
        (r#"{"region":"eu"}"#, &[], false),
        (r#"{"region":"eu"}"#, &["Mcp-Param-Region: us"], false),
        (r#"{"region":"eu"}"#, &["Mcp-Param-Region: EU"], false),
        (r#"{"region":"eu"}"#, &["Mcp-Param-Region: \"eu\""], false),
        (r#"{"region":"eu"}"#, &["Mcp-Param-Region: eu", "Mcp-Param-Region: eu"], false),
        (r#"{"region":"eu"}"#, &["Mcp-Param-Region: =?base64?ZXU?="], false),
        (r#"{"region":"eu"}"#, &["Mcp-Param-Region: =?base64?ZX!=?="], false),
        (r#"{"region":"eu"}"#, &["Mcp-Param-Region: =?BASE64?ZXU=?="], false),
        (r#"{"region":"eu"}"#, &["Mcp-Param-Region: ZXU=?="], false),
        // The last of two members counts.
        (r#"{"region":"us","region":"eu"}"#, &["Mcp-Param-Region: eu"], true),
        // Numbers are equal by their size.
        (r#"{"zone":{"number":5}}"#, &["Mcp-Param-Zone: 5"], true),
        (r#"{"zone":{"number":5.0}}"#, &["Mcp-Param-Zone: 5"], true),
        (r#"{"zone":{"number":-1e2}}"#, &["Mcp-Param-Zone: -100"], true),
        (r#"{"zone":{"number":9007199254740993}}"#, &["Mcp-Param-Zone: 9007199254740993"], true),
        (r#"{"zone":{"number":9007199254740993}}"#, &["Mcp-Param-Zone: 9007199254740992"], false),
        (r#"{"zone":{"number":5}}"#, &["Mcp-Param-Zone: 6"], false),
        (r#"{"zone":{"number":5}}"#, &["Mcp-Param-Zone: 5 6"], false),
        (r#"{"zone":{"number":5}}"#, &["Mcp-Param-Zone: five"], false),
        (r#"{"zone":{"number":5}}"#, &[], false),
        (r#"{"dry":true}"#, &["Mcp-Param-Dry-Run: true"], true),
        (r#"{"dry":true}"#, &["Mcp-Param-Dry-Run: True"], false),
        (r#"{"dry":true}"#, &["Mcp-Param-Dry-Run: false"], false),
        // What the body has not, no header repeats.
        ("{}", &[], true),
        (r#"{"region":null,"zone":null}"#, &[], true),
        (r#"{"number":5}"#, &[], true),
        (r#"{"region":null}"#, &["Mcp-Param-Region: eu"], false),
        ("{}", &["Mcp-Param-Zone: 5"], false),
        // Others mean nothing.
        ("{}", &["Mcp-Param-Other: 5", "Mcp-Param-Other: 6"], true),
    ] {
        let body = body("tools/call", &format!(r#""name":"routed","arguments":{arguments},"#));
        let change = [headers, &["Mcp-Name: routed"]].concat();
        let expected = match is_served {
            true => (200, Value::Null),
            false => (400, json!(-32020)),
        };
        let (status, code, _) = post(&change, &body).await;
        assert_eq!((status, code), expected, "{arguments} {headers:?}");
    }
}

#[tokio::test]
async fn errors_of_the_session_have_the_status_of_their_era() {
    for (method, status, code) in [
        ("initialize", 404, -32601),
        ("ping", 404, -32601),
        ("logging/setLevel", 404, -32601),
        ("resources/subscribe", 404, -32601),
        ("prompts/list", 404, -32601),
        ("unknown/method", 404, -32601),
    ] {
        let name = format!("Mcp-Method: {method}");
        let found = post(&[&name, "Mcp-Name:"], &body(method, "")).await;
        assert_eq!(found, (status, json!(code), json!(7)), "{method}");
        // For a client that takes streams only too.
        let accept = "Accept: text/event-stream";
        let found = post(&[&name, "Mcp-Name:", accept], &body(method, "")).await;
        assert_eq!(found, (status, json!(code), json!(7)), "{method}");
    }
    let cursor = body("tools/list", r#""cursor":"none","#);
    let found = post(&["Mcp-Method: tools/list"], &cursor).await;
    assert_eq!(found, (200, json!(-32602), json!(7)));

    // In the legacy era each request that was served has the status 200.
    for (version, method, status, code) in [
        ("MCP-Protocol-Version: 2025-11-25", "unknown/method", 200, json!(-32601)),
        ("MCP-Protocol-Version: 2025-11-25", "ping", 200, Value::Null),
        ("MCP-Protocol-Version:", "ping", 200, Value::Null),
        ("MCP-Protocol-Version: 2024-10-07", "ping", 400, json!(-32000)),
        ("MCP-Protocol-Version: latest", "ping", 400, json!(-32000)),
    ] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}"}}"#);
        let found = post(&[version], &body).await;
        assert_eq!(found, (status, code, json!(7)), "{version} {method}");
    }
    // A request that cannot be read is not served, though it is read only when its call begins.
    let broken = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":tru}}}"#;
    let found = post(&["MCP-Protocol-Version: 2025-11-25"], broken).await;
    assert_eq!(found, (400, json!(-32700), json!(7)));
}

#[tokio::test]
async fn other_messages_are_accepted_without_an_answer() {
    for body in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    ] {
        for version in ["MCP-Protocol-Version: 2025-11-25", "MCP-Protocol-Version: 2026-07-28"] {
            assert_eq!(post(&[version], body).await.0, 202, "{version} {body}");
        }
    }
}

#[tokio::test]
async fn only_posts_are_served_without_sessions() {
    for method in ["GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"] {
        let scene = Scene::new(|_| {});
        let request = raw(&format!("{method} /mcp\nHost: localhost\nAccept: text/event-stream"));
        let response = scene.send(request).await;
        assert_eq!(response.status(), 405, "{method}");
        assert_eq!(response.headers()["allow"], "POST", "{method}");
    }
}

#[tokio::test]
async fn options_allow_more_hosts_and_origins() {
    let scene = Scene::new(|options| {
        options.allowed_hosts.push("MCP.example.com".into());
        options.allowed_hosts.push("ported.example.com:8443".into());
        options.allowed_hosts.push("fd00::5".into());
        options.allowed_hosts.push("[fd00::6]:8443".into());
        options.allowed_origins.push("https://app.example.com".into());
        options.allowed_origins.push("https://Slash.example.com/".into());
        options.allowed_origins.push("https://port.example.com:443".into());
        options.allowed_origins.push("http://port.example.com:80/".into());
    });
    for (change, status) in [
        (&["Host: mcp.example.com:443"][..], 200),
        (&["Host: ported.example.com:8443"], 200),
        (&["Host: ported.example.com"], 200),
        (&["Host: [fd00::5]:8443"], 200),
        (&["Host: [fd00::6]"], 200),
        (&["Host: mcp.example.com", "Origin: https://mcp.example.com"], 200),
        (&["Origin: https://app.example.com"], 200),
        (&["Origin: https://app.example.com:8443"], 403),
        (&["Origin: https://slash.example.com"], 200),
        (&["Origin: https://port.example.com"], 200),
        (&["Origin: http://port.example.com"], 200),
        (&["Origin: https://port.example.com:80"], 403),
        (&["Host: app.example.com"], 403),
    ] {
        let body = body("tools/call", r#""name":"echo","#);
        let (found, text) = scene.ask(raw(&format!("POST /mcp\n{}\n\n{body}", head(change)))).await;
        assert_eq!(found, status, "{change:?}");
        let option =
            if change[0].starts_with("Host: app") { "allowed_hosts" } else { "allowed_origins" };
        assert!(status == 200 || text.contains(option), "{text}");
    }
}
