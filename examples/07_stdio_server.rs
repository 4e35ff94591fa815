//! An MCP server on standard input and output, and what a client and the server say to each other.
//!
//! Run with `cargo run --example 07_stdio_server -- watch`. Without arguments it serves, as every
//! server program does; with `watch` it is a client of itself.

use std::process::{Command, ExitCode};
use std::{env, io};

use toolwright::testing::{Direction, TestClient};
use toolwright::{BuildError, Context, ToolRegistry, json, tool, tools};
use toolwright_stdio::Options;

/// Greet the client.
#[tool(read_only)]
async fn greet(cx: &Context) -> String {
    format!("Hello, {}!", cx.client().map_or("stranger", |client| &client.name))
}

fn registry() -> Result<ToolRegistry, BuildError> {
    ToolRegistry::builder("greeter")
        .version(env!("CARGO_PKG_VERSION"))
        .instructions("Be polite.")
        .tools(tools![greet])
        .build()
}

fn main() -> ExitCode {
    if env::args().nth(1).as_deref() != Some("watch") {
        let mut options = Options::default();
        options.limits.max_running = 16;
        return toolwright_stdio::main_with(options, registry);
    }
    match watch() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn watch() -> io::Result<()> {
    let client = TestClient::spawn(&mut Command::new(env::current_exe()?))?;
    let mut client = client.watch(|direction, line| match direction {
        Direction::ToServer => println!("\n→ {line}"),
        Direction::ToClient => println!("← {line}"),
    });
    client.initialize()?;
    client.list_tools()?;
    client.call_tool("greet", json!({}))?;
    println!("\nThe server has ended: {}", client.close()?);
    Ok(())
}
