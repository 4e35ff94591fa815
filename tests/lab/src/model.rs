//! A Messages API on loopback, for the real `claude` program.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// The server. It gives a response of one block to each prompt.
pub struct Model {
    address: SocketAddr,
    /// Its tasks end with it.
    _runtime: Runtime,
}

/// A response: its block as it begins, what is added to it, and why the response stops.
pub struct Reply {
    pub block: Value,
    pub delta: Value,
    pub stop_reason: &'static str,
}

impl Model {
    pub fn start<F>(reply: impl Fn(Value) -> F + Clone + Send + Sync + 'static) -> Result<Self>
    where
        F: Future<Output = Reply> + Send + 'static,
    {
        let runtime = Runtime::new()?;
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let address = listener.local_addr()?;
        let answer = move |body: Bytes| answer(body, reply.clone());
        runtime.spawn(async move {
            // An error ends a connection, not the server.
            let _ = axum::serve(listener, Router::new().fallback(answer)).await;
        });
        Ok(Self { address, _runtime: runtime })
    }

    /// Makes the CLI of a program use this model.
    pub fn lead(&self, program: &mut Command) {
        program
            .env("ANTHROPIC_BASE_URL", format!("http://{}", self.address))
            .env("ANTHROPIC_API_KEY", "scripted")
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("DISABLE_AUTOUPDATER", "1");
    }
}

impl Reply {
    /// A text, which ends the turn.
    pub fn text(text: &str) -> Self {
        Self {
            block: json!({"type": "text", "text": ""}),
            delta: json!({"type": "text_delta", "text": text}),
            stop_reason: "end_turn",
        }
    }

    /// A call of a tool, with the JSON text of its input.
    pub fn call(tool: &str, input: &str) -> Self {
        let id = format!("toolu_{}", unique());
        Self {
            block: json!({"type": "tool_use", "id": id, "name": tool, "input": {}}),
            delta: json!({"type": "input_json_delta", "partial_json": input}),
            stop_reason: "tool_use",
        }
    }

    fn events(self, request_model: &Value) -> String {
        let usage = json!({"input_tokens": 10, "output_tokens": 2});
        let message = json!({
            "id": format!("msg_{}", unique()), "type": "message", "role": "assistant",
            "model": request_model, "content": [], "stop_reason": null, "stop_sequence": null,
            "usage": usage,
        });
        let stop = json!({"stop_reason": self.stop_reason, "stop_sequence": null});
        let events = [
            json!({"type": "message_start", "message": message}),
            json!({"type": "content_block_start", "index": 0, "content_block": self.block}),
            json!({"type": "content_block_delta", "index": 0, "delta": self.delta}),
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
}

async fn answer<F: Future<Output = Reply>>(
    body: Bytes,
    reply: impl Fn(Value) -> F,
) -> Result<Response, Infallible> {
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    if request["stream"] != true {
        // It only asks whether the server is there, or how long a prompt is.
        return Ok(([(CONTENT_TYPE, "application/json")], "{}").into_response());
    }
    let model = request["model"].clone();
    let events = reply(request).await.events(&model);
    Ok(([(CONTENT_TYPE, "text/event-stream")], events).into_response())
}

/// A number that no other id has.
fn unique() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
