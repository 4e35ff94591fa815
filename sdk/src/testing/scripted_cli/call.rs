//! Tool calls, from the answer of the model to the result.
//!
//! The order is that of the real CLI: PreToolUse, permission, `tools/call`, PostToolUse or
//! PostToolUseFailure, and then the `user` message with the result, which a PostToolUse hook may
//! have replaced; PostToolBatch after all results of an answer. Consecutive read-only calls run at
//! the same time, and each result is sent when it is ready.

use serde_json::{Value, json};

use super::builtin::{ASK, EXIT_PLAN};
use super::cli::Cli;
use super::concurrent::all;
use super::content::{for_model, of_error, or_nothing, report};
use super::hook_calls::Notices;
use super::json::{merge, text};
use super::permissions::{Decision, REJECTED, ToolUse};
use super::recorder::PlayedCall;
use super::rules::{AGENT, canonical};
use super::turn_state::OpenCall;

/// What the model is told of a call whose hook has taken too long.
const LATE: &str = "PreToolUse hook did not respond before its timeout (host client may be \
    unreachable). The tool call was not executed; other configured hooks may not have completed.";

/// What the model is told that ends planning though it does not plan.
const NO_PLAN: &str = "You are not in plan mode. To enter plan mode, call the EnterPlanMode tool \
    first. If your plan was already approved, continue with implementation.";

/// What the model is told that was interrupted while tools ran, or whose subagent was.
pub(super) const INTERRUPTED: &str = "[Request interrupted by user for tool use]";

/// A tool call of the model.
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) input: Value,
}

/// The result for the model, and what the CLI reports of it.
struct Outcome {
    content: Value,
    is_error: bool,
    /// The `tool_use_result` of the message.
    own: Value,
    /// The input that the server was called with, if it was called.
    called_with: Option<Value>,
    /// The `tool_result_meta` of the message, without the id.
    report: Option<Value>,
    /// What hooks say of it.
    notices: Notices,
}

impl Cli {
    /// Runs the calls of one answer.
    pub(super) async fn run_calls(&self, calls: &[Call]) {
        self.with_turn(|turn| {
            (turn.speaker.in_tools, turn.speaker.blocks) = (true, 0);
            turn.speaker.open.extend(calls.iter().map(|call| OpenCall {
                id: call.id.clone(),
                name: call.name.clone(),
                called_with: None,
            }));
        });
        let mut results = Vec::new();
        let mut rest = calls;
        while let Some(first) = rest.first() {
            let together = match self.is_read_only(first) {
                true => rest.iter().take_while(|call| self.is_read_only(call)).count(),
                false => 1,
            };
            let (batch, others) = rest.split_at(together);
            results.extend(all(batch.iter().map(|call| Box::pin(self.run_call(call)) as _)).await);
            // After an interrupt or a deferred call the others are not run.
            if self.with_turn(|turn| turn.speaker.is_denied || turn.speaker.deferred.is_some())
                == Some(true)
            {
                return;
            }
            rest = others;
        }
        let results = calls.iter().zip(results).map(|(call, result)| {
            json!({
                "tool_name": call.name, "tool_input": call.input,
                "tool_use_id": call.id, "tool_response": result,
            })
        });
        let fields = json!({"tool_calls": results.collect::<Vec<_>>()});
        let outputs = self.hooks("PostToolBatch", "", fields, None).await;
        self.say_notices(outputs.notices("PostToolBatch"));
        self.with_turn(|turn| {
            turn.speaker.in_tools = false;
            turn.speaker.stopped |= outputs.stops() || outputs.blocked().is_some();
        });
    }

    fn is_read_only(&self, call: &Call) -> bool {
        self.find_tool(&call.name).is_some_and(|(_, tool)| tool.is_read_only)
    }

