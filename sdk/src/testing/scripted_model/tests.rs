#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod replies;

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{Reply, ScriptedModel};
use crate::testing::Gate;

/// A request of the main conversation: it brings a tool of the client.
fn conversation(messages: Value) -> Value {
    let tools = json!([{"name": "Read", "input_schema": {"type": "object"}}]);
    json!({"model": "claude-x", "messages": messages, "tools": tools})
}

fn hello() -> Value {
    conversation(json!([{"role": "user", "content": "Hello"}]))
}

/// Sends one HTTP request and gives back the whole answer.
async fn send(model: &ScriptedModel, head: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(model.address).await.unwrap();
    let length = body.len();
    let request = format!(
        "{head}\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

async fn post(model: &ScriptedModel, body: &Value) -> Value {
    json_of(&send(model, "POST /v1/messages?beta=true HTTP/1.1", &body.to_string()).await)
}

fn json_of(answer: &str) -> Value {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
    serde_json::from_str(body).unwrap()
}

/// The data of the server-sent events, each checked against its `event` line.
fn events_of(answer: &str) -> Vec<Value> {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.to_ascii_lowercase().contains("content-type: text/event-stream"), "{head}");
    let mut events = Vec::new();
    for event in body.split_terminator("\n\n") {
        let (kind, data) = event.split_once("\ndata: ").unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!(kind.strip_prefix("event: "), data["type"].as_str());
        events.push(data);
    }
    events
}

#[tokio::test]
async fn streams_text_and_calls() {
    let model = ScriptedModel::start().await.unwrap();
    model.reply(Reply::new().text("Adding.").call("add", json!({"a": 2, "b": 40})));
    let mut request = hello();
    request["stream"] = json!(true);
    let answer = send(&model, "POST /v1/messages HTTP/1.1", &request.to_string()).await;
    let events = events_of(&answer);

    let kinds: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    let block = ["content_block_start", "content_block_delta", "content_block_stop"];
    assert_eq!(
        kinds,
        [&["message_start"][..], &block, &block, &["message_delta", "message_stop"]].concat()
    );

    assert_eq!(events[0]["message"]["model"], "claude-x");
    assert_eq!(events[0]["message"]["content"], json!([]));
    assert_eq!(events[2]["delta"], json!({"type": "text_delta", "text": "Adding."}));
    assert_eq!(events[4]["content_block"]["name"], "add");
    assert_eq!(events[4]["content_block"]["input"], json!({}));
    let input: Value =
        serde_json::from_str(events[5]["delta"]["partial_json"].as_str().unwrap()).unwrap();
    assert_eq!(input, json!({"a": 2, "b": 40}));
    assert_eq!(events[7]["delta"]["stop_reason"], "tool_use");
}

#[tokio::test]
async fn answers_plain_json_until_the_script_is_exhausted() {
    let model = ScriptedModel::start().await.unwrap();
    model.call("add", json!({"a": 1})).say("Done.");
    assert_eq!(model.turns_left(), 2);

    let call = post(&model, &hello()).await;
    assert_eq!(call["stop_reason"], "tool_use");
    assert_eq!(call["content"][0]["input"], json!({"a": 1}));

    let text = post(&model, &hello()).await;
    assert_eq!(text["stop_reason"], "end_turn");
    assert_eq!(text["content"], json!([{"type": "text", "text": "Done."}]));
    assert_ne!(call["id"], text["id"]);

    let rest = post(&model, &hello()).await;
    assert_eq!(rest["stop_reason"], "end_turn");
    assert!(rest["content"][0]["text"].as_str().unwrap().contains("no more turns"));
    assert_eq!(model.requests().len(), 3);
}

#[tokio::test]
async fn side_requests_leave_the_script_alone() {
    let model = ScriptedModel::start().await.unwrap();
    model.say("For the conversation.");

    let messages = json!([{"role": "user", "content": "Name it"}]);
    let title = json!({"messages": messages, "output_config": {"format": {}}});
    let search = json!({
        "messages": [{"role": "user", "content": "Search"}],
        "tools": [{"type": "web_search_20250305", "name": "web_search"}],
        "tool_choice": {"type": "auto"},
    });
    let suggestion =
        conversation(json!([{"role": "user", "content": "[SUGGESTION MODE: Suggest what…"}]));
    for body in [&title, &search, &suggestion] {
        let answer = post(&model, body).await;
        assert_eq!(answer["stop_reason"], "end_turn");
        assert!(
            answer["content"][0]["text"]
                .as_str()
                .unwrap()
                .contains("not of the scripted conversation")
        );
    }
    let subagent = "POST /v1/messages HTTP/1.1\r\nx-claude-code-agent-id: a1";
    json_of(&send(&model, subagent, &hello().to_string()).await);
    assert_eq!((model.side_requests().len(), model.turns_left()), (4, 1));

    let without_tools =
        json!({"messages": [{"role": "user", "content": "Hi"}], "context_management": {}});
    assert_eq!(post(&model, &without_tools).await["content"][0]["text"], "For the conversation.");

    let check = json!({"messages": messages, "max_tokens": 1});
    let head = "POST /v1/messages HTTP/1.1\r\nanthropic-beta: a-1,claude-code-20250219";
    for other in [&check, &title] {
        json_of(&send(&model, head, &other.to_string()).await);
    }
    // As an old model is asked, or one that does not think.
    model.say("Without tools and thinking.");
    let bare = json!({"messages": messages, "max_tokens": 32_000});
    let answer = json_of(&send(&model, head, &bare.to_string()).await);
    assert_eq!(answer["content"][0]["text"], "Without tools and thinking.");
}

#[tokio::test]
async fn reads_everything_after_the_last_answer() {
    let model = ScriptedModel::start().await.unwrap();
    let call = json!({"type": "tool_use", "id": "t1", "name": "add", "input": {}});
    let texts = json!([{"type": "text", "text": "4"}, {"type": "text", "text": "2"}]);
    let body = conversation(json!([
        {"role": "user", "content": "Old"},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": texts},
            {"type": "tool_result", "tool_use_id": "t2", "content": "broken", "is_error": true},
        ]},
        {"role": "system", "content": "Aside"},
        {"role": "user", "content": [{"type": "text", "text": "New"}]},
        {"role": "user", "content": "Newer"},
        {"role": "system", "content": [{"type": "text", "text": "Aside"}]},
    ]));
    post(&model, &body).await;

    let requests = model.requests();
    assert_eq!(requests[0].body(), &body);
    assert_eq!(requests[0].user_texts(), ["New", "Newer"]);
    assert_eq!(requests[0].tool_names(), ["Read"]);
    let results = requests[0].tool_results();
    let seen: Vec<_> =
        results.iter().map(|r| (r.tool_use_id.as_str(), r.text.as_str(), r.is_error)).collect();
    assert_eq!(seen, [("t1", "4\n2", false), ("t2", "broken", true)]);
}

