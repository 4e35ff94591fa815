//! Ours over HTTP, without a command line.

use std::error::Error;

use tokio::net::TcpListener;
use toolwright::http::{Options, serve};
use toolwright::{ToolRegistry, tool, tools};

/// Add two numbers.
#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// Give the text back.
#[tool]
async fn echo(text: String) -> String {
    text
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let registry = ToolRegistry::builder("calc").tools(tools![add, echo]).build()?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    Ok(serve(listener, registry, Options::default()).await?)
}
