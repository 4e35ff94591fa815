//! The `tracing` spans of a run, its turns, the model's tool calls, and callbacks.
//!
//! The driver opens those of the run, its turns and its calls. A callback has its own, which goes
//! where the callback goes. None is opened, entered or dropped under a lock.

use std::borrow::Cow;
use std::collections::HashMap;

use tracing::field::Empty;
use tracing::{Level, Span, info_span};

use super::error::RunError;
use super::message::Peek;
use super::options::AgentOptions;
use crate::scan;
use crate::spans::{execute_tool, fail};

/// Tool calls without a result of which the spans stay open; the CLI sends a result for each.
const MOST_CALLS: usize = 1024;

/// The spans that are open in a run.
pub(crate) struct Trace {
    run: Span,
    turn: Option<Span>,
    /// By the ids of the calls.
    calls: HashMap<String, Call>,
    tokens: [u64; 2],
}

/// A tool call without a result.
struct Call {
    span: Span,
    /// The call whose agent makes it in the background, or has begun the one that does.
    background: Option<String>,
}

impl Trace {
    /// The span of a run is its own; the span that is current is its parent.
    pub(crate) fn of(options: &AgentOptions) -> Self {
        let agent = options.model.agent.as_deref().unwrap_or("claude");
        let run = info_span!(
            "invoke_agent",
            otel.name = format!("invoke_agent {agent}"),
            otel.kind = "client",
            otel.status_code = Empty,
            gen_ai.operation.name = "invoke_agent",
            gen_ai.provider.name = "anthropic",
            gen_ai.agent.name = agent,
            gen_ai.request.model = options.model.model.as_deref(),
            gen_ai.conversation.id = Empty,
            gen_ai.usage.input_tokens = Empty,
            gen_ai.usage.output_tokens = Empty,
            "error.type" = Empty,
        );
        Self { run, turn: None, calls: HashMap::new(), tokens: [0; 2] }
    }

    pub(crate) fn run(&self) -> &Span {
        &self.run
    }

    /// Whether tool calls have to be found in what the model says.
    pub(crate) fn is_on(&self) -> bool {
        !self.run.is_disabled()
    }

    /// Takes note of a message.
    pub(crate) fn note(&mut self, peek: &Peek<'_>, line: &str) {
        if !self.is_on() {
            return;
        }
        match peek {
            Peek::Result { is_error } => self.end_turn(line, *is_error),
            Peek::Work => {
                let run = &self.run;
                self.turn.get_or_insert_with(|| turn(run));
                self.take_calls(line);
            }
            Peek::Other => self.take_calls(line),
            Peek::TaskEnded { .. } => self.end_agent(line),
            _ => {}
        }
    }

    /// The run has ended.
    pub(crate) fn end(mut self, error: Option<&RunError>) {
        self.calls.clear();
        if let Some(error) = error {
            fail(&self.run, error.kind());
        }
    }

    fn end_turn(&mut self, line: &str, is_error: bool) {
        self.calls.retain(|_, call| call.background.is_some());
        let span = self.turn.take().unwrap_or_else(|| turn(&self.run));
        let usage = scan::member(line, "usage").unwrap_or_default();
        let tokens = |name| scan::member(usage, name).and_then(|it| it.parse().ok()).unwrap_or(0);
        let cached = [tokens("cache_read_input_tokens"), tokens("cache_creation_input_tokens")];
        let input =
            cached.iter().fold(tokens("input_tokens"), |sum: u64, it| sum.saturating_add(*it));
        let used = [input, tokens("output_tokens")];
        for (sum, used) in self.tokens.iter_mut().zip(used) {
            *sum = sum.saturating_add(used);
        }
        let session = scan::text(line, "session_id");
        for (span, [input, output]) in [(&span, used), (&self.run, self.tokens)] {
            span.record("gen_ai.usage.input_tokens", input);
            span.record("gen_ai.usage.output_tokens", output);
            if let Some(id) = &session {
                span.record("gen_ai.conversation.id", &**id);
            }
        }
        if is_error {
            // The failure of an API is a `success` of the CLI's.
            let kinds = ["subtype", "terminal_reason"].map(|name| scan::text(line, name));
            let kind = kinds.iter().filter_map(Option::as_deref).find(|it| *it != "success");
            fail(&span, kind.unwrap_or("error"));
        }
    }

