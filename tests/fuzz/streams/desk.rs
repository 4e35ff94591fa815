//! The tool, which does what the test tells it.

use std::collections::HashMap;
use std::future::pending;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use toolwright::{AskError, Context, Tool};

pub(super) enum Command {
    Say(String),
    Ask(String),
    End(String),
}

/// The commands for calls that have not begun, by their numbers.
#[derive(Clone, Default)]
pub(super) struct Desk(Arc<Mutex<HashMap<u64, UnboundedReceiver<Command>>>>);

impl Desk {
    pub(super) fn add(&self, call: u64) -> UnboundedSender<Command> {
        let (sender, receiver) = unbounded_channel();
        self.0.lock().unwrap().insert(call, receiver);
        sender
    }

    pub(super) fn tool(&self) -> Tool {
        let desk = self.clone();
        Tool::new("obey", "", json!({"type": "object"}), move |arguments: Value, cx: Context| {
            let call = arguments["call"].as_u64().unwrap();
            let commands = desk.0.lock().unwrap().remove(&call).unwrap();
            obey(commands, cx)
        })
    }
}

async fn obey(mut commands: UnboundedReceiver<Command>, cx: Context) -> Result<String, AskError> {
    let mut said = 0;
    let mut say = |text: &str| {
        said += 1;
        cx.progress(f64::from(said) / 1e9, text);
    };
    while let Some(command) = commands.recv().await {
        match command {
            Command::Say(text) => say(&text),
            Command::Ask(text) => {
                let sure = cx.confirm(&text).await?;
                say(&format!("{text}: {sure}"));
            }
            Command::End(text) => return Ok(text),
        }
    }
    pending().await
}
