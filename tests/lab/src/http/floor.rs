//! `add` behind axum by hand: what an HTTP server costs that has no library for MCP.
//!
//! It decodes the call with serde and looks at one header. The README lists what it leaves out.

use std::convert::Infallible;
use std::future::ready;

use anyhow::Result;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::serve::ListenerExt;
use futures_util::stream::once;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::floor::tools::Add;
use crate::floor::wire;

pub fn serve() -> Result<()> {
    Runtime::new()?.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        eprintln!("listening on http://{}/mcp", listener.local_addr()?);
        let listener = listener.tap_io(|stream| {
            // Without it the calls are slow, which the report shows.
            let _ = stream.set_nodelay(true);
        });
        Ok(axum::serve(listener, Router::new().route("/mcp", post(answer))).await?)
    })
}

async fn answer(headers: HeaderMap, body: Bytes) -> Response {
    let Some(message) = call(&body) else { return StatusCode::BAD_REQUEST.into_response() };
    let streams = headers.get(ACCEPT).is_some_and(|accept| accept == "text/event-stream");
    if !streams {
        return ([(CONTENT_TYPE, "application/json")], message).into_response();
    }
    let mut event = Vec::with_capacity(message.len() + 8);
    event.extend_from_slice(b"data: ");
    event.extend_from_slice(&message);
    event.extend_from_slice(b"\n\n");
    let events = Body::from_stream(once(ready(Ok::<_, Infallible>(Bytes::from(event)))));
    ([(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-cache")], events).into_response()
}

/// The answer to a call of `add`.
fn call(body: &[u8]) -> Option<Vec<u8>> {
    let request: wire::Request = serde_json::from_slice(body).ok()?;
    if request.method != "tools/call" || request.params.name != "add" {
        return None;
    }
    let Add { a, b } = serde_json::from_str(request.params.arguments?.get()).ok()?;
    let sum = (a + b).to_string();
    let result = wire::ToolResult::text(&sum, false);
    serde_json::to_vec(&wire::Response::new(request.id?, result)).ok()
}
