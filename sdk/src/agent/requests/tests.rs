//! Answers as CLI 2.1.328 gives them. `tests/it/agent/requests/` asks it for each.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures_core::Stream;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::*;
use crate::agent::control::decode;
use crate::agent::error::ControlError;
use crate::agent::memory_cli::{is_prompt, play, result};
use crate::agent::options::McpServer;
use crate::agent::wire::Record;
use crate::agent::{AgentClient, AgentOptions, Prompt, Rewound, query_with};
use crate::{Tool, ToolRegistry};

fn read<T: Record>(answer: &serde_json::Value) -> T {
    decode("test", &answer.to_string()).unwrap()
}

/// The next of the lines with this text in it.
async fn line_with(text: &str, lines: &mut UnboundedReceiver<String>) -> String {
    loop {
        let line = lines.recv().await.unwrap();
        if line.contains(text) {
            return line;
        }
    }
}

#[test]
fn a_file_is_a_text_or_bytes() {
    let text: FileContents = read(&json!({"contents": "hé", "absPath": "/a", "lossy": false}));
    assert_eq!((text.bytes().unwrap(), text.lossy), ("hé".as_bytes().to_vec(), Some(false)));
    let answer = json!({"contents": "aMOp", "truncated": true, "encoding": "base64"});
    let bytes: FileContents = read(&answer);
    assert_eq!((bytes.bytes().unwrap(), bytes.truncated), ("hé".as_bytes().to_vec(), true));
    let broken: FileContents = read(&json!({"contents": "?", "encoding": "base64"}));
    assert!(broken.bytes().is_err());
}

#[test]
fn a_rewind_tells_what_it_leaves_alone() {
    let rewound: Rewound = read(&json!({"canRewind": true, "skippedLinks": 2}));
    assert_eq!((rewound.can_rewind, rewound.skipped_links), (true, Some(2)));
}

#[test]
fn a_result_of_a_tool_has_texts() {
    let blocks =
        json!([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]);
    for (content, text) in
        [(blocks, "a\nb"), (json!("{\"sum\":42}"), "{\"sum\":42}"), (json!(7), "")]
    {
        assert_eq!(read::<McpCallResult>(&json!({"content": content})).text(), text);
    }
}

#[test]
fn a_call_has_failed_if_its_answer_says_so() {
    let call = |staging| read::<McpCallResult>(&json!({"content": "t", "staging": staging}));
    let failed = json!({"ok": false, "error_code": "timeout", "detail": "too late"});
    assert!(matches!(
        call(failed).unless_failed(),
        Err(ControlError::Refused { message, code: Some(code) })
            if message == "too late" && code == "timeout"
    ));
    for other in [json!({"ok": true}), json!({"ok": "no"}), json!(null), json!(7), json!([false])] {
        assert_eq!(call(other.clone()).unless_failed().unwrap().text(), "t", "{other}");
    }
}

#[test]
fn a_path_is_a_file_to_read() {
    assert_eq!(ReadFile::from("a"), ReadFile::new("a"));
    assert_ne!(ReadFile::from(String::from("a")), ReadFile::new("a").base64().max_bytes(1));
}

#[test]
fn damage_costs_one_member_only() {
    let answer = json!({"contents": 5, "absPath": "/a", "lossy": "no", "new": [1]});
    let contents: FileContents = read(&answer);
    assert_eq!((contents.contents.as_str(), contents.abs_path.as_str()), ("", "/a"));
    assert_eq!((contents.lossy, contents.member("new")), (None, Some("[1]")));
    let answer = json!({"rules": [{"rule": "Read", "notInEffect": true}, 7], "originalCwd": null});
    let rules: PermissionRules = read(&answer);
    assert_eq!((rules.rules.len(), rules.rules[0].not_in_effect), (1, true));
}

