//! Sessions that come back by their key, and what their clients can be asked.

use serde_json::{Value, json};
use tokio::task::yield_now;
use tokio::time::sleep;

use super::super::scene::{Heard, Scene, frame, is_silent, rest};
use super::{HOUR, initialize, post, scene};
use crate::{Context, Tool};

/// With the tools `deletes`, which asks, and `knows`, which tells what it could ask.
fn keyed() -> Scene {
    let scene = scene(|sessions| sessions.key = Some([7; 32]));
    let schema = || json!({"type": "object"});
    let deletes = Tool::new("deletes", "", schema(), async |_: Value, cx: Context| {
        match cx.confirm("Delete?").await {
            Ok(sure) => sure.to_string(),
            Err(error) => error.to_string(),
        }
    });
    let knows = Tool::new("knows", "", schema(), async |_: Value, cx: Context| {
        let sampling = cx.client_capabilities().get("sampling");
        let can = [
            (cx.can_elicit(), "form"),
            (cx.can_elicit_url(), "url"),
            (cx.can_sample(), "sampling"),
            (sampling.is_some_and(|sampling| sampling["tools"].is_object()), "tools"),
            (cx.can_roots(), "roots"),
        ];
        let can: Vec<_> = can.into_iter().filter_map(|(can, name)| can.then_some(name)).collect();
        can.join(" ")
    });
    [deletes, knows].into_iter().for_each(|tool| scene.registry.add(tool).unwrap());
    scene
}

/// Begins a session of a client that declares this, and returns its id.
async fn begin(scene: &Scene, version: &str, capabilities: &Value) -> String {
    let mut message = initialize(version);
    message["params"]["capabilities"] = capabilities.clone();
    let response = scene.send(post("", &message)).await;
    response.headers()["mcp-session-id"].to_str().unwrap().to_owned()
}

fn call(tool: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool}})
}

/// Calls the tool that asks, and reads the id of its question.
async fn ask(scene: &Scene, id: &str) -> (Heard, Value) {
    let mut body = scene.send(post(id, &call("deletes"))).await.into_body();
    let event = frame(&mut body).await.unwrap();
    let question = event.lines().find_map(|line| line.strip_prefix("data: ")).expect(&event);
    let question: Value = serde_json::from_str(question).unwrap();
    assert_eq!(question["method"], "elicitation/create", "{question}");
    (body, question["id"].clone())
}

/// Says yes to a question.
async fn accept(scene: &Scene, id: &str, question: &Value) {
    let answer = json!({"jsonrpc": "2.0", "id": question,
        "result": {"action": "accept", "content": {"confirm": true}}});
    assert_eq!(scene.ask(post(id, &answer)).await, (202, String::new()));
}

#[tokio::test(start_paused = true)]
async fn a_session_that_comes_back_can_ask_its_client() {
    let [one, other] = [(); 2].map(|()| keyed());
    let id = begin(&one, "2025-11-25", &json!({"elicitation": {}})).await;
    let (before, first) = ask(&one, &id).await;
    // On another replica, and on the same one once it has forgotten the session.
    let (mut body, second) = ask(&other, &id).await;
    // The answer to a question before is none to this one.
    assert_ne!(first, second);
    accept(&other, &id, &first).await;
    yield_now().await;
    assert!(is_silent(&mut body));
    accept(&other, &id, &second).await;
    assert!(rest(body).await.contains("true"));
    accept(&one, &id, &first).await;
    assert!(rest(before).await.contains("true"));
    sleep(2 * HOUR).await;
    assert_eq!(one.service.sessions(), 0);
    let (body, third) = ask(&one, &id).await;
    assert!(third != first && third != second);
    accept(&one, &id, &third).await;
    assert!(rest(body).await.contains("true"));
}

#[tokio::test]
async fn a_session_that_comes_back_knows_what_its_client_can_be_asked() {
    let all = json!({"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}},
        "roots": {"listChanged": true}, "experimental": {"x": {}}});
    for (version, capabilities, known) in [
        ("2025-11-25", all.clone(), "form url sampling tools roots"),
        ("2025-11-25", json!({"elicitation": {}}), "form"),
        ("2025-11-25", json!({"elicitation": {"url": {}}, "roots": {}}), "url roots"),
        ("2025-11-25", json!({}), ""),
        ("2025-06-18", json!({"elicitation": {}, "sampling": {}}), "form sampling"),
        ("2025-03-26", json!({"sampling": {}, "roots": {}}), "sampling roots"),
    ] {
        let [one, other] = [(); 2].map(|()| keyed());
        let id = begin(&one, version, &capabilities).await;
        for scene in [&one, &other] {
            let (_, answer) = scene.ask(post(&id, &call("knows"))).await;
            let answer: Value = serde_json::from_str(&answer).unwrap();
            let told = &answer["result"]["content"][0]["text"];
            assert_eq!(told, known, "{version} {capabilities}");
        }
    }
}
