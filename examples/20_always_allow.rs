//! Asks at the terminal what Claude may do: yes, no, or always for the rest of the session.
//!
//! Run with `cargo run --example 20_always_allow`.

use std::error::Error;
use std::sync::Arc;

use tokio::io::{AsyncBufReadExt, BufReader, Lines, Stdin, stdin};
use tokio::sync::Mutex;
use toolwright::agent::{AgentOptions, Permission, PermissionRequest, query_with};
use toolwright::testing::ScriptedCli;
use toolwright::{ToolRegistry, json, tool, tools};

/// Send a mail.
#[tool]
async fn send(to: &str, text: &str) -> String {
    println!("  {to} gets {text:?}");
    "sent".into()
}

type Answers = Arc<Mutex<Lines<BufReader<Stdin>>>>;

/// Requests that come at once are asked about one after the other.
async fn ask(answers: Answers, request: PermissionRequest) -> std::io::Result<Permission> {
    let mut answers = answers.lock().await;
    println!("May {} be called with {}? [y]es, [n]o, [a]lways", request.tool_name, request.input);
    Ok(match answers.next_line().await?.as_deref() {
        Some("y") => Permission::allow(),
        Some("a") => request.allow_for_session(),
        _ => Permission::deny("the user does not want this mail to be sent"),
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mail = ToolRegistry::builder("mail").tools(tools![send]).build()?;
    let answers: Answers = Arc::new(Mutex::new(BufReader::new(stdin()).lines()));
    let options = AgentOptions::builder()
        .mcp_server(mail)
        .can_use_tool(async move |request| Ok(ask(answers, request).await?))
        .build()?;
    let mail = |to: &str| ("mcp__mail__send", json!({"to": to, "text": "Lunch?"}));
    let cli = ScriptedCli::new()
        .turn(|t| t.call_all(["Ann", "Bob", "Cem", "Dee"].map(mail)).say("That is all."));
    let result = query_with(cli, "Ask everybody to lunch.", options).await?.finish().await?;
    println!("Claude: {}", result.text());
    println!("Denied: {}", result.permission_denials.len());
    Ok(())
}