#[tokio::test]
async fn reads_prompts_in_the_frames_of_the_program() {
    let model = ScriptedModel::start().await.unwrap();
    model.when("by the way", Reply::new().text("Well."));
    model.when("soup is 9", Reply::new().text("Soup, then."));
    let taken_up = |prompt: &str| {
        format!(
            "The user sent a new message while you were working:\n{prompt}\n\nThis is how Claude \
             Code surfaces messages the user sends mid-turn."
        )
    };
    let both = [taken_up("by the way"), taken_up("and\n\nthis")].join("\n\n");
    let told = "<task-notification>\n<result>soup is 9</result>\n</task-notification>";
    let reminder = format!("<system-reminder>\nNo user input.\n\n{told}\n</system-reminder>");
    let said = json!({"role": "assistant", "content": "Hm."});
    let aside = json!({"role": "system", "content": "Aside"});
    let prompts = async |new: Value| {
        let answer = post(&model, &conversation(json!([said, aside, new]))).await;
        let request = model.requests().pop().unwrap();
        (request.prompts(), answer["content"][0]["text"].clone())
    };
    let new = json!({"role": "system", "content": [{"type": "text", "text": both}]});
    let read = prompts(new).await;
    assert_eq!(read, (vec!["by the way".into(), "and\n\nthis".into()], json!("Well.")));
    let read = prompts(json!({"role": "user", "content": reminder})).await;
    assert_eq!(read, (vec![told.into()], json!("Soup, then.")));
}

