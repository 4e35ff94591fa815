//! The macros as users use them: refused code and its messages, accepted code and its result.

#![allow(clippy::unwrap_used, reason = "a test says by panicking that it failed")]

mod arg;
mod diagnostics;
mod docs;
mod elsewhere;
mod lent;
mod lists;
mod made_by_macros;
mod names;
mod parameters;
mod passed;
mod prompts;
mod results;
mod secret;
mod settings;
mod state;
pub mod strict;
mod toolset;
mod ui;
mod values;

use std::pin::pin;
use std::sync::Weak;
use std::task::{Context, Poll, Waker};

use toolwright::mcp::protocol::Eras;
use toolwright::mcp::{Link, Outbox, Session, Speech, Started, Step};
use toolwright::{Host, Tool, ToolRegistry, ToolResult, Value};

/// Runs a future that never has to wait.
fn now<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it waits for something"),
    }
}

fn registry(tool: Tool) -> ToolRegistry {
    ToolRegistry::builder("test").eras(Eras::Legacy).tool(tool).build().unwrap()
}

fn result(tool: Tool, arguments: Value) -> ToolResult {
    let name = tool.name().to_owned();
    now(registry(tool).call(&name, arguments)).unwrap()
}

/// The text of a success.
fn text(tool: Tool, arguments: Value) -> String {
    let result = result(tool, arguments);
    assert!(!result.is_error, "{}", result.to_text());
    result.to_text()
}

/// The text of a failure.
fn error(tool: Tool, arguments: Value) -> String {
    let result = result(tool, arguments);
    assert!(result.is_error, "{}", result.to_text());
    result.to_text()
}

struct Nobody;

impl Link for Nobody {
    fn speak(&self, _: Speech<'_>) {}
}

/// The tool's entry in `tools/list`.
fn listed(tool: Tool) -> Value {
    let mut session = Session::new(&registry(tool), Host::InProcess, Weak::<Nobody>::new());
    let mut out = Outbox::new();
    let step = session.receive(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, &mut out);
    assert!(matches!(step, Step::Idle));
    let answer: Value = read(std::str::from_utf8(&out.take(Vec::new())).unwrap());
    answer["result"]["tools"][0].clone()
}

fn description(tool: Tool) -> String {
    listed(tool)["description"].as_str().unwrap_or_default().to_owned()
}

fn property(tool: Tool, name: &str) -> Value {
    read(tool.input_schema().get())["properties"][name].clone()
}

fn properties(tool: Tool) -> Vec<String> {
    read(tool.input_schema().get())["properties"].as_object().unwrap().keys().cloned().collect()
}

/// A user has no `serde_json`; a [`Value`] reads itself.
fn read(json: &str) -> Value {
    json.parse().unwrap()
}

/// The timeout of the call that `line` asks for.
fn timeout_of(registry: &ToolRegistry, line: &[u8]) -> Option<std::time::Duration> {
    let mut session = Session::new(registry, Host::InProcess, Weak::<Nobody>::new());
    match session.receive(line, &mut Outbox::new()) {
        Step::Call(call) => match call.start() {
            Started::Run(run) => run.timeout(),
            started => panic!("{started:?}"),
        },
        step => panic!("{step:?}"),
    }
}
