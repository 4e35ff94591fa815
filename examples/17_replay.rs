//! Records a run to a file and replays it without a model: a test that shows what has changed.
//!
//! Run with `cargo run --example 17_replay`.

use std::error::Error;
use std::fs;

use toolwright::agent::{AgentOptions, Transport, query_with};
use toolwright::testing::{Recording, ScriptedCli};
use toolwright::{State, ToolRegistry, Value, json, tool, tools};

const PATH: &str = "target/17_replay.jsonl";

/// Get the price of a fruit.
#[tool(read_only)]
async fn price(fruit: &str, State(cents): State<u32>) -> String {
    format!("A {fruit} costs {cents} cents, says Jane Doe.")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // With `Process::new()` in place of the script, this records a run of the installed `claude`.
    let script = ScriptedCli::new()
        .turn(|t| t.call("mcp__shop__price", json!({"fruit": "pear"})).say_result());
    let recording = Recording::new(script, PATH).redact("Jane Doe");
    println!("The run: {}\n", run(recording, 70).await?);

    for line in fs::read_to_string(PATH)?.lines() {
        if line.contains("\"control_response\"") && line.contains("costs") {
            println!("Recorded: {}\n", line.parse::<Value>()?["sdk"]["response"]["response"]);
        }
    }

    let replay = ScriptedCli::replay(PATH)?;
    let seen = replay.seen();
    println!("The replay: {}\n", run(replay, 70).await?);
    // It has also sent all that it sent then.
    seen.expect_all_played();

    let changed = run(ScriptedCli::replay(PATH)?, 80).await;
    println!("With another price: {}", changed.expect_err("it does not differ"));
    Ok(())
}

/// The messages of a run.
async fn run(cli: impl Transport + 'static, cents: u32) -> Result<String, Box<dyn Error>> {
    let shop = ToolRegistry::builder("shop").tools(tools![price]).state(cents).build()?;
    let options = AgentOptions::builder().allow_registry(&shop).mcp_server(shop).build()?;
    let result = query_with(cli, "What does a pear cost?", options).await?.finish().await?;
    Ok(format!("{:?} after {} turns", result.text(), result.num_turns))
}
