//! Lets Claude use two functions of this program, and shows what happens.
//!
//! Run it with `cargo run --example quickstart`, where a script plays Claude. Add `-- --web` to
//! watch it in the browser, or `-- real` to run the `claude` program.

use std::{env, error::Error};
use toolwright::agent::view::{Terminal, serve};
use toolwright::agent::{AgentOptions, AgentOptionsBuilder, query, query_with};
use toolwright::testing::ScriptedCli;
use toolwright::{Context, ToolRegistry, json, tool, tools};

const PROMPT: &str = "How many words has \"a function is a tool\"? Add 37 to that.";
/// Add two numbers.
#[tool(read_only, idempotent)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// Count the words of a text.
#[tool(read_only)]
async fn count_words(text: &str, cx: &Context) -> usize {
    cx.progress(0.5, "splitting");
    text.split_whitespace().count()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let calc = ToolRegistry::builder("calc").tools(tools![add, count_words]).build()?;
    let options = AgentOptions::builder().allow_registry(&calc).mcp_server(calc);
    let cli = ScriptedCli::new().turn(|t| {
        t.say("I count first, and then I add.")
            .call("mcp__calc__count_words", json!({"text": "a function is a tool"}))
            .call("mcp__calc__add", json!({"a": 5, "b": 37}))
            .say_result()
    });
    let how = env::args().nth(1).unwrap_or_default();
    if how == "--web" {
        return in_the_browser(cli, options).await;
    }
    let mut terminal = Terminal::stdout();
    terminal.prompt(PROMPT)?;
    let options = terminal.attach(options).build()?;
    let run = match &*how {
        "real" => query(PROMPT, options).await.map_err(|error| error.to_string())?,
        _ => query_with(cli, PROMPT, options).await?,
    };
    terminal.watch(run).await?;
    println!("\nMore to see: cargo run --example quickstart -- real, or -- --web");
    Ok(())
}

async fn in_the_browser(cli: ScriptedCli, o: AgentOptionsBuilder) -> Result<(), Box<dyn Error>> {
    let mut page = serve(0).await?;
    println!("Watch it at {}, and end it with Ctrl-C", page.url());
    page.prompt(PROMPT);
    let run = query_with(cli, PROMPT, page.attach(o).build()?).await?;
    let handle = run.handle();
    page.watch(run, handle).await?;
    Ok(tokio::signal::ctrl_c().await?)
}
