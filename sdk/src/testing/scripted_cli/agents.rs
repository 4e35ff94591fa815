//! Subagents, which run in the place of a call of the tool `Agent`.
//!
//! The real CLI also reports the progress of a subagent, and frames its report with notices for the
//! model.

use std::future::Future;
use std::pin::Pin;

use serde_json::{Value, json};

use super::call::{Call, INTERRUPTED};
use super::cli::Cli;
use super::json::{list, str};
use super::result::End;
use super::rules::fits;
use super::turn::Turn;
use super::turn_state::{Agent, TurnState};

/// The subagents of the real CLI.
const KINDS: [&str; 4] = ["claude", "Explore", "general-purpose", "Plan"];

const EXHAUSTED: &str = "The script of the CLI has no more turns for subagents";

impl Cli {
    /// Runs the next subagent of the script.
    ///
    /// # Errors
    ///
    /// There is none of this kind, the script has no turn for it, or it was interrupted.
    pub(super) async fn start_agent(&self, call: &Call, input: &Value) -> Result<Value, String> {
        if let Some(error) = self.unknown_agent(input) {
            return Err(error);
        }
        let turn = self.next_agent_turn().ok_or(EXHAUSTED)?;
        self.run_agent(call, input, turn).await
    }

    /// Whether the model can start subagents: the script or the options have some.
    pub(super) fn has_agents(&self) -> bool {
        let state = self.state();
        state.has_agents || state.definitions.as_object().is_some_and(|all| !all.is_empty())
    }

    /// Takes the next turn of the script for subagents.
    fn next_agent_turn(&self) -> Option<Turn> {
        let state = &mut *self.state();
        let turn = state.agents.pop_front();
        self.recorder.agent_turns_left(state.agents.len());
        turn
    }

    /// What the model is told of a kind that neither the CLI nor the options have. Files, which may
    /// define others, are not read here.
    fn unknown_agent(&self, input: &Value) -> Option<String> {
        let kind = input["subagent_type"].as_str()?;
        let definitions = self.state().definitions.clone();
        let defined = definitions.as_object().into_iter().flat_map(|all| all.keys());
        let mut known: Vec<_> = defined.map(String::as_str).collect();
        if known.is_empty() && self.setup.reads_files {
            return None;
        }
        known.extend(KINDS);
        known.sort_by_key(|name| name.to_lowercase());
        let known = (!known.contains(&kind)).then(|| known.join(", "))?;
        Some(format!("Agent type '{kind}' not found. Available agents: {known}"))
    }

    /// Whether the subagent that runs may not use this tool.
    pub(super) fn keeps_from_agent(&self, tool: &str) -> bool {
        let Some(Agent { definition, .. }) = self.agent() else { return false };
        let names = |member: &str| {
            list(&definition[member]).any(|rule| rule.as_str().is_some_and(|it| fits(it, tool)))
        };
        // `Bash(git:*)` lets it have the tool for some inputs.
        let has = |rule: &Value| fits(str(rule).split('(').next().unwrap_or_default(), tool);
        let is_left_out = definition["tools"].is_array() && !list(&definition["tools"]).any(has);
        is_left_out || names("disallowedTools")
    }

    /// The permission mode that counts. A subagent has that of its definition if the session's is
    /// `default` or `dontAsk`; none gets `bypassPermissions` by it.
    pub(super) fn mode_of_speaker(&self) -> String {
        let mode = self.mode();
        let own =
            self.agent().and_then(|it| it.definition["permissionMode"].as_str().map(str::to_owned));
        match (&*mode, own) {
            ("default" | "dontAsk", Some(own)) if own != "bypassPermissions" => own,
            _ => mode,
        }
    }

    /// Counts a turn of who speaks: a batch of calls, an end that a hook did not allow, or a
    /// reminder of the output. Returns how it ends if it may take no more of them.
    pub(super) fn count_turn(&self) -> Option<End> {
        let end = self.with_turn(|turn| {
            turn.speaker.turns += 1;
            let limit = match &turn.speaker.agent {
                Some(agent) => agent.definition["maxTurns"].as_u64(),
                None => self.setup.max_turns,
            };
            limit.filter(|limit| turn.speaker.turns >= *limit).map(End::MaxTurns)
        });
        end.flatten()
    }

