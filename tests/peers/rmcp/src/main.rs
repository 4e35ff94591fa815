//! Four tools on rmcp, written as its documentation does: the yardstick of `tests/lab`.
//!
//! Nothing here is tuned, and nothing should be: what is measured is what a user of rmcp gets by
//! default.

use std::error::Error;
use std::time::Duration;

use rmcp::handler::server::wrapper::Parameters;
use rmcp::{ServiceExt, tool, tool_router, transport::stdio};

mod args;

use args::{Add, Echo, Search, SleepMs};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // As rmcp's examples on standard input do; where calls are timed there is no log.
    #[cfg(feature = "log")]
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .init();
    let service = Twin.serve(stdio()).await?;
    service.waiting().await?;
    Ok(())
}

#[derive(Clone)]
pub(crate) struct Twin;

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

    #[tool(description = "Sleep, then say ok.")]
    async fn sleep_ms(&self, Parameters(SleepMs { ms }): Parameters<SleepMs>) -> String {
        tokio::time::sleep(Duration::from_millis(ms)).await;
        "ok".to_owned()
    }

    #[tool(description = "Search with filters; says how many filters there were.")]
    fn search(&self, Parameters(search): Parameters<Search>) -> String {
        search.filters.unwrap_or_default().len().to_string()
    }
}
