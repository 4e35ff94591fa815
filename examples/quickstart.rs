//! Lets Claude use two functions of this program, and shows what happens.
//!
//! Run with `cargo run --example quickstart`: Claude is played by a script. Add `-- real` to run
//! the `claude` program that is installed.

use std::{env, error::Error};

use toolwright::agent::{AgentOptions, query, query_with, view::Terminal};
use toolwright::testing::ScriptedCli;
use toolwright::{Context, ToolRegistry, json, tool, tools};

/// Add two numbers.
#[tool(read_only, idempotent)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// Count the words of a text.
#[tool(read_only)]
async fn count_words(text: &str, cx: &Context) -> usize {
    let words = text.split_whitespace().count();
    cx.progress(1.0, format!("{words} words"));
    words
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let registry = ToolRegistry::builder("calc").tools(tools![add, count_words]).build()?;
    let mut terminal = Terminal::stdout();
    // What is not allowed here is asked for at the terminal.
    let options = AgentOptions::builder().allow_registry(&registry).mcp_server(registry);
    let options = terminal.attach(options).build()?;
    let prompt = "How many words has \"a function is a tool\"? Add 37 to that.";
    terminal.prompt(prompt)?;
    if env::args().nth(1).as_deref() == Some("real") {
        let run = query(prompt, options).await.map_err(|error| error.to_string())?;
        terminal.watch(run).await?;
        return Ok(());
    }
    let cli = ScriptedCli::new().turn(|t| {
        t.say("I count first, and then I add.")
            .call("mcp__calc__count_words", json!({"text": "a function is a tool"}))
            .call("mcp__calc__add", json!({"a": 5, "b": 37}))
            .say_result()
    });
    terminal.watch(query_with(cli, prompt, options).await?).await?;
    println!("\nA script played Claude. The real one: cargo run --example quickstart -- real");
    Ok(())
}