    /// Runs a subagent to its end. Returns the result of the call, in MCP's form,
    /// and what the CLI reports of it as `own`.
    ///
    /// # Errors
    ///
    /// The user has interrupted it, by the answer to a permission request.
    // The type is written out, as a subagent calls tools, which may be this one.
    fn run_agent<'a>(
        &'a self,
        call: &'a Call,
        input: &'a Value,
        turn: Turn,
    ) -> Pin<Box<dyn Future<Output = Result<Value, String>> + Send + 'a>> {
        Box::pin(async move {
            let (prompt, description) = (str(&input["prompt"]), str(&input["description"]));
            let kind = input["subagent_type"].as_str().unwrap_or("general-purpose").to_owned();
            let definition = self.state().definitions[&kind].clone();
            let agent = Agent {
                id: format!("agent_{}", self.next_id()),
                tool_use: call.id.clone(),
                kind,
                description: description.to_owned(),
                definition,
            };
            let depth = self.with_turn(|turn| turn.waiting.len() + 1);
            let mut started = json!({
                "type": "system", "subtype": "task_started", "task_id": agent.id,
                "run_id": format!("run_{}", agent.id), "tool_use_id": call.id,
                "description": description, "subagent_type": agent.kind,
                "is_backgrounded": false, "spawn_depth": depth, "task_type": "local_agent",
                "prompt": prompt,
            });
            if let Some(parent) = self.agent() {
                started["parent_task_id"] = parent.id.into();
            }
            self.say_message(started);
            self.with_turn(|turn| turn.enter(agent.clone()));
            self.hooks("SubagentStart", &agent.kind, json!({}), None).await;
            self.say_user(json!([{"type": "text", "text": prompt}]), json!({}));
            let end = self.play_agent(turn, &agent.kind).await;
            let mut report = self.leave_agent();
            if let Some(End::MaxTurns(limit)) = end {
                report = partial(limit, &report);
            }
            let status = match end {
                // What ends a turn early is no failure of a subagent.
                None | Some(End::Deferred(_) | End::Stopped | End::MaxTurns(_)) => "completed",
                Some(End::Interrupted { .. }) => {
                    self.say_killed(&agent);
                    return Err(INTERRUPTED.to_owned());
                }
                Some(_) => "failed",
            };
            self.say_ended(&agent, status, status, &report);
            let content = json!([{"type": "text", "text": report}]);
            let own = json!({
                "status": status, "prompt": prompt, "agentId": agent.id, "agentType": agent.kind,
                "content": content,
            });
            Ok(json!({"content": content, "isError": status == "failed", "own": own}))
        })
    }

    /// Reports that an interrupt has ended a subagent.
    pub(super) fn say_killed(&self, agent: &Agent) {
        self.say_ended(agent, "killed", "stopped", "");
    }

    fn say_ended(&self, agent: &Agent, status: &str, outcome: &str, report: &str) {
        self.say_message(json!({
            "type": "system", "subtype": "task_updated", "task_id": agent.id,
            "run_id": format!("run_{}", agent.id), "patch": {"status": status, "end_time": 0},
        }));
        let summary = if report.is_empty() { &agent.description } else { report };
        let usage = json!({"total_tokens": 0, "tool_uses": 0, "duration_ms": 0});
        self.say_message(json!({
            "type": "system", "subtype": "task_notification", "task_id": agent.id,
            "run_id": format!("run_{}", agent.id), "tool_use_id": agent.tool_use,
            "status": outcome, "output_file": "", "summary": summary, "usage": usage,
        }));
    }

    /// Ends the subagent that is running. Returns what it has said last.
    pub(super) fn leave_agent(&self) -> String {
        let left = self.with_turn(TurnState::leave).unwrap_or_default();
        left.open.into_iter().for_each(|call| self.recorder.interrupted(call, ""));
        left.text
    }

    /// Plays its turn, and the next of the script for subagents when a hook does not let it stop.
    async fn play_agent(&self, mut turn: Turn, kind: &str) -> Option<End> {
        let mut is_continued = false;
        loop {
            if let Some(end) = self.play_steps(turn).await {
                return Some(end);
            }
            let said = self.with_turn(|turn| turn.speaker.text.clone()).unwrap_or_default();
            let fields = json!({
                "stop_hook_active": is_continued, "agent_transcript_path": "",
                "last_assistant_message": said, "background_tasks": [], "session_crons": [],
            });
            let reason = self.hooks("SubagentStop", kind, fields, None).await.blocked()?;
            if self.state().forwards {
                self.say_synthetic_user(&format!("Stop hook feedback:\n{reason}"));
            }
            if self.is_blocked_too_often() {
                return None;
            }
            if let Some(end) = self.count_turn() {
                return Some(end);
            }
            turn = self.next_agent_turn()?;
            is_continued = true;
        }
    }
}

/// The report of a subagent that was not done after as many turns as it may take.
fn partial(limit: u64, said: &str) -> String {
    let rest = match said {
        "" => "It was still calling tools and had produced no report.\n".to_owned(),
        said => format!("The text below is PARTIAL output; treat it as incomplete.\n\n{said}"),
    };
    format!("NOTE: this agent stopped at its {limit}-turn limit before finishing. {rest}")
}