    /// Runs a call and returns the content of its result.
    async fn run_call(&self, call: &Call) -> Value {
        let Some(outcome) = self.outcome(call).await else { return Value::Null };
        let content = match outcome.is_error {
            true => outcome.content.clone(),
            false => or_nothing(outcome.content.clone(), &call.name),
        };
        let mut block = json!({"tool_use_id": call.id, "type": "tool_result", "content": content});
        if outcome.is_error {
            block["is_error"] = true.into();
        }
        let text = text(&content);
        if outcome.is_error && self.takes_output(&call.name) {
            self.with_turn(|turn| turn.refused_outputs.push(text.clone()));
        }
        self.recorder.call(PlayedCall {
            name: call.name.clone(),
            input: outcome.called_with,
            text: text.clone(),
            content,
            is_error: outcome.is_error,
        });
        self.with_turn(|turn| {
            turn.speaker.open.retain(|open| open.id != call.id);
            turn.speaker.tool_result = Some(text);
        });
        let mut others = json!({});
        // Of what a subagent calls only what fails.
        if self.agent().is_none() || outcome.is_error {
            others["tool_use_result"] = outcome.own;
        }
        if let Some(mut report) = outcome.report {
            report["id"] = call.id.as_str().into();
            others["tool_result_meta"] = json!([report]);
        }
        self.say_user(json!([block]), others);
        self.say_notices(outcome.notices);
        outcome.content
    }

    /// The outcome of a call; `None` if a hook defers it.
    async fn outcome(&self, call: &Call) -> Option<Outcome> {
        let name = canonical(&call.name);
        let found = self.find_tool(name);
        let mut builtins = self.setup.builtins.iter();
        let mut builtin =
            builtins.find(|(known, _)| canonical(known) == name).map(|(_, it)| it.clone());
        let is_agent = name == AGENT && builtin.is_none() && self.has_agents();
        let is_output = self.takes_output(name);
        if is_agent || is_output {
            builtin = Some(String::new());
        }
        let is_hidden = self.state().rules.hide(name);
        let is_off = builtin.is_some() && !is_output && (is_hidden || !self.may_offer(name));
        let is_missing = found.is_none() && (builtin.is_none() || is_hidden);
        if is_off || is_missing || self.keeps_from_agent(name) {
            let name = &call.name;
            let mut error = format!("Error: No such tool available: {name}");
            error += &self.loss_of_tool(name);
            if is_off {
                error += &format!(
                    ". {name} is disabled for this session, in subagents as well as here."
                );
            }
            return Some(Outcome::impossible(&error, error.clone()));
        }
        if builtin.is_some() && name == EXIT_PLAN && self.state().mode != "plan" {
            return Some(Outcome::impossible(NO_PLAN, format!("Error: {NO_PLAN}")));
        }
        let server = found.as_ref().map(|(server, _)| server.as_str());
        let tool = ToolUse { id: &call.id, name, input: &call.input, server };
        let fields = tool.hook_fields(&call.input);
        let hooks = self.hooks("PreToolUse", name, fields, Some(&call.id)).await;
        self.say_notices(hooks.notices(&format!("PreToolUse:{name}")));
        if hooks.are_late() {
            return Some(Outcome::error(LATE, format!("Error: {LATE}")));
        }
        if hooks.blocked().is_none() && hooks.decided("defer").is_some() {
            self.with_turn(|turn| {
                turn.speaker.deferred =
                    Some(json!({"id": call.id, "name": call.name, "input": call.input}))
            });
            return None;
        }
        let decision = self.decide(&tool, &hooks).await;
        // If others deny the call, the turn goes on.
        let is_made = matches!(decision, Decision::Allow { .. });
        if hooks.stops() && (is_made || hooks.blocked().is_some()) {
            self.with_turn(|turn| turn.speaker.stopped = true);
        }
        let (input, mut report) = match decision {
            Decision::Allow { input, report } => (input, json!({"permission_decision": report})),
            Decision::Deny { message, interrupts, report } => {
                self.with_turn(|turn| {
                    turn.denials.push(tool.denial());
                    turn.speaker.is_denied |= interrupts;
                });
                let own = match message == REJECTED {
                    true => "User rejected tool use".to_owned(),
                    false => format!("Error: {message}"),
                };
                // Of a subagent that the user ends it is not said.
                let report = Some(report).filter(|_| !interrupts || self.agent().is_none());
                return Some(Outcome { report, ..Outcome::error(&message, own) });
            }
        };
        if found.is_none() && name == ASK && !input["questions"].is_array() {
            return Some(Outcome::bad_input(name));
        }
        self.with_turn(|turn| turn.call_begins(&call.id, &input));
        let reply = match &found {
            Some((server, tool)) => self.call_tool(server, &tool.name, &call.id, &input).await,
            None if is_agent => self.start_agent(call, &input).await,
            None if is_output => self.take_output(&input),
            None => Ok(self.builtin_result(name, &input, builtin)),
        };
        let own = reply.as_ref().ok().and_then(|result| result.get("own")).cloned();
        let mut outcome = Outcome::of(reply, server.unwrap_or_default());
        // Only results of built-in tools have it.
        if let Some(own) = own.filter(|_| found.is_none()) {
            outcome.own = own;
        }
        if is_agent && outcome.content == INTERRUPTED {
            report["non_execution_kind"] = "interrupted".into();
        }
        let mut fields = tool.hook_fields(&input);
        fields["duration_ms"] = 0.into();
        let (event, result) = match outcome.is_error {
            true => {
                ("PostToolUseFailure", json!({"error": outcome.content, "is_interrupt": false}))
            }
            false => ("PostToolUse", json!({"tool_response": outcome.content})),
        };
        merge(&mut fields, result);
        let hooks = self.hooks(event, name, fields, Some(&call.id)).await;
        self.with_turn(|turn| turn.speaker.stopped |= hooks.stops());
        let of_mcp = hooks.specific("updatedMCPToolOutput").filter(|_| found.is_some());
        let updated = hooks.specific("updatedToolOutput").or(of_mcp);
        // Outputs of built-in tools are objects, and only an object takes the place of one.
        let updated = updated.filter(|output| found.is_some() || output.is_object());
        if let Some(output) = updated.filter(|_| !outcome.is_error) {
            outcome.content = match found {
                Some(_) => output.clone(),
                None => output.to_string().into(),
            };
            // Structured content and links stay beside it.
            match &mut outcome.own {
                own @ Value::Object(_) if found.is_some() => own["content"] = output.clone(),
                own => *own = output.clone(),
            }
        }
        outcome.called_with = Some(input);
        outcome.report = Some(report);
        outcome.notices = hooks.notices(&format!("{event}:{name}"));
        Some(outcome)
    }
}

