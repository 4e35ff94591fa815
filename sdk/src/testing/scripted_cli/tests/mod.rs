//! The played CLI, through the real client.

mod agents;
mod calls;
mod commands;
mod content;
mod control;
mod elicitation;
mod endings;
mod expectations;
mod hooks;
mod matcher;
mod permissions;
mod questions;
mod replay;
mod requests;
mod script;
#[cfg(feature = "sessions")]
mod stored;
mod turns;

use std::time::Duration;

use serde_json::Value;

use crate::agent::message::ResultMessage;
use crate::agent::{AgentClient, AgentOptions, AgentOptionsBuilder, Message, Query, query_with};
use crate::testing::{Recorder, ScriptedCli};
use crate::{Content, Context, Image, Json, ToolRegistry, tool, tools};

/// Adds.
#[tool(read_only, crate = crate)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// Writes.
#[tool(crate = crate)]
async fn write(text: &str) -> String {
    format!("wrote {text}")
}

/// Fails.
#[tool(crate = crate)]
async fn fail() -> Result<(), String> {
    Err("it is broken".into())
}

/// Lists.
#[tool(read_only, crate = crate)]
async fn list() -> Json<Vec<u32>> {
    Json(vec![1, 2])
}

/// Draws.
#[tool(read_only, crate = crate)]
async fn draw() -> Vec<Content> {
    vec![Image::new(b"png", "image/png").into(), "a picture".into()]
}

/// Never ends by itself.
#[tool(read_only, crate = crate)]
async fn wait(cx: &Context) -> String {
    cx.cancelled().await;
    "cancelled".into()
}

fn registry() -> ToolRegistry {
    ToolRegistry::builder("calc").tools(tools![add, write, fail, list, draw, wait]).build().unwrap()
}

/// Options with the server, and all of its tools allowed.
fn allowed() -> AgentOptionsBuilder {
    AgentOptions::builder().mcp_server(registry()).allowed_tools(["mcp__calc__*"])
}

/// One prompt, to the end: what was seen, and the result.
async fn play(cli: ScriptedCli, options: AgentOptionsBuilder) -> (Recorder, ResultMessage) {
    let seen = cli.seen();
    let run = query_with(cli, "Go.", options.build().unwrap()).await.unwrap();
    (seen, last_result(run).await)
}

/// The last result, an error or not; the run must come to its end without another error.
async fn last_result(mut run: Query) -> ResultMessage {
    let mut last = None;
    let read = async {
        while let Some(message) = run.next().await {
            if let Message::Result(result) = message.unwrap() {
                last = Some(*result);
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(10), read).await.expect("the run does not end");
    last.expect("there is no result")
}

/// All messages of the turn at hand.
async fn response(client: &mut AgentClient) -> Vec<Message> {
    let mut messages = Vec::new();
    while let Some(message) = client.next_response().await {
        messages.push(message.unwrap());
    }
    messages
}

fn result(messages: &[Message]) -> &ResultMessage {
    match messages.last() {
        Some(Message::Result(result)) => result,
        other => panic!("no result but {other:?}"),
    }
}

/// The bodies of the CLI's control requests of one subtype.
fn asked(seen: &Recorder, subtype: &str) -> Vec<Value> {
    let requests = seen.said().into_iter().map(|mut line| line["request"].take());
    requests.filter(|request| request["subtype"] == subtype).collect()
}
