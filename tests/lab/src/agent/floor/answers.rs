//! Answers what the CLI asks, from the line to the answer in one loop.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::run::{INITIALIZE, PROMPT, Run};
use super::wire::{Allowed, Answer, Denied, HookOutput, Line, McpResponse, PreToolUse, Request};
use crate::agent::client::Client;
use crate::call::LEGACY_VERSION;
use crate::floor::tools::{Add, list};
use crate::floor::wire::{Request as JsonRpc, Response, ToolResult, write};

const LIMIT: Duration = Duration::from_secs(60);

/// Where the CLI learns of the in-process server, as it does of a client's.
const SERVER: [&str; 2] =
    ["--mcp-config", r#"{"mcpServers":{"calc":{"type":"sdk","name":"calc"}}}"#];

/// When answers are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Each as soon as it is there.
    EachAnswer,
    /// Those to all that one read has brought, with one call.
    EachRead,
}

/// Runs a scenario and gives the figures that a client prints.
pub fn answers(client: &Client, scenario: &str, when: When) -> Result<Value> {
    let server: &[&str] = if scenario.starts_with("calls") { &SERVER } else { &[] };
    let mut run = Run::start(client, scenario, server)?;
    let watchdog = run.watchdog(LIMIT);
    run.write(INITIALIZE)?;
    let mut floor = Floor::default();
    while floor.report.is_none() {
        run.fill()?;
        while let Some(line) = run.line() {
            floor.take(line)?;
            if when == When::EachAnswer {
                floor.send(&mut run)?;
            }
        }
        floor.send(&mut run)?;
    }
    drop(watchdog);
    run.end()?;
    let report: Value = serde_json::from_str(&floor.report.unwrap_or_default())?;
    Ok(json!({"ran": floor.ran, "report": report}))
}

#[derive(Default)]
struct Floor {
    out: Vec<u8>,
    /// How many times the tool, the hook or the decision ran.
    ran: u64,
    report: Option<String>,
}

impl Floor {
    fn send(&mut self, run: &mut Run) -> Result<()> {
        if !self.out.is_empty() {
            run.write(&self.out)?;
            self.out.clear();
        }
        Ok(())
    }

    fn take(&mut self, line: &[u8]) -> Result<()> {
        let line: Line = serde_json::from_str(str::from_utf8(line)?)?;
        match (&*line.r#type, line.request) {
            ("control_request", Some(request)) => self.answer(&line.request_id, &request)?,
            ("control_response", _) => self.out.extend_from_slice(PROMPT),
            ("result", _) => self.report = Some(line.result.into_owned()),
            _ => {}
        }
        Ok(())
    }

    fn answer(&mut self, id: &str, request: &Request) -> Result<()> {
        match (&*request.subtype, request.input, &request.message) {
            ("mcp_message", _, Some(message)) => self.message(id, message)?,
            ("hook_callback", Some(input), _) if request.callback_id == "hook_0" => {
                self.hook(id, input)?;
            }
            ("can_use_tool", Some(input), _) => {
                self.ran += 1;
                let allowed = Allowed { behavior: "allow", updated_input: input };
                write(&Answer::new(id, allowed), &mut self.out);
            }
            (subtype, ..) => bail!("an unexpected {subtype}"),
        }
        Ok(())
    }

    fn hook(&mut self, id: &str, input: &RawValue) -> Result<()> {
        let input: PreToolUse = serde_json::from_str(input.get())?;
        self.ran += 1;
        let denied = Denied {
            hook_event_name: &input.hook_event_name,
            permission_decision: "deny",
            permission_decision_reason: &input.tool_input.command,
        };
        write(&Answer::new(id, HookOutput { hook_specific_output: denied }), &mut self.out);
        Ok(())
    }

    fn message(&mut self, request: &str, message: &JsonRpc) -> Result<()> {
        let result = match (&*message.method, message.params.arguments) {
            ("tools/call", Some(arguments)) if message.params.name == "add" => {
                let Add { a, b } = serde_json::from_str(arguments.get())?;
                self.ran += 1;
                let id = message.id.context("a call without an id")?;
                let text = (a + b).to_string();
                let response = Response::new(id, ToolResult::text(&text, false));
                let answer = Answer::new(request, McpResponse { mcp_response: response });
                write(&answer, &mut self.out);
                return Ok(());
            }
            ("tools/list", _) => list(),
            ("initialize", _) => json!({
                "protocolVersion": LEGACY_VERSION,
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "floor", "version": "0.0.0"},
            }),
            _ => json!({}),
        };
        let id = message.id.unwrap_or(RawValue::NULL);
        let response = McpResponse { mcp_response: Response::new(id, result) };
        write(&Answer::new(request, response), &mut self.out);
        Ok(())
    }
}
