//! The table of requests in sessions.

use serde_json::{Value, json};

use super::super::scene::{Scene, call as modern_call, modern, rest, send};
use super::{begin, begin_in, call, initialize, initialized, post, request, scene, status};
use crate::http::{Options, Service, Sessions};
use crate::{Resource, Tool, ToolRegistry};

#[tokio::test]
async fn each_request_of_a_session_has_its_status() {
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    let error = r#"{"jsonrpc":"2.0","id":7,"method":"unknown/method"}"#;
    let first = initialize("2025-11-25").to_string();
    let bad = r#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}"#;
    let silent = initialized().to_string();
    let response = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let modern = "MCP-Protocol-Version: 2026-07-28\n";
    let legacy = "MCP-Protocol-Version: 2025-11-25\n";
    let wrong = "MCP-Protocol-Version: 2024-10-07\n";
    let twice = "Mcp-Session-Id: other\n";
    for (method, id, more, body, status, code) in [
        ("POST", "live", "", ping, 200, 0),
        ("POST", "live", legacy, ping, 200, 0),
        ("POST", "live", "", error, 200, -32601),
        ("POST", "live", "", &silent, 202, 0),
        ("POST", "live", "", response, 202, 0),
        ("POST", "live", wrong, ping, 400, -32000),
        ("POST", "live", twice, ping, 400, -32000),
        ("POST", "", "", ping, 400, -32000),
        ("POST", "", "", &silent, 400, -32000),
        ("POST", "never", "", ping, 404, -32000),
        ("POST", "never", "", &silent, 404, -32000),
        ("POST", "gone", "", ping, 404, -32000),
        ("POST", "h\u{e9}", "", ping, 404, -32000),
        ("POST", "", "", &first, 200, 0),
        ("POST", "gone", "", &first, 200, 0),
        ("POST", "live", "", &first, 200, 0),
        ("POST", "", "", bad, 200, -32602),
        ("GET", "live", "", "", 200, 0),
        ("GET", "live", legacy, "", 200, 0),
        ("GET", "live", wrong, "", 400, -32000),
        ("GET", "live", modern, "", 405, -32000),
        ("GET", "live", "Accept: application/json\n", "", 406, -32000),
        ("GET", "", "", "", 400, -32000),
        ("GET", "gone", "", "", 404, -32000),
        ("DELETE", "live", "", "", 200, 0),
        ("DELETE", "live", modern, "", 405, -32000),
        ("DELETE", "", "", "", 400, -32000),
        ("DELETE", "gone", "", "", 404, -32000),
        ("DELETE", "never", "", "", 404, -32000),
        ("PUT", "live", "", "", 405, -32000),
        ("PATCH", "live", "", "", 405, -32000),
        ("OPTIONS", "live", "", "", 405, -32000),
        ("HEAD", "live", "", "", 405, 0),
    ] {
        let scene = scene(|_| {});
        let row = format!("{method} {id} {more} {body}");
        let (live, gone) = (begin(&scene).await, begin(&scene).await);
        assert_eq!(self::status(&scene, request("DELETE", &gone, "", "")).await, 200);
        let id = id.replace("live", &live).replace("gone", &gone);
        let mut request = request(method, &id, "", body);
        for line in more.lines() {
            let (name, value) = line.split_once(": ").unwrap();
            let value = value.parse().unwrap();
            match name {
                "Accept" => drop(request.headers_mut().insert("accept", value)),
                name => drop(
                    request
                        .headers_mut()
                        .append(http::HeaderName::from_bytes(name.as_bytes()).unwrap(), value),
                ),
            }
        }
        let response = scene.send(request).await;
        assert_eq!(response.status(), status, "{row}");
        let headers = response.headers().clone();
        if status == 405 {
            let allowed = if more == modern { "POST" } else { "POST, GET, DELETE" };
            assert_eq!(headers["allow"], allowed, "{row}");
        }
        let begun = headers.get("mcp-session-id").is_some();
        assert_eq!(begun, body == first, "{row}");
        if method == "GET" && status == 200 {
            continue;
        }
        let text = rest(response.into_body()).await;
        if code == 0 {
            let is_answer = serde_json::from_str(&text)
                .is_ok_and(|answer: Value| answer.get("result").is_some());
            assert!(is_answer == (method == "POST" && status == 200), "{row} {text}");
            assert!(is_answer || text.is_empty(), "{row} {text}");
            continue;
        }
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(answer["error"]["code"], code, "{row}");
        if body == ping {
            assert_eq!(answer["id"], 7, "{row}");
        }
    }
}

#[tokio::test]
async fn modern_requests_have_no_session() {
    let scene = scene(|_| {});
    for id in ["", "never"] {
        let mut request = modern_call("echo", &json!({"text": "hi"}));
        if !id.is_empty() {
            request.headers_mut().insert("mcp-session-id", id.parse().unwrap());
        }
        let response = scene.send(request).await;
        assert_eq!(response.status(), 200);
        assert!(!response.headers().contains_key("mcp-session-id"));
    }
    assert_eq!(scene.service.sessions(), 0);
}

#[tokio::test]
async fn clients_that_take_no_streams_have_sessions_too() {
    let scene = Scene::new(|options| {
        options.sessions = Some(Sessions::default());
        options.json_only = true;
    });
    let id = begin(&scene).await;
    let response = scene.send(request("GET", &id, "", "")).await;
    assert_eq!(
        (response.status().as_u16(), &response.headers()["allow"]),
        (405, &"POST, DELETE".parse().unwrap())
    );
    scene.go.notify_one();
    let (status, answer) = scene.ask(post(&id, &call(1, "steps"))).await;
    assert!(status == 200 && answer.contains("done") && !answer.contains("half"), "{answer}");
}

#[tokio::test]
async fn changes_are_promised_where_there_are_streams() {
    for json_only in [false, true] {
        let resource = Resource::new("toy://a", "a", "", async |_, _| "text");
        let registry = ToolRegistry::builder("toy").resources([resource]).build().unwrap();
        let sessions = Some(Sessions::default());
        let options = Options { json_only, sessions, ..Options::default() };
        let service = Service::with(registry, options);
        let discover = modern("server/discover", None, &json!({}));
        for ask in [post("", &initialize("2025-11-25")), discover] {
            let text = rest(send(&service, ask).await.into_body()).await;
            let answer: Value = serde_json::from_str(&text).unwrap();
            let promised = &answer["result"]["capabilities"];
            assert!(promised["tools"].is_object(), "{text}");
            assert_eq!(promised["tools"]["listChanged"] == true, !json_only, "{text}");
            assert_eq!(promised["resources"]["subscribe"] == true, !json_only, "{text}");
        }
    }
}

#[tokio::test]
async fn each_session_keeps_its_revision() {
    let scene = scene(|_| {});
    let (old, new) = (begin_in(&scene, "2024-11-05").await, begin(&scene).await);
    let titled = Tool::new("titled", "", json!({"type": "object"}), async |_: Value, _| "");
    scene.registry.add(titled.with_title("A title")).unwrap();
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for (id, has_titles) in [(&old, false), (&new, true), (&old, false)] {
        let (_, answer) = scene.ask(post(id, &list)).await;
        assert_eq!(answer.contains("A title"), has_titles, "{answer}");
    }
}
