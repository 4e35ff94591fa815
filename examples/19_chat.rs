//! Chats at the terminal: answers appear as they are written, and Ctrl-C interrupts them.
//!
//! Run with `cargo run --example 19_chat`, or with `-- real` for the installed `claude`.

use std::error::Error;
use std::io::{Write, stdin, stdout};
use std::thread;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use toolwright::agent::transport::ProcessGroup;
use toolwright::agent::{AgentClient, AgentOptions, Message};
use toolwright::testing::ScriptedCli;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let options = AgentOptions::builder()
        .include_partial_messages(true)
        .process_group(ProcessGroup::Own) // Otherwise Ctrl-C would end the CLI, too.
        .build()?;
    let cli = ScriptedCli::new()
        .turn(|t| t.say("Hello! I know one story."))
        .turn(|t| t.say("Once upon a time there was a die that never stopped.").until_interrupted())
        .turn(|t| t.say("It did, in the end."));
    let client = match std::env::args().len() {
        1 => AgentClient::connect_with(cli, options).await?,
        _ => AgentClient::connect(options).await?,
    };
    let (sender, mut lines) = mpsc::unbounded_channel();
    thread::spawn(move || stdin().lines().map_while(Result::ok).try_for_each(|l| sender.send(l)));
    let mut ctrl_c = signal(SignalKind::interrupt())?;
    loop {
        show("> ")?;
        let line = tokio::select! {
            line = lines.recv() => line,
            _ = ctrl_c.recv() => None,
        };
        let Some(line) = line else { break };
        let mut turn = client.ask(line).await?;
        loop {
            tokio::select! {
                message = turn.next() => match message.transpose()? {
                    Some(Message::StreamEvent(piece)) => show(piece.text_delta().unwrap_or(""))?,
                    Some(_) => {}
                    None => break println!(),
                },
                _ = ctrl_c.recv() => drop(client.interrupt().await?),
            }
        }
    }
    println!("\nThe CLI has ended: {}", client.close().await);
    Ok(())
}

fn show(text: &str) -> std::io::Result<()> {
    print!("{text}");
    stdout().flush()
}
