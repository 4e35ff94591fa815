//! The edge cases of JSON-RPC and MCP, and what this server has decided for each, as bodies of
//! requests; and the rows of the transport that need a connection.

use serde_json::{Value, json};

use super::client::{Client, Request};
use crate::clients::Server;
use crate::stdio::rows::{ROWS, Says};

/// Begins a session of 2025-11-25.
async fn begin(client: &mut Client) -> String {
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "c", "version": "1"}});
    let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let response = client.ask(&Request::new("POST", &message.to_string())).await;
    response.headers["mcp-session-id"].clone()
}

/// What was decided for a line, as status, code and id.
fn decided(line: &str, says: Says) -> (u16, Option<i64>, Option<Value>) {
    let id = |id: &str| Some(serde_json::from_str(id).unwrap());
    match says {
        Says::Error(of, code @ (-32700 | -32600)) => (400, Some(code), id(of)),
        // The request itself is well-formed, and is served.
        Says::Error(of, code) => (200, Some(code), id(of)),
        Says::Refusal(code) => (400, Some(code), None),
        Says::Result(of) => (200, None, id(of)),
        Says::ToolError(_) => (200, None, id("1")),
        // Here silence is no answer.
        Says::Nothing => match serde_json::from_str::<Value>(line) {
            Err(_) => (400, Some(-32700), None),
            Ok(Value::Object(_)) => (202, None, None),
            Ok(_) => (400, Some(-32600), None),
        },
    }
}

#[tokio::test]
async fn every_body_is_answered_as_its_line_is_on_standard_input() {
    let (plain, with_sessions) = (Server::http(&[]).await, Server::http(&["--sessions"]).await);
    for server in [&plain, &with_sessions] {
        let mut client = Client::connect(server.url()).await;
        let session = match server.url() == with_sessions.url() {
            true => begin(&mut client).await,
            false => String::new(),
        };
        for (name, line, says) in ROWS {
            let request = Request::new("POST", line)
                .with("mcp-protocol-version", "2025-11-25")
                .with("mcp-session-id", &session);
            let response = client.ask(&request).await;
            let answer = response.answer();
            let found =
                (response.status, answer["error"]["code"].as_i64(), answer.get("id").cloned());
            assert_eq!(found, decided(line, *says), "{name}: {answer}");
            assert_eq!(response.body.is_empty(), response.status == 202, "{name}");
            if let Says::ToolError(part) = says {
                let result = &answer["result"];
                assert_eq!(result["isError"], true, "{name}: {answer}");
                let text = result["content"][0]["text"].as_str().unwrap();
                assert!(text.contains(part), "{name}: {text}");
            }
        }
    }
}

