//! Sessions of the legacy revisions.

mod rows;
mod streams;
mod changes;
mod kept;
mod calls;
mod questions;
mod ends;
mod revived;
mod states;
mod filtered;

use std::time::Duration;

use http::Request;
use serde_json::{Value, json};

use super::scene::{Heard, Scene, frame, raw, rest};
use crate::Tool;
use crate::http::Sessions;

const HOUR: Duration = Duration::from_secs(3_600);

fn scene(change: impl FnOnce(&mut Sessions)) -> Scene {
    let mut sessions = Sessions::default();
    change(&mut sessions);
    Scene::new(|options| options.sessions = Some(sessions))
}

/// A request of the session `id`, with a body if it is a POST.
fn request(method: &str, id: &str, more: &str, body: &str) -> Request<String> {
    let name = if id.is_empty() { String::new() } else { format!("Mcp-Session-Id: {id}\n") };
    let kind = if body.is_empty() { "" } else { "Content-Type: application/json\n" };
    let accept = match method {
        "GET" => "text/event-stream",
        _ => "application/json, text/event-stream",
    };
    raw(&format!("{method} /mcp\nHost: localhost\nAccept: {accept}\n{kind}{name}{more}\n{body}"))
}

pub(super) fn post(id: &str, message: &Value) -> Request<String> {
    request("POST", id, "", &message.to_string())
}

fn initialize(version: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}})
}

fn initialized() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
}

fn cancel(request: u64) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": request}})
}

/// A call with progress.
fn call(id: u64, tool: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": tool, "arguments": {"text": "hi"}, "_meta": {"progressToken": id}}})
}

/// Begins a session, and returns its id.
pub(super) async fn begin_in(scene: &Scene, version: &str) -> String {
    let response = scene.send(post("", &initialize(version))).await;
    assert_eq!(response.status(), 200);
    let id = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    let answer: Value = serde_json::from_str(&rest(response.into_body()).await).unwrap();
    assert_eq!(answer["result"]["protocolVersion"], version);
    assert_eq!(scene.ask(post(&id, &initialized())).await, (202, String::new()));
    id
}

async fn begin(scene: &Scene) -> String {
    begin_in(scene, "2025-11-25").await
}

async fn status(scene: &Scene, request: Request<String>) -> u16 {
    scene.send(request).await.status().as_u16()
}

async fn ping(scene: &Scene, id: &str) -> u16 {
    status(scene, post(id, &json!({"jsonrpc": "2.0", "id": 9, "method": "ping"}))).await
}

/// Opens the stream of a session, and reads its first comment.
async fn listen(scene: &Scene, id: &str) -> Heard {
    let response = scene.send(request("GET", id, "", "")).await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    assert_eq!(frame(&mut body).await.unwrap(), ":\n\n");
    body
}

/// Resumes a stream, and returns everything that comes.
async fn resume(scene: &Scene, id: &str, after: &str) -> String {
    let more = format!("Last-Event-ID: {after}\n");
    let response = scene.send(request("GET", id, &more, "")).await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    rest(response.into_body()).await
}

/// The id of each event, and what its message is about.
fn events(stream: &str) -> Vec<(String, String)> {
    let events = stream.split("\n\n").filter(|event| !event.is_empty() && *event != ":");
    let of = |event: &str| {
        let member = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
        let id = member("id: ").unwrap_or_default().to_owned();
        let message = member("data: ").unwrap_or_default();
        let message: Value = serde_json::from_str(message).unwrap_or_default();
        let about = match &message["params"]["message"] {
            Value::String(text) => text.clone(),
            _ if message["method"].is_string() => message["method"].as_str().unwrap().into(),
            _ => message["result"]["content"][0]["text"].as_str().unwrap_or_default().into(),
        };
        (id, about)
    };
    events.map(of).collect()
}

fn add_tool(scene: &Scene, name: &'static str) {
    let tool = Tool::new(name, "", json!({"type": "object"}), async |_: Value, _| "");
    scene.registry.add(tool).unwrap();
}

fn is_changed(frame: Option<String>) -> bool {
    frame.is_some_and(|frame| frame.contains("notifications/tools/list_changed"))
}