#[tokio::test]
async fn a_request_that_is_dropped_leaves_no_server() {
    let registry = |tool: &'static str| {
        let run = async |_: Value, _: crate::Context| "x";
        let tool = Tool::new(tool, "", json!({"type": "object"}), run);
        ToolRegistry::builder("calc").tool(tool).build().unwrap()
    };
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "c", "version": "1"},
    }});
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let mut sets = 0;
    let (cli, mut lines) = play(move |line| {
        sets += usize::from(line.contains("mcp_set_servers"));
        let asks = |(id, message): (&str, &Value)| {
            let request =
                json!({"subtype": "mcp_message", "server_name": "calc", "message": message});
            json!({"type": "control_request", "request_id": id, "request": request}).to_string()
        };
        let is_second = line.contains("mcp_set_servers") && sets == 2;
        let messages = [("m1", &initialize), ("m2", &list)];
        messages.into_iter().filter(|_| is_second).map(asks).collect()
    });
    let client = AgentClient::connect_with(cli, AgentOptions::default()).await.unwrap();
    {
        let set = pin!(client.set_mcp_servers([registry("old")]));
        assert!(set.poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    client.set_mcp_servers([registry("new")]).await.unwrap();
    let tools = line_with("\"m2\"", &mut lines).await;
    assert!(tools.contains("\"new\""), "{tools}");
}

#[tokio::test]
async fn servers_that_are_set_at_the_same_time_take_none_away_from_each_other() {
    let registry = |name: &'static str| ToolRegistry::builder(name).build().unwrap();
    let (cli, mut lines) = play(|line| {
        let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
        let request = json!({"subtype": "mcp_message", "server_name": "b", "message": ping});
        let ask = json!({"type": "control_request", "request_id": "asked", "request": request});
        line.contains("is b there?").then(|| ask.to_string()).into_iter().collect()
    });
    let client = AgentClient::connect_with(cli, AgentOptions::default()).await.unwrap();
    let first = client.set_mcp_servers([registry("a")]);
    let second = client.set_mcp_servers([registry("a"), registry("b")]);
    let (first, second) = tokio::join!(first, second);
    first.unwrap();
    second.unwrap();
    client.send("is b there?").await.unwrap();
    let answer = line_with("\"asked\"", &mut lines).await;
    assert!(answer.contains("mcp_response"), "{answer}");
}

#[tokio::test]
async fn servers_that_are_set_do_not_take_those_of_the_options_away() {
    let registry = |name: &'static str| ToolRegistry::builder(name).build().unwrap();
    let (cli, mut lines) = play(|_| Vec::new());
    let slow = McpServer::in_process(&registry("slow")).timeout(Duration::from_secs(9));
    let options = AgentOptions::builder().mcp_server(registry("calc")).mcp_server(slow);
    let options = options.mcp_server(McpServer::stdio("files", "server")).build().unwrap();
    let client = AgentClient::connect_with(cli, options).await.unwrap();
    client.set_mcp_servers([McpServer::http("calc", "https://a.example/")]).await.unwrap();
    let sent = line_with("mcp_set_servers", &mut lines).await;
    let sent: Value = serde_json::from_str(&sent).unwrap();
    assert_eq!(
        sent["request"]["servers"],
        json!({
            "slow": {"type": "sdk", "name": "slow", "timeout": 9000},
            "calc": {"type": "http", "url": "https://a.example/"},
        })
    );
}

struct Prompts(UnboundedReceiver<&'static str>);

impl Stream for Prompts {
    type Item = &'static str;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<&'static str>> {
        self.0.poll_recv(cx)
    }
}

#[tokio::test]
async fn a_registry_that_comes_to_a_one_shot_run_answers_until_its_end() {
    let (cli, _lines) = play(|line| {
        let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
        let request = json!({"subtype": "mcp_message", "server_name": "late", "message": ping});
        let ask = json!({"type": "control_request", "request_id": "asked", "request": request});
        let idle = json!({"type": "system", "subtype": "session_state_changed", "state": "idle"});
        match line {
            prompt if is_prompt(prompt) => vec![ask.to_string()],
            answer if answer.contains("mcp_response") => vec![result("Done."), idle.to_string()],
            _ => Vec::new(),
        }
    });
    let (say, prompts) = unbounded_channel();
    let prompts = Prompt::stream(Prompts(prompts));
    let run = query_with(cli, prompts, AgentOptions::default()).await.unwrap();
    let late = ToolRegistry::builder("late").build().unwrap();
    run.handle().set_mcp_servers([late]).await.unwrap();
    say.send("Go.").unwrap();
    drop(say);
    assert_eq!(run.finish().await.unwrap().text(), "Done.");
}

#[tokio::test]
async fn tools_of_a_session_that_has_moved_are_told_the_new_folder() {
    let root =
        async |_: Value, cx: crate::Context| cx.roots().await.map(|roots| roots[0].uri.to_string());
    let tool = Tool::new("where", "", json!({"type": "object"}), root);
    let registry = ToolRegistry::builder("here").tool(tool).build().unwrap();
    let folder = std::env::temp_dir().canonicalize().unwrap();
    let moved_to = folder.clone();
    let (cli, mut lines) = play(move |line| {
        let sent: Value = serde_json::from_str(line).unwrap();
        if sent["request"]["subtype"] == "set_cwd" {
            let answer = json!({"status": "ok", "cwd": moved_to, "changed": true});
            let id = &sent["request_id"];
            let response = json!({"subtype": "success", "request_id": id, "response": answer});
            return vec![json!({"type": "control_response", "response": response}).to_string()];
        }
        let initialize = json!({"method": "initialize", "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "c", "version": "1"},
        }});
        let call = json!({"method": "tools/call", "params": {"name": "where"}});
        let asks = |(id, mut message): (u64, Value)| {
            message["jsonrpc"] = "2.0".into();
            message["id"] = id.into();
            let request =
                json!({"subtype": "mcp_message", "server_name": "here", "message": message});
            let id = format!("m{id}");
            json!({"type": "control_request", "request_id": id, "request": request}).to_string()
        };
        let messages = [(0, initialize), (1, call)];
        messages.into_iter().filter(|_| is_prompt(line)).map(asks).collect()
    });
    let options = AgentOptions::builder().mcp_server(registry).cwd("/").build().unwrap();
    let client = AgentClient::connect_with(cli, options).await.unwrap();
    client.set_cwd(&folder, false).await.unwrap();
    client.send("Where are you?").await.unwrap();
    let answer = line_with("\"m1\"", &mut lines).await;
    assert!(answer.contains(&format!("file://{}", folder.display())), "{answer}");
}

#[tokio::test]
async fn servers_that_build_would_refuse_are_not_sent() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let stdio = |name: &str| McpServer::stdio(name, "server");
    let (cli, mut lines) = play(|_| Vec::new());
    let client = AgentClient::connect_with(cli, AgentOptions::default()).await.unwrap();
    for (servers, complaint) in [
        (vec![stdio("a").header("X", "1")], "`header` is for servers behind a URL"),
        (vec![stdio("a"), McpServer::http("a", "https://a.example/")], "more than one"),
        (vec![stdio("a").timeout(Duration::from_millis(999))], "at least 1 s"),
        (vec![McpServer::stdio("a", OsStr::from_bytes(b"\xff"))], "no UTF-8"),
        (vec![stdio("__proto__")], "reserved"),
    ] {
        let error = client.set_mcp_servers(servers).await.unwrap_err();
        assert!(
            matches!(&error, ControlError::WrongServers { complaints } if complaints.len() == 1),
            "{error:?}"
        );
        assert!(error.to_string().contains(complaint), "{error}");
    }
    client.set_mcp_servers([stdio("a")]).await.unwrap();
    drop(client);
    let mut sent = Vec::new();
    while let Some(line) = lines.recv().await {
        sent.extend(line.contains("mcp_set_servers").then_some(line));
    }
    assert!(matches!(&*sent, [only] if only.contains("\"args\":[]")), "{sent:?}");
}