#[tokio::test]
async fn bytes_nesting_and_size_are_answered() {
    let server = Server::http(&[]).await;
    let mut client = Client::connect(server.url()).await;
    let ping = |more: &str| format!(r#"{{"jsonrpc":"2.0","id":5,"method":"ping"{more}}}"#);
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    for (name, body, status, code) in [
        ("a byte order mark", format!("\u{feff}{}", ping("")), 200, None),
        ("nesting of 100", ping(&format!(r#","more":{}"#, nested(100))), 200, None),
        ("a long body", ping(&format!(r#","more":"{}""#, "x".repeat(4_000_000))), 200, None),
        (
            "too long a body",
            ping(&format!(r#","more":"{}""#, "x".repeat(4_200_000))),
            413,
            Some(-32000),
        ),
    ] {
        let response = client.ask(&Request::new("POST", &body)).await;
        let code_found = response.answer()["error"]["code"].as_i64();
        assert_eq!((response.status, code_found), (status, code), "{name}: {}", response.body);
    }
    assert_eq!(client.rest().await, "", "the connection closes after 413");
    // Whatever is too deep is answered with its id.
    let mut client = Client::connect(server.url()).await;
    for depth in [200, 5_000] {
        let no_json = nested(depth).replace("[]", "[x]");
        let arguments = format!(r#"{{"query":"a","options":{{"more":{no_json}}}}}"#);
        for body in [
            ping(&format!(r#","params":{{"more":{}}}"#, nested(depth))),
            format!(
                r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{{"name":"search","arguments":{arguments}}}}}"#
            ),
        ] {
            let response = client.ask(&Request::new("POST", &body)).await;
            assert_eq!(response.answer()["id"], 5, "{}", response.body);
        }
    }
}

#[tokio::test]
async fn an_id_that_is_in_use_is_refused_in_its_session_only() {
    let server = Server::http(&["--sessions"]).await;
    let mut client = Client::connect(server.url()).await;
    let (id, other) = (begin(&mut client).await, begin(&mut client).await);
    let call = |name: &str| {
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": name, "_meta": {"progressToken": 1}}})
    };
    let mut waiting = Client::connect(server.url()).await;
    waiting.begin(&Request::in_session(&id, &call("until_cancelled"))).await;
    let refused = client.ask(&Request::in_session(&id, &call("test_simple_text"))).await;
    assert_eq!(refused.answer()["error"]["code"], -32600, "{refused:?}");
    for request in [
        Request::in_session(&other, &call("test_simple_text")),
        Request::legacy("2025-11-25", &call("test_simple_text")).with("mcp-session-id", &other),
    ] {
        let served = client.ask(&request).await;
        assert!(served.answer().get("result").is_some(), "{served:?}");
    }
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": 1}});
    assert_eq!(client.ask(&Request::in_session(&id, &cancel)).await.status, 202);
}

/// hyper lets two of them pass.
#[tokio::test]
async fn a_request_has_one_host() {
    let server = Server::http(&[]).await;
    for (hosts, status) in
        [("Host: localhost\r\n", 202), ("Host: localhost\r\nHost: localhost\r\n", 400), ("", 400)]
    {
        let mut client = Client::connect(server.url()).await;
        let body = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let request = Request::new("POST", body).with("host", "");
        let (head, rest) = request
            .bytes()
            .split_once("\r\n")
            .map(|(head, rest)| (format!("{head}\r\n{hosts}"), rest.to_owned()))
            .unwrap();
        client.write((head + &rest).as_bytes()).await;
        assert_eq!(client.head().await.status, status, "{hosts:?}");
    }
}

#[tokio::test]
async fn bodies_come_in_every_form_of_http_1() {
    let server = Server::http(&[]).await;
    let request = Request::call("echo", &json!({"text": "said"}));
    let (whole, head) = (request.bytes(), request.head());
    let (_, body) = whole.split_once("\r\n\r\n").unwrap();
    let (first, second) = body.split_at(20);
    let chunked = format!(
        "{head}transfer-encoding: chunked\r\n\r\n{:x}\r\n{first}\r\n{:x};x=y\r\n{second}\r\n0\r\n\r\n",
        first.len(),
        second.len()
    );
    let mut client = Client::connect(server.url()).await;
    for bytes in [&whole, &chunked] {
        client.write(bytes.as_bytes()).await;
        assert_eq!(client.head().await.status, 200);
        assert!(client.part().await.unwrap().contains("said"));
    }
    // A client that waits for the server's consent.
    client
        .write(
            format!("{head}expect: 100-continue\r\ncontent-length: {}\r\n\r\n", body.len())
                .as_bytes(),
        )
        .await;
    assert_eq!(client.head().await.status, 100);
    client.write(body.as_bytes()).await;
    assert_eq!(client.head().await.status, 200);
    assert!(client.part().await.unwrap().contains("said"));
    // And one of HTTP/1.0, which ends its connection.
    let old = whole.replacen("HTTP/1.1", "HTTP/1.0", 1);
    client.write(old.as_bytes()).await;
    let answer = client.rest().await;
    assert!(answer.starts_with("HTTP/1.0 200") && answer.contains("said"), "{answer}");
}

/// Row «shutdown»: subscriptions and streams of sessions end, calls have their grace.
#[tokio::test]
async fn a_server_that_is_told_to_stop_ends_with_everything_open() {
    let mut server = Server::http(&["--sessions"]).await;
    let mut client = Client::connect(server.url()).await;
    let id = begin(&mut client).await;
    let mut get = Client::connect(server.url()).await;
    get.begin(&Request::new("GET", "").with("mcp-session-id", &id)).await;
    let mut listening = Client::connect(server.url()).await;
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    listening.begin(&Request::modern(1, "subscriptions/listen", &wanted)).await;
    listening.part().await.unwrap();
    let mut calling = Client::connect(server.url()).await;
    calling.begin(&Request::call("test_tool_with_progress", &json!({}))).await;
    let mut forever = Client::connect(server.url()).await;
    forever.begin(&Request::call("until_cancelled", &json!({}))).await;
    let rest = async |mut client: Client| {
        let mut all = String::new();
        while let Some(part) = client.part().await {
            all += &part;
        }
        super::client::messages(&all).pop().unwrap_or_default()
    };
    let (ended, get, listening, calling, forever) =
        tokio::join!(server.ended(0), rest(get), rest(listening), rest(calling), rest(forever));
    ended.unwrap();
    assert_eq!(get, Value::Null);
    assert_eq!(listening["result"]["resultType"], "complete");
    assert_eq!(calling["result"]["content"][0]["text"], "done");
    assert_eq!(forever["result"]["isError"], true);
}

/// Who starts a server at an address wants to use it by that address.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_command_line_names_hosts_that_are_allowed() {
    for (words, host, status) in [
        // No name of loopback, and still this machine.
        (&["--http", "127.0.0.2:0"][..], "127.0.0.2", 200),
        (&["--http", "127.0.0.2:0"], "127.0.0.1", 200),
        (&["--http", "127.0.0.2:0"], "calc.example.com", 403),
        (&["--http", "0.0.0.0:0"], "0.0.0.0:8080", 200),
        (&["--http", "0.0.0.0:0"], "calc.example.com", 403),
        (&["--http", "0.0.0.0:0", "--allowed-host=Calc.example.com"], "calc.example.com", 200),
        (
            &["--http", "0.0.0.0:0", "--allowed-host", "calc.example.com:80"],
            "other.example.com",
            403,
        ),
        (&["--http", "0.0.0.0:0", "--allowed-host", "*"], "other.example.com", 200),
    ] {
        let mut server = Server::run(words).await;
        let request = Request::call("echo", &json!({"text": "here"})).with("host", host);
        let response = Client::connect(server.url()).await.ask(&request).await;
        assert_eq!(response.status, status, "{words:?} {host}: {response:?}");
        if words.contains(&"0.0.0.0:0") && words.len() == 2 {
            server.says("other machines can connect, and the check of the name in a").await;
        }
    }
}
