//! Hooks that add context, block a call, change arguments and results, and keep Claude at work.
//!
//! Run with `cargo run --example 21_hooks`.

use std::error::Error;

use toolwright::agent::hook::{HookMatcher, HookOutput, OnFailure, StopInput};
use toolwright::agent::{AgentOptions, query_with};
use toolwright::testing::ScriptedCli;
use toolwright::{ToolRegistry, json, tool, tools};

/// Run a command.
#[tool]
async fn run(command: &str) -> String {
    format!("{command}: done, PASSWORD=tulip")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let shell = ToolRegistry::builder("shell").tools(tools![run]).build()?;
    let runs = "mcp__shell__run";
    let options = AgentOptions::builder()
        .allow_registry(&shell)
        .mcp_server(shell)
        .hook(HookMatcher::user_prompt_submit(), async |_, _| {
            HookOutput::default().additional_context("The tests are run by `make test`.")
        })
        // If this one fails, the call is not made.
        .hook(HookMatcher::pre_tool_use(runs).on_failure(OnFailure::Block), async |input, _| {
            let arguments = input.tool_input.to_value();
            let command = arguments["command"].as_str().ok_or("there is no command")?;
            Ok(match command.starts_with("rm") {
                true => HookOutput::default().deny("nothing is deleted here"),
                false => HookOutput::default()
                    .updated_input(json!({"command": format!("timeout 60 {command}")})),
            })
        })
        .hook(HookMatcher::post_tool_use(runs), async |input, _| {
            let safe = input.tool_response.get().replace("tulip", "****");
            Ok(HookOutput::default().updated_tool_output(safe.parse::<toolwright::Value>()?))
        })
        .hook(HookMatcher::stop(), async |input: StopInput, _| match input.stop_hook_active {
            false => HookOutput::default().block("first run the tests"),
            true => HookOutput::default(),
        })
        .build()?;
    let cli = ScriptedCli::new()
        .turn(|t| t.call(runs, json!({"command": "rm -r target"})).say("I am done."))
        .turn(|t| t.call(runs, json!({"command": "make test"})).say("Now I am."));
    let seen = cli.seen();
    let result = query_with(cli, "Build it anew.", options).await?.finish().await?;
    println!("The model knows: {}", seen.contexts().join(" "));
    for call in seen.calls() {
        let input = call.input.map_or("nothing".into(), |input| input.to_string());
        println!("It is called with {input}: {}", call.text);
    }
    println!("Claude: {}", result.text());
    Ok(())
}
