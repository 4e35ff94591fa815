//! Talks with Claude in several turns, adds a tool, changes the model, and interrupts a story.
//!
//! Run with `cargo run --example 10_conversation`.

use std::error::Error;

use toolwright::agent::{AgentClient, AgentOptions, Message};
use toolwright::testing::ScriptedCli;
use toolwright::{ToolRegistry, json, tool};

/// Roll a die.
#[tool]
async fn roll() -> u32 {
    4 // chosen by a fair roll
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let registry = ToolRegistry::builder("game").build()?;
    let options =
        AgentOptions::builder().mcp_server(&registry).allow_registry(&registry).build()?;
    let cli = ScriptedCli::new()
        .turn(|t| t.say("Hello. I have no dice yet."))
        .turn(|t| t.say("Rolling.").call("mcp__game__roll", json!({})).say_result())
        .turn(|t| t.say("Once upon a time there was a die that never stopped.").until_interrupted())
        .turn(|t| t.say("You are welcome."));
    let client = AgentClient::connect_with(cli, options).await?;

    say(&client, "Hello!").await?;
    registry.add(roll::tool())?; // The CLI is told, and the next turn can use it.
    client.set_model(Some("opus")).await?;
    say(&client, "Now you have a die. Roll it!").await?;
    say(&client, "Tell me a long story.").await?;
    say(&client, "Thank you.").await?;

    println!("\nThe CLI has ended: {}", client.close().await);
    Ok(())
}

async fn say(client: &AgentClient, prompt: &str) -> Result<(), Box<dyn Error>> {
    println!("\nYou     {prompt}");
    let mut turn = client.ask(prompt).await?;
    while let Some(message) = turn.next().await {
        match message? {
            Message::Assistant(m) => {
                m.text().lines().for_each(|line| println!("Claude  {line}"));
                if m.text().starts_with("Once upon a time") {
                    client.interrupt().await?;
                }
            }
            Message::Result(r) => {
                println!("        {}, {} turns", r.terminal_reason.unwrap_or_default(), r.num_turns)
            }
            _ => {}
        }
    }
    Ok(())
}
