//! Two tools on rmcp's HTTP service: a yardstick of `tests/lab`.
//!
//! `rmcp-http example` is as rmcp's examples have it. `json` and `stream` are tuned: `TCP_NODELAY`
//! is on and there are no sessions; `json` answers with JSON where it can.

use std::error::Error;
use std::sync::Arc;

use axum::Router;
use axum::serve::ListenerExt;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::schemars::{self, JsonSchema};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{tool, tool_router};
use serde::Deserialize;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mode = std::env::args().nth(1).unwrap_or_default();
    let mut config = StreamableHttpServerConfig::default();
    let is_tuned = match mode.as_str() {
        "example" => false,
        "json" | "stream" => true,
        _ => return Err("usage: rmcp-http example|json|stream".into()),
    };
    if is_tuned {
        config.legacy_session_mode = false;
        config.json_response = mode == "json";
    }
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(|| Ok(Twin), sessions, config);
    let router = Router::new().nest_service("/mcp", service);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    if is_tuned {
        let listener = listener.tap_io(|stream| {
            // Without it the calls are slow, which the report shows.
            let _ = stream.set_nodelay(true);
        });
        axum::serve(listener, router).await?;
    } else {
        axum::serve(listener, router).await?;
    }
    Ok(())
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Add {
    pub(crate) a: f64,
    pub(crate) b: f64,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Echo {
    pub(crate) text: String,
}

#[derive(Clone)]
struct Twin;

#[tool_router(server_handler)]
impl Twin {
    #[tool(description = "Add two numbers.")]
    fn add(&self, Parameters(Add { a, b }): Parameters<Add>) -> String {
        (a + b).to_string()
    }

    #[tool(description = "Give the text back.")]
    fn echo(&self, Parameters(Echo { text }): Parameters<Echo>) -> String {
        text
    }
}