#[tokio::test]
async fn answers_subagents_by_their_prompts() {
    let model = ScriptedModel::start().await.unwrap();
    model.when_agent("the price", Reply::new().text("9 euros."));
    model.when("the price", Reply::new().text("I ask."));
    model.reply_to_agent(Reply::new().text("The next."));
    let body = |text: &str| conversation(json!([{"role": "user", "content": text}])).to_string();
    let head = "POST /v1/messages HTTP/1.1\r\nx-claude-code-agent-id: a1";
    for (text, reply) in
        [("Find the price.", "9 euros."), ("Find it.", "The next."), ("The price!", "This request")]
    {
        let answer = json_of(&send(&model, head, &body(text)).await);
        let said = answer["content"][0]["text"].as_str().unwrap();
        assert!(said.starts_with(reply), "{said}");
    }
    let body = conversation(json!([{"role": "user", "content": "the price"}]));
    assert_eq!(post(&model, &body).await["content"][0]["text"], "I ask.");
}

#[tokio::test]
async fn answers_probes_and_counts() {
    let model = ScriptedModel::start().await.unwrap();
    for head in ["HEAD / HTTP/1.1", "GET /api/hello HTTP/1.1", "HEAD /v1/messages HTTP/1.1"] {
        assert!(send(&model, head, "").await.starts_with("HTTP/1.1 200"), "{head}");
    }
    let count = send(&model, "POST /v1/messages/count_tokens?beta=true HTTP/1.1", "{}").await;
    assert!(json_of(&count)["input_tokens"].is_u64());
    assert!(send(&model, "POST /v1/messages HTTP/1.1", "{").await.starts_with("HTTP/1.1 400"));
    assert!(send(&model, "POST /elsewhere HTTP/1.1", "{}").await.starts_with("HTTP/1.1 404"));
    assert!(model.requests().is_empty() && model.side_requests().is_empty());
}

#[tokio::test]
async fn takes_large_requests() {
    let model = ScriptedModel::start().await.unwrap();
    let text = "x".repeat(8 << 20);
    post(&model, &conversation(json!([{"role": "user", "content": text}]))).await;
    assert_eq!(model.requests()[0].user_texts()[0].len(), 8 << 20);
}

#[tokio::test]
async fn the_environment_is_whole_and_its_folder_goes_with_the_model() {
    let model = ScriptedModel::start().await.unwrap();
    let environment = model.environment();
    let names: Vec<_> = environment.iter().map(|(name, _)| name.as_str()).collect();
    let rest = [
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_API_KEY",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
        "DISABLE_AUTOUPDATER",
    ];
    assert_eq!(
        names,
        [&["PATH", "HOME", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_TMPDIR"][..], &rest].concat()
    );
    assert_eq!(environment[4].1, *model.url());

    let folders = [1, 2, 3].map(|at: usize| Path::new(&environment[at].1));
    assert!(folders.iter().all(|folder| folder.is_dir()));
    drop(model);
    assert!(!folders[0].parent().unwrap().exists());
}

#[tokio::test]
async fn dropping_the_model_stops_the_server() {
    let model = ScriptedModel::start().await.unwrap();
    let address: SocketAddr = model.address;
    let mut idle = TcpStream::connect(address).await.unwrap();
    drop(model);
    assert_eq!(idle.read(&mut [0; 1]).await.unwrap_or(0), 0);
    // The task that listens and the one of the connection may see the drop in either order.
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn dropping_the_model_ends_what_it_holds_back() {
    for (is_begun, streams) in [(false, false), (false, true), (true, true)] {
        let (model, gate) = (ScriptedModel::start().await.unwrap(), Gate::new());
        let reply = Reply::new().text("A").pause_at(&gate).text("B");
        model.reply(if is_begun { reply } else { reply.held_by(&gate) });
        let mut request = hello();
        request["stream"] = json!(streams);
        let body = request.to_string();
        let mut stream = TcpStream::connect(model.address).await.unwrap();
        let length = body.len();
        let head = format!("POST /v1/messages HTTP/1.1\r\nhost: h\r\ncontent-length: {length}");
        stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).await.unwrap();
        gate.reached().await;
        drop(model);
        let read = async { stream.read_to_end(&mut Vec::new()).await };
        let _ = timeout(Duration::from_secs(60), read).await.expect("it is held for ever");
    }
}
