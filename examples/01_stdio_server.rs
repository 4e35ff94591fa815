//! Serves two functions as tools from a child process, over standard input and output, and shows
//! what a client and the server say to each other.
//!
//! Run with `cargo run --example 01_stdio_server`; add `-- raw` to see it as it goes over the wire.

use std::env;
use std::error::Error;
use std::process::{Command, ExitCode};

use toolwright::testing::{Direction, TestClient};
use toolwright::{ToolRegistry, Value, json, tool, tools};

/// Add two numbers.
#[tool(read_only, idempotent)]
async fn add(
    /// Left operand.
    a: f64,
    /// Right operand.
    b: f64,
) -> f64 {
    a + b
}

/// Count the words of a text.
#[tool(read_only)]
async fn count_words(
    /// Any text.
    text: &str,
) -> usize {
    text.split_whitespace().count()
}

fn main() -> ExitCode {
    // The child is this same program; what makes it a server is one line.
    if env::args().nth(1).as_deref() == Some("serve") {
        return toolwright_stdio::main(|| {
            ToolRegistry::builder("calc").tools(tools![add, count_words]).build()
        });
    }
    match converse() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn converse() -> Result<(), Box<dyn Error>> {
    let raw = env::args().nth(1).as_deref() == Some("raw");
    println!("Two functions, served as tools by a process of their own.");
    let mut client = TestClient::spawn(Command::new(env::current_exe()?).arg("serve"))?;
    client = client.watch(if raw { show_raw } else { show });

    client.initialize()?;
    client.list_tools()?;
    client.call_tool("add", json!({"a": 2, "b": 40}))?;
    client.call_tool("count_words", json!({"text": "a function is a tool"}))?;
    // Wrong arguments come back as an answer that a model can repair.
    client.call_tool("add", json!({"a": "two", "c": 40}))?;

    println!(
        "\nThe server ended with {}. The same again as it goes over the wire: add `-- raw`.",
        client.close()?
    );
    Ok(())
}

fn show_raw(direction: Direction, line: &str) {
    println!("{} {line}", if direction == Direction::ToServer { "\n→" } else { "←" });
}

/// What a message says, without its envelope.
fn show(direction: Direction, line: &str) {
    let message: Value = line.parse().unwrap_or_default();
    if direction == Direction::ToServer {
        let params = &message["params"];
        return match message["method"].as_str().unwrap_or_default() {
            "tools/call" => println!(
                "\n→ tools/call {} {}",
                params["name"].as_str().unwrap_or_default(),
                params["arguments"]
            ),
            method if method.starts_with("notifications/") => println!("→ {method}"),
            method => println!("\n→ {method}"),
        };
    }
    let result = &message["result"];
    if let Some(server) = result.get("serverInfo") {
        return println!(
            "← {} {}, MCP {}",
            server["name"], server["version"], result["protocolVersion"]
        );
    }
    for tool in result["tools"].as_array().into_iter().flatten() {
        let arguments = tool["inputSchema"]["properties"].as_object().into_iter().flatten();
        let arguments: Vec<_> = arguments
            .map(|(name, schema)| format!("{name}: {}", schema["type"].as_str().unwrap_or("any")))
            .collect();
        println!(
            "← {}({}) {}",
            tool["name"].as_str().unwrap_or_default(),
            arguments.join(", "),
            tool["description"]
        );
    }
    for content in result["content"].as_array().into_iter().flatten() {
        let mark = if result["isError"] == true { "error: " } else { "" };
        println!("← {mark}{}", content["text"].as_str().unwrap_or_default().replace('\n', "\n  "));
    }
}
