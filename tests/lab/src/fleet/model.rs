use std::convert::Infallible;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use anyhow::Result;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// What each turn ends with.
pub const ANSWER: &str = "It is 5.";

/// A Messages API on loopback. In each turn it calls the tool `add` once and then answers.
pub struct Model {
    address: SocketAddr,
    /// What it did, in order.
    pub events: Receiver<Event>,
    /// Its tasks end with it.
    _runtime: Runtime,
}

pub enum Event {
    /// It has answered, which ends a turn.
    Answered,
    /// It was asked for something that does not belong to a turn.
    Misled(String),
}

#[derive(Clone)]
struct Script {
    /// Before each of its two responses.
    delay: Duration,
    events: Sender<Event>,
}

impl Model {
    pub fn start(delay: Duration) -> Result<Self> {
        let runtime = Runtime::new()?;
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?;
        let (sender, events) = channel();
        let script = Script { delay, events: sender };
        runtime.spawn(async move {
            // An error ends a connection, not the server.
            let _ = axum::serve(listener, Router::new().fallback(answer).with_state(script)).await;
        });
        Ok(Self { address, events, _runtime: runtime })
    }

    /// Makes the CLI of a worker use this model.
    pub fn lead(&self, worker: &mut Command) {
        worker
            .env("ANTHROPIC_BASE_URL", format!("http://{}", self.address))
            .env("ANTHROPIC_API_KEY", "scripted")
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("DISABLE_AUTOUPDATER", "1");
    }
}

async fn answer(State(script): State<Script>, body: Bytes) -> Result<Response, Infallible> {
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    if request["stream"] != true {
        // It only asks whether the server is there, or how long a prompt is.
        return Ok(([(CONTENT_TYPE, "application/json")], "{}").into_response());
    }
    tokio::time::sleep(script.delay).await;
    // The lab may have ended meanwhile, and then nobody wants to know.
    let tell = |event| drop(script.events.send(event));
    let tools = request["tools"].as_array().into_iter().flatten();
    let add = tools.filter_map(|tool| tool["name"].as_str()).find(|name| name.ends_with("__add"));
    let (block, delta, reason) = match (result(&request), add) {
        (Some(result), _) => {
            if !result.contains('5') {
                tell(Event::Misled(format!("the tool gave {result}")));
            }
            tell(Event::Answered);
            text()
        }
        (None, Some(add)) => (
            json!({"type": "tool_use", "id": format!("toolu_{}", unique()), "name": add, "input": {}}),
            json!({"type": "input_json_delta", "partial_json": "{\"a\":2,\"b\":3}"}),
            "tool_use",
        ),
        (None, None) => {
            tell(Event::Misled("there was no tool to call".to_owned()));
            text()
        }
    };
    Ok(([(CONTENT_TYPE, "text/event-stream")], events(&request, &block, &delta, reason))
        .into_response())
}

fn text() -> (Value, Value, &'static str) {
    let block = json!({"type": "text", "text": ""});
    (block, json!({"type": "text_delta", "text": ANSWER}), "end_turn")
}

/// The result of the tool, if that is what the request brings.
fn result(request: &Value) -> Option<String> {
    let blocks = request["messages"].as_array()?.last()?["content"].as_array()?;
    let result = blocks.iter().find(|block| block["type"] == "tool_result")?;
    Some(result["content"].to_string())
}

fn events(request: &Value, block: &Value, delta: &Value, reason: &str) -> String {
    let usage = json!({"input_tokens": 10, "output_tokens": 2});
    let message = json!({
        "id": format!("msg_{}", unique()), "type": "message", "role": "assistant",
        "model": request["model"], "content": [], "stop_reason": null, "stop_sequence": null,
        "usage": usage,
    });
    let stop = json!({"stop_reason": reason, "stop_sequence": null});
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": stop, "usage": usage}),
        json!({"type": "message_stop"}),
    ];
    let event = |event: Value| {
        let kind = event["type"].as_str().unwrap_or_default();
        format!("event: {kind}\ndata: {event}\n\n")
    };
    events.into_iter().map(event).collect()
}

/// A number that no other id has.
fn unique() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
