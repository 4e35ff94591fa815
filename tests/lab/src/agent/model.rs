use std::convert::Infallible;
use std::net::SocketAddr;
use std::process::Command;

use anyhow::Result;
use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// A Messages API on loopback that always answers `Ready.`, for the real `claude` program.
pub struct Model {
    address: SocketAddr,
    /// Its tasks end with it.
    _runtime: Runtime,
}

impl Model {
    pub fn start() -> Result<Self> {
        let runtime = Runtime::new()?;
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?;
        runtime.spawn(async move {
            // An error ends a connection, not the server.
            let _ = axum::serve(listener, Router::new().fallback(answer)).await;
        });
        Ok(Self { address, _runtime: runtime })
    }

    /// Makes the CLI of a client use this model.
    pub fn lead(&self, client: &mut Command) {
        client
            .env("ANTHROPIC_BASE_URL", format!("http://{}", self.address))
            .env("ANTHROPIC_API_KEY", "scripted")
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("DISABLE_AUTOUPDATER", "1");
    }
}

/// Requests that are no JSON only ask whether the server is there.
async fn answer(body: Bytes) -> Result<Response, Infallible> {
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    if request["stream"] != true {
        return Ok(([(CONTENT_TYPE, "application/json")], "{}").into_response());
    }
    let usage = json!({"input_tokens": 10, "output_tokens": 2});
    let message = json!({
        "id": "msg_lab", "type": "message", "role": "assistant", "model": request["model"],
        "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage,
    });
    let block = json!({"type": "text", "text": ""});
    let delta = json!({"type": "text_delta", "text": "Ready."});
    let stop = json!({"stop_reason": "end_turn", "stop_sequence": null});
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
    let events: String = events.into_iter().map(event).collect();
    Ok(([(CONTENT_TYPE, "text/event-stream")], events).into_response())
}
