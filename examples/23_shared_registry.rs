//! Two agents share a registry and its state: what one of them posts begins a turn of the other.
//!
//! Run with `cargo run --example 23_shared_registry`.

use std::error::Error;

use tokio::sync::Mutex;
use toolwright::agent::{AgentClient, AgentOptions, Handle, Message, RunError};
use toolwright::testing::ScriptedCli;
use toolwright::{Context, ToolRegistry, json, toolset};

/// Those who have joined.
#[derive(Default)]
struct Board(Mutex<Vec<(String, Handle)>>);

#[toolset]
impl Board {
    /// Join the board under a name.
    #[tool]
    async fn join(&self, name: &str, cx: &Context) -> Result<(), &'static str> {
        let agent = cx.agent().ok_or("only agents of this program can join")?;
        self.0.lock().await.push((name.to_owned(), agent));
        Ok(())
    }

    /// Tell all others.
    #[tool]
    async fn post(&self, from: &str, text: &str) -> Result<(), RunError> {
        for (_, agent) in self.0.lock().await.iter().filter(|(name, _)| name != from) {
            agent.send(format!("{from}: {text}")).await?;
        }
        Ok(())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let board = ToolRegistry::builder("board").toolset(Board::default()).build()?;
    let options = AgentOptions::builder().allow_registry(&board).mcp_server(board).build()?;
    let (join, post) = ("mcp__board__join", "mcp__board__post");
    let writer = ScriptedCli::new()
        .turn(|t| t.call(join, json!({"name": "writer"})).say("I am the writer."))
        .turn(|t| t.call(post, json!({"from": "writer", "text": "Read it!"})).say("Posted."))
        .turn(|t| t.say("I mend it."));
    let reader = ScriptedCli::new()
        .turn(|t| t.call(join, json!({"name": "reader"})).say("I am the reader."))
        .turn(|t| t.call(post, json!({"from": "reader", "text": "A typo!"})).say("I found one."));
    let mut writer = AgentClient::connect_with(writer, options.clone()).await?;
    let mut reader = AgentClient::connect_with(reader, options).await?;
    for (agent, prompt) in [(&writer, "Join."), (&reader, "Join."), (&writer, "Write a page.")] {
        println!("{}", agent.ask(prompt).await?.finish().await?.text());
    }
    for agent in [&mut reader, &mut writer] {
        while let Some(message) = agent.next_response().await.transpose()? {
            let Message::Result(result) = message else { continue };
            println!("{}", result.text());
        }
    }
    Ok(())
}