impl Outcome {
    fn of(reply: Result<Value, String>, server: &str) -> Self {
        let result = match reply {
            Ok(result) => result,
            Err(error) => return Self::failure(&error),
        };
        if result["isError"] == true {
            return Self::failure(&of_error(&result["content"], server));
        }
        let content = for_model(&result, server);
        let own = report(&result, &content);
        Self::success(content, own)
    }

    fn success(content: Value, own: Value) -> Self {
        let notices = Notices::default();
        Self { content, is_error: false, own, called_with: None, report: None, notices }
    }

    /// The permission callback has changed the input of `AskUserQuestion` to one without questions.
    fn bad_input(tool: &str) -> Self {
        let content = format!(
            "The permission handler returned updatedInput for {tool} that failed \
             schema validation: {tool} failed due to the following issue:\nThe required parameter \
             `questions` is missing\nThis is a configuration issue in your canUseTool callback, \
             PermissionRequest hook, or permission-prompt tool — updatedInput must satisfy the \
             tool's input schema. The tool input from the model was valid."
        );
        let own = "InputValidationError: permission handler updatedInput failed schema for";
        let source = "permission_updated_input_invalid";
        let report = json!({"permission_decision": {"decision": "reject", "source": source}});
        Self { report: Some(report), ..Self::impossible(&content, format!("{own} {tool}")) }
    }

    /// The error of a call that the CLI itself cannot make.
    fn impossible(text: &str, own: String) -> Self {
        Self::error(&format!("<tool_use_error>{text}</tool_use_error>"), own)
    }

    /// A tool's error.
    fn failure(text: &str) -> Self {
        Self::error(text, format!("Error: {text}"))
    }

    fn error(text: &str, own: String) -> Self {
        Self { is_error: true, ..Self::success(text.into(), own.into()) }
    }
}
