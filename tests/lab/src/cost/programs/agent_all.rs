//! Ours: the same, shown at the terminal, and the list of stored sessions.

use std::error::Error;

use toolwright::agent::sessions::Sessions;
use toolwright::agent::view::Terminal;
use toolwright::agent::{AgentOptions, query};
use toolwright::{ToolRegistry, tool, tools};

/// Add two numbers.
#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let registry = ToolRegistry::builder("calc").tools(tools![add]).build()?;
    let options = AgentOptions::builder().mcp_server(registry).allowed_tools(["mcp__calc__add"]);
    let mut terminal = Terminal::stdout();
    let options = terminal.attach(options).build()?;
    terminal.watch(query("What is 2 + 40?", options).await?).await?;
    for session in Sessions::of_user()?.list_sessions(..)? {
        println!("{}", session.summary);
    }
    Ok(())
}
