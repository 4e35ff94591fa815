//! Ours: a prompt, and a tool in this process.

use std::error::Error;

use toolwright::agent::{AgentOptions, Message, query};
use toolwright::{ToolRegistry, tool, tools};

/// Add two numbers.
#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let registry = ToolRegistry::builder("calc").tools(tools![add]).build()?;
    let options =
        AgentOptions::builder().mcp_server(registry).allowed_tools(["mcp__calc__add"]).build()?;
    let mut run = query("What is 2 + 40?", options).await?;
    while let Some(message) = run.next().await {
        if let Message::Assistant(message) = message? {
            println!("{}", message.text());
        }
    }
    Ok(())
}
