//! Decides what Claude may do: reading is allowed, all else is asked for, and hooks watch the
//! calls.
//!
//! Run with `cargo run --example 09_agent`.

use std::error::Error;

use toolwright::agent::hook::{PostToolUseInput, PreToolUseInput};
use toolwright::agent::{AgentOptions, HookMatcher, HookOutput, query_with};
use toolwright::agent::{Permission, PermissionPolicy, PermissionRequest};
use toolwright::testing::ScriptedCli;
use toolwright::{ToolRegistry, json, tool, tools};

/// Read a note.
#[tool(read_only)]
async fn read(title: &str) -> String {
    format!("{title}: buy milk")
}

/// Delete a note.
#[tool(destructive)]
async fn delete(title: &str) -> String {
    format!("{title} is gone")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let registry = ToolRegistry::builder("notes").tools(tools![read, delete]).build()?;
    let ask = |request: PermissionRequest| async move {
        let may = request.input.to_value()["title"] == "shopping";
        println!("  may it? {}", if may { "yes" } else { "no" });
        if may { Permission::allow() } else { Permission::deny("only the shopping list may go") }
    };
    let before = |input: PreToolUseInput, _| async move {
        println!("{} {}", input.tool_name, input.tool_input);
        HookOutput::default()
    };
    let after = |input: PostToolUseInput, _| async move {
        println!("  {}", input.tool_response.to_value()[0]["text"]);
        HookOutput::default()
    };
    let options = AgentOptions::builder()
        .permission_policy(PermissionPolicy::from_annotations(&registry).or_ask(ask))
        .mcp_server(registry)
        .hook(HookMatcher::pre_tool_use("mcp__notes__.*"), before)
        .hook(HookMatcher::post_tool_use("mcp__notes__.*"), after)
        .build()?;
    let cli = ScriptedCli::new().turn(|t| {
        t.call("mcp__notes__read", json!({"title": "shopping"}))
            .call("mcp__notes__delete", json!({"title": "shopping"}))
            .call("mcp__notes__delete", json!({"title": "taxes"}))
            .say("Done, as far as I may.")
    });
    let result = query_with(cli, "Tidy up my notes.", options).await?.finish().await?;
    println!("Claude: {}", result.text());
    for denial in &result.permission_denials {
        println!("Denied: {} {}", denial.tool_name, denial.tool_input);
    }
    Ok(())
}
