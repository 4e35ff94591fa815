//! The agent client with a CLI that does what no CLI should, and with users who do what no user
//! should. Nothing hangs, nothing is left running.

mod answers;
mod asleep;
mod bounds;
mod callbacks;
mod closing;
mod control;
mod dialogs;
mod dropping;
mod ending;
mod endless;
mod fake;
mod hosts;
mod idle;
mod judging;
mod large;
mod lines;
mod many;
mod over;
mod prompts;
mod queue;
mod runtimes;
mod start;
mod steering;
mod surroundings;
mod turn;
mod turns;

use std::future::Future;
use std::time::Duration;

use serde_json::{Value, json};
use toolwright::agent::message::ResultMessage;
use toolwright::agent::{AgentClient, Message, Query, RunError};

/// What never happens in a test that passes.
const TOO_LONG: Duration = Duration::from_secs(60);
/// A grace for those that use it up.
const SHORT: Duration = Duration::from_millis(100);

async fn within<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(TOO_LONG, future).await.expect("it takes too long")
}

/// What a run says until its end.
#[derive(Debug, Default)]
struct Heard {
    messages: Vec<Message>,
    error: Option<RunError>,
}

impl Heard {
    async fn of(run: &mut Query) -> Self {
        let mut heard = Self::default();
        while let Some(message) = within(run.next()).await {
            heard.push(message);
        }
        heard
    }

    async fn of_turn(client: &mut AgentClient) -> Self {
        let mut heard = Self::default();
        while let Some(message) = within(client.next_response()).await {
            heard.push(message);
        }
        heard
    }

    fn push(&mut self, message: Result<Message, RunError>) {
        assert!(self.error.is_none(), "an error is the last that is said: {message:?}");
        match message {
            Ok(message) => self.messages.push(message),
            Err(error) => self.error = Some(error),
        }
    }

    /// All that the model said.
    fn text(&self) -> String {
        let texts = self.messages.iter().filter_map(|message| match message {
            Message::Assistant(message) => Some(message.text()),
            _ => None,
        });
        texts.collect()
    }

    fn results(&self) -> Vec<&ResultMessage> {
        let results = self.messages.iter().filter_map(|message| match message {
            Message::Result(result) => Some(&**result),
            _ => None,
        });
        results.collect()
    }

    fn types(&self) -> Vec<&str> {
        self.messages.iter().map(Message::r#type).collect()
    }

    /// The message of a type that only the fake has.
    fn value(&self, kind: &str) -> Value {
        let message = self.messages.iter().find(|message| message.r#type() == kind);
        serde_json::from_str(message.unwrap_or_else(|| panic!("no {kind} in {self:?}")).raw())
            .unwrap()
    }

    /// What the fake has heard up to its report.
    fn report(&self) -> Report {
        Report::from(self.value("report"))
    }
}

/// What the client wrote.
#[derive(Debug)]
struct Report(Vec<Value>);

impl From<Value> for Report {
    fn from(report: Value) -> Self {
        Self(report["heard"].as_array().unwrap().clone())
    }
}

impl Report {
    /// The `response` objects of the answers to a request of the CLI's.
    fn answers(&self, id: &str) -> Vec<&Value> {
        let answers = self
            .0
            .iter()
            .filter(|line| line["type"] == "control_response")
            .map(|line| &line["response"]);
        answers.filter(|response| response["request_id"] == id).collect()
    }

    /// The one answer.
    fn answer(&self, id: &str) -> &Value {
        match self.answers(id).as_slice() {
            [answer] => answer,
            answers => panic!("{} answers to {id}: {answers:?}", answers.len()),
        }
    }

    fn of_type(&self, kind: &str) -> Vec<&Value> {
        self.0.iter().filter(|line| line["type"] == kind).collect()
    }
}

fn says(text: &str) -> Value {
    json!({"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}, "parent_tool_use_id": null})
}

fn result() -> Value {
    json!({"type": "result", "subtype": "success", "is_error": false, "result": "done", "num_turns": 1, "total_cost_usd": 0.0})
}

fn error_result() -> Value {
    json!({"type": "result", "subtype": "error_during_execution", "is_error": true, "errors": ["it broke"], "num_turns": 1})
}

fn state(state: &str) -> Value {
    json!({"type": "system", "subtype": "session_state_changed", "state": state, "sdk_host_only": true})
}

/// A call of a tool of an in-process server.
fn call(server: &str, id: u64, tool: &str, arguments: Value) -> Value {
    rpc(
        server,
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}),
    )
}

fn rpc(server: &str, message: Value) -> Value {
    json!({"subtype": "mcp_message", "server_name": server, "message": message})
}

fn can_use_tool(tool: &str, input: Value) -> Value {
    json!({"subtype": "can_use_tool", "tool_name": tool, "input": input, "tool_use_id": "toolu_1"})
}

/// The calling of the nth hook.
fn hook(n: usize) -> Value {
    json!({"subtype": "hook_callback", "callback_id": format!("hook_{n}"), "input": {"hook_event_name": "PreToolUse", "tool_name": "Bash"}})
}
