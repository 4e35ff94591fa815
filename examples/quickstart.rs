//! Lets Claude use two functions of this program, and shows what they say to each other.
//!
//! Run with `cargo run --example quickstart`: Claude is played by a script. Add `-- real` to run
//! the `claude` program that is installed.

use std::{env, error::Error};

use toolwright::agent::{AgentOptions, Message, Query, query, query_with};
use toolwright::testing::ScriptedCli;
use toolwright::{ToolRegistry, json, tool, tools};

/// Add two numbers.
#[tool(read_only, idempotent)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// Count the words of a text.
#[tool(read_only)]
async fn count_words(text: &str) -> usize {
    text.split_whitespace().count()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let registry = ToolRegistry::builder("calc").tools(tools![add, count_words]).build()?;
    let options = AgentOptions::builder().allow_registry(&registry).mcp_server(registry).build()?;
    let prompt = "How many words has \"a function is a tool\"? Add 37 to that.";
    println!("You     {prompt}");
    if env::args().nth(1).as_deref() == Some("real") {
        return show(query(prompt, options).await.map_err(|error| error.to_string())?).await;
    }
    let cli = ScriptedCli::new().turn(|t| {
        t.say("I count first, and then I add.")
            .call("mcp__calc__count_words", json!({"text": "a function is a tool"}))
            .call("mcp__calc__add", json!({"a": 5, "b": 37}))
            .say_result()
    });
    show(query_with(cli, prompt, options).await?).await?;
    println!("\nA script played Claude. The real one: cargo run --example quickstart -- real");
    Ok(())
}

async fn show(mut run: Query) -> Result<(), Box<dyn Error>> {
    while let Some(message) = run.next().await {
        match message? {
            Message::Assistant(m) => {
                m.tool_uses().for_each(|c| println!("        calls {} with {}", c.name, c.input));
                m.text().lines().for_each(|line| println!("Claude  {line}"));
            }
            Message::User(m) => m
                .tool_results()
                .for_each(|answer| println!("        gets  {}", answer.content.text())),
            Message::Result(r) if r.is_error => return Err(r.text().into()),
            Message::Result(r) => println!("\n{} turns, ${:.4}", r.num_turns, r.total_cost_usd),
            _ => {}
        }
    }
    Ok(())
}
