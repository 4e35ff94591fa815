//! MCP as a route of a web server, with layers of tower-http. Given an address it serves there. For
//! TLS put a proxy in front. In a container wait for SIGTERM too, and set `allowed_hosts`.

use std::{env, error::Error, time::Duration};

use axum::body::{Body, to_bytes};
use axum::http::{HeaderName, HeaderValue, Method, Request};
use axum::{Router, routing::get, serve::ListenerExt};
use toolwright::http::{Options, Service};
use toolwright::{ToolRegistry, tool, tools};
use tower::ServiceExt;
use tower_http::{cors::CorsLayer, trace::TraceLayer};

const APP: &str = "https://app.example.com";
const HEADERS: &str = "accept authorization content-type last-event-id mcp-method mcp-name \
    mcp-protocol-version mcp-session-id";
const CALL: &str = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": {"name": "add", "arguments": {"a": 2, "b": 40}}}"#;

#[tool(read_only)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_max_level(tracing_subscriber::filter::LevelFilter::DEBUG).init();
    let mut options = Options::default();
    options.allowed_origins.push(APP.into());
    let registry = ToolRegistry::builder("calc").tools(tools![add]).build()?;
    let service = Service::with(registry, options);
    let cors = CorsLayer::new()
        .allow_origin(HeaderValue::from_static(APP))
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers(HEADERS.split(' ').map(HeaderName::from_static).collect::<Vec<_>>())
        .expose_headers(["mcp-session-id", "www-authenticate"].map(HeaderName::from_static));
    let router = Router::new()
        .route_service("/mcp", service.clone())
        .route("/health", get(async || "well"))
        .layer(cors)
        .layer(TraceLayer::new_for_http());
    if let Some(address) = env::args().nth(1) {
        let listener = tokio::net::TcpListener::bind(address).await?;
        // Without it the end of an answer waits until the client has acknowledged its beginning.
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        let stop = async move {
            let _ = tokio::signal::ctrl_c().await;
            service.close(Duration::from_secs(5)).await; // ends streams too
        };
        return Ok(axum::serve(listener, router).with_graceful_shutdown(stop).await?);
    }
    let ask = |method| Request::builder().method(method).uri("/mcp").header("origin", APP);
    let call = ask("POST").header("host", "localhost").header("content-type", "application/json");
    for request in [ask("OPTIONS").body(Body::empty())?, call.body(Body::from(CALL))?] {
        let (head, body) = router.clone().oneshot(request).await?.into_parts();
        let body = to_bytes(body, 1024).await?;
        println!("{} {:?} {}", head.status, head.headers, String::from_utf8_lossy(&body));
    }
    Ok(())
}
