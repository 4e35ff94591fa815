use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use anyhow::Result;
use serde_json::Value;

use crate::model::{self, Reply};

/// What each turn ends with.
pub const ANSWER: &str = "It is 5.";

/// A model that calls the tool `add` once in each turn, and then answers.
pub struct Model {
    /// What it did, in order.
    pub events: Receiver<Event>,
    server: model::Model,
}

pub enum Event {
    /// It has answered, which ends a turn.
    Answered,
    /// It was asked for something that does not belong to a turn.
    Misled(String),
}

impl Model {
    /// It waits for `delay` before each of its two responses.
    pub fn start(delay: Duration) -> Result<Self> {
        let (sender, events) = channel();
        let server = model::Model::start(move |request| {
            let sender = sender.clone();
            async move {
                tokio::time::sleep(delay).await;
                reply(&request, &sender)
            }
        })?;
        Ok(Self { events, server })
    }

    /// Makes the CLI of a worker use this model.
    pub fn lead(&self, worker: &mut Command) {
        self.server.lead(worker);
    }
}

fn reply(request: &Value, events: &Sender<Event>) -> Reply {
    // The lab may have ended meanwhile, and then nobody wants to know.
    let tell = |event| drop(events.send(event));
    let tools = request["tools"].as_array().into_iter().flatten();
    let add = tools.filter_map(|tool| tool["name"].as_str()).find(|name| name.ends_with("__add"));
    match (result(request), add) {
        (Some(result), _) => {
            if !is_five(result) {
                tell(Event::Misled(format!("the tool gave {result}")));
            }
            tell(Event::Answered);
            Reply::text(ANSWER)
        }
        (None, Some(add)) => Reply::call(add, "{\"a\":2,\"b\":3}"),
        (None, None) => {
            tell(Event::Misled("there was no tool to call".to_owned()));
            Reply::text(ANSWER)
        }
    }
}

/// The result of the tool, if that is what the request brings.
fn result(request: &Value) -> Option<&Value> {
    let blocks = request["messages"].as_array()?.last()?["content"].as_array()?;
    blocks.iter().find(|block| block["type"] == "tool_result")
}

/// The CLI gives a result as a string or as blocks.
fn is_five(result: &Value) -> bool {
    let content = &result["content"];
    result["is_error"] != true && (content == "5" || content[0]["text"] == "5")
}
