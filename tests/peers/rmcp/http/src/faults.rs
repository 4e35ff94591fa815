//! The service of `rmcp-http example`, with the tools whose answers `docs/RELIABILITY.md` has
//! besides.

use std::error::Error;
use std::sync::Arc;

use axum::Router;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::schemars::{self, JsonSchema};
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::{tool, tool_router};
use serde::Deserialize;
use tokio::net::TcpListener;

#[path = "main.rs"]
#[expect(dead_code, reason = "it has a `main` of its own")]
mod twin;

use twin::{Add, Echo};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(|| Ok(Faults), sessions, Default::default());
    let router = Router::new().nest_service("/mcp", service);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, router).await?;
    Ok(())
}

#[derive(Deserialize, JsonSchema)]
struct Fail {
    message: String,
}

#[derive(Deserialize, JsonSchema)]
struct Region {
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
}

#[derive(Clone)]
struct Faults;

#[tool_router(server_handler)]
impl Faults {
    #[tool(description = "Add two numbers.")]
    fn add(&self, Parameters(Add { a, b }): Parameters<Add>) -> String {
        (a + b).to_string()
    }

    #[tool(description = "Give the text back.")]
    fn echo(&self, Parameters(Echo { text }): Parameters<Echo>) -> String {
        text
    }

    #[tool(description = "Fail with a message.")]
    fn fail(&self, Parameters(Fail { message }): Parameters<Fail>) -> Result<String, String> {
        Err(message)
    }

    #[tool(description = "Panic.")]
    fn panic(&self) -> String {
        panic!("a panic that this server was asked for");
    }

    #[tool(description = "A tool with a parameter that proxies may read.")]
    fn test_custom_header(&self, Parameters(Region { region }): Parameters<Region>) -> String {
        region
    }
}
