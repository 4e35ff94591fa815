//! Defines subagents, and tells their messages from those of the main conversation.
//!
//! Run with `cargo run --example 22_subagents`, or with `-- real` for the installed `claude`.

use std::error::Error;

use toolwright::agent::options::AgentDefinition;
use toolwright::agent::{AgentOptions, Message, query, query_with};
use toolwright::testing::ScriptedCli;
use toolwright::{ToolRegistry, tool, tools};

/// What the `claude` program has said in such a run.
const RECORDING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/22_subagents.jsonl");
const PROMPT: &str = "Let the menu be priced, and then checked for allergens.";

/// Look up a dish.
#[tool(read_only)]
async fn dish(name: &str) -> String {
    format!("{name}: 9 euros, contains nuts")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let menu = ToolRegistry::builder("menu").tools(tools![dish]).build()?;
    let pricer = AgentDefinition::new("Prices menus.", "You price menus. Be brief.")
        .tools(["mcp__menu__dish"])
        .model("haiku");
    let checker = AgentDefinition::new("Checks menus.", "You look for allergens. Be brief.")
        .tools(["mcp__menu__dish"]);
    let options = AgentOptions::builder()
        .tools(["Agent"]) // Of the built-in tools, only the one that starts a subagent.
        .allow_registry(&menu)
        .mcp_server(menu)
        .agents([("pricer", pricer), ("checker", checker)])
        .forward_subagent_text(true)
        .build()?;
    let mut run = match std::env::args().nth(1).as_deref() {
        Some("real") => query(PROMPT, options).await?,
        _ => query_with(ScriptedCli::replay(RECORDING)?, PROMPT, options).await?,
    };
    while let Some(message) = run.next().await {
        match message? {
            Message::Assistant(message) => {
                // The call of the main conversation that has started the subagent.
                let who = match &message.parent_tool_use_id {
                    Some(_) => message.subagent_type.as_deref().unwrap_or("a subagent"),
                    None => "main",
                };
                message.text().lines().for_each(|line| println!("{who:8} {line}"));
                message
                    .tool_uses()
                    .for_each(|call| println!("{who:8} {} {}", call.name, call.input));
            }
            Message::Result(result) => println!("{:.4} dollars in all", result.total_cost_usd),
            _ => {}
        }
    }
    Ok(())
}