    /// Opens the spans of the calls of a message, and closes those whose results it has.
    fn take_calls(&mut self, line: &str) {
        if !line.contains("\"tool_use\"") && !line.contains("\"tool_result\"") {
            return;
        }
        let kind = scan::text(line, "type").unwrap_or_default();
        let background = self.background(scan::text(line, "parent_tool_use_id"));
        let content = scan::member(line, "message").and_then(|it| scan::member(it, "content"));
        let Some(Ok(blocks)) = content.map(scan::elements) else { return };
        for block in blocks {
            let text = |name| scan::text(block, name).unwrap_or_default();
            match (&*kind, &*text("type")) {
                ("assistant", "tool_use") => {
                    // A span that is open keeps its parent open, and the turn may end before.
                    let turn = self.turn.as_ref().filter(|_| background.is_none());
                    let (parent, name, id) = (turn.unwrap_or(&self.run), text("name"), text("id"));
                    let span = execute_tool!(&*name, in parent, gen_ai.tool.call.id = &*id);
                    if self.calls.len() < MOST_CALLS {
                        let background = background.clone();
                        self.calls.insert(id.into_owned(), Call { span, background });
                    }
                }
                ("user", "tool_result") => {
                    let call = self.calls.remove(&*text("tool_use_id"));
                    let has_failed = scan::member(block, "is_error") == Some("true");
                    if let Some(call) = call.filter(|_| has_failed) {
                        fail(&call.span, "tool_error");
                    }
                }
                _ => {}
            }
        }
    }

    /// The [`background`](Call::background) of what the agent of a call does. A call that has its
    /// result, while its agent goes on, has put that into the background.
    fn background(&self, agent: Option<Cow<'_, str>>) -> Option<String> {
        let agent = agent?;
        match self.calls.get(&*agent) {
            Some(call) => call.background.clone(),
            None => Some(agent.into_owned()),
        }
    }

    /// A task has ended, and makes no more calls.
    fn end_agent(&mut self, line: &str) {
        if let Some(agent) = scan::text(line, "tool_use_id") {
            self.calls.retain(|_, call| call.background.as_deref() != Some(&*agent));
        }
    }
}

/// The span of a callback for this request of the CLI's, a JSON text.
pub(crate) fn callback(name: &'static str, request: &str, tool_use_id: Option<&str>) -> Span {
    if !tracing::level_enabled!(Level::INFO) {
        return Span::none();
    }
    let id = scan::text(request, "tool_use_id");
    let (event, tool) = (scan::text(request, "hook_event_name"), scan::text(request, "tool_name"));
    let what = event.as_deref().or(tool.as_deref()).unwrap_or_default();
    info_span!(
        "callback",
        otel.name = format!("{name} {what}").trim_end(),
        otel.kind = "internal",
        otel.status_code = Empty,
        toolwright.callback = name,
        claude.hook.event = event.as_deref(),
        gen_ai.tool.name = tool.as_deref(),
        gen_ai.tool.call.id = tool_use_id.or(id.as_deref()),
        claude.permission.behavior = Empty,
        "error.type" = Empty,
    )
}

/// Notes what a callback for permissions has decided; `response` is its JSON text.
pub(crate) fn note_decision(span: &Span, response: &str) {
    if !span.is_disabled()
        && let Some(behavior) = scan::text(response, "behavior")
        && matches!(&*behavior, "allow" | "deny")
    {
        span.record("claude.permission.behavior", &*behavior);
    }
}

fn turn(run: &Span) -> Span {
    info_span!(
        parent: run,
        "turn",
        otel.kind = "internal",
        otel.status_code = Empty,
        gen_ai.conversation.id = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        "error.type" = Empty,
    )
}

#[cfg(test)]
mod tests;
