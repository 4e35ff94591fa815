//! The conversation, from `initialize` to the end of the input.
//!
//! The order of a turn is that of the real CLI: for the first prompt the second half of MCP's
//! handshake; state `running`; for the first prompt `tools/list`; UserPromptSubmit; `system/init`;
//! the steps of the script; Stop; the result; state `idle`, unless another prompt waits.

use std::collections::VecDeque;
use std::future::pending;
use std::sync::Arc;

use serde_json::{Value, json};

use super::api_message::ApiMessage;
use super::call::Call;
use super::cli::{Cli, TurnState};
use super::concurrent::unless;
use super::hooks::Hooks;
use super::json::str;
use super::messages;
use super::result::End;
use super::turn::{Step, Turn};

impl Cli {
    /// Plays until the input ends. Returns whether the last result was an error.
    pub(super) async fn converse(&self, script: VecDeque<Turn>) -> bool {
        unless(self.follow_changes(), self.answer_prompts(script)).await.unwrap_or_default()
    }

    async fn answer_prompts(&self, mut script: VecDeque<Turn>) -> bool {
        if !self.initialize().await {
            return false;
        }
        let mut is_first = true;
        let mut is_error = false;
        while let Some(prompt) = self.next_of(|cli| cli.state().prompts.pop_front()).await {
            if is_first {
                self.announce_to_servers().await;
            }
            self.report_state("running");
            if std::mem::take(&mut is_first) {
                self.list_tools().await;
            }
            self.next_of(|cli| cli.has_followed().then_some(())).await;
            is_error = self.turn(&prompt, &mut script).await;
            self.recorder.turns_left(script.len());
            if self.state().prompts.is_empty() {
                self.report_state("idle");
            }
        }
        is_error
    }

    /// Waits for a message of the SDK; `None` if the input has ended.
    async fn next_of<T>(&self, take: impl Fn(&Self) -> Option<T>) -> Option<T> {
        loop {
            if let Some(taken) = take(self) {
                return Some(taken);
            }
            if self.state().input_ended {
                return None;
            }
            self.arrived.notified().await;
        }
    }

    /// Waits for `initialize` and answers it, after the first half of MCP's handshake.
    async fn initialize(&self) -> bool {
        let Some((id, request)) = self.next_of(|cli| cli.state().initialize.take()).await else {
            return false;
        };
        match Hooks::read(&request) {
            Ok(hooks) => self.state().hooks = Arc::new(hooks),
            Err(error) => {
                self.answer(&id, Err(error));
                return false;
            }
        }
        self.connect_servers().await;
        let model = self.state().model.clone();
        self.answer(&id, Ok(messages::server_info(&model)));
        true
    }

    /// Plays a turn. Returns whether its result is an error.
    async fn turn(&self, prompt: &Value, script: &mut VecDeque<Turn>) -> bool {
        let uuid = str(&prompt["uuid"]).to_owned();
        self.state().turn = Some(TurnState { prompt: uuid, ..TurnState::default() });
        let end = match unless(self.interruption(), self.play(prompt, script)).await {
            Some(End::Interrupted { .. }) | None => {
                // A permission or a question may have waited for an answer.
                self.report_state("running");
                End::Interrupted { in_tools: self.say_interrupted() }
            }
            Some(end) => end,
        };
        self.say_result_message(end)
    }

    /// Waits for an interrupt of the current turn.
    async fn interruption(&self) {
        while self.with_turn(|turn| turn.is_interrupted) != Some(true) {
            self.interrupted.notified().await;
        }
    }

    async fn play(&self, prompt: &Value, script: &mut VecDeque<Turn>) -> End {
        let text = super::call::text(&prompt["message"]["content"]);
        self.recorder.prompt(&text);
        let hooks = self.hooks("UserPromptSubmit", "", json!({"prompt": text}), None).await;
        if let Some(reason) = hooks.blocked() {
            let content = format!(
                "UserPromptSubmit operation blocked by hook:\n{reason}\n\nOriginal prompt: {text}"
            );
            self.say_message(json!({
                "type": "system", "subtype": "informational",
                "content": content, "level": "warning",
            }));
            return End::Blocked(content);
        }
        self.say_init();
        let mut is_continued = false;
        loop {
            let Some(turn) = script.pop_front() else { return End::Exhausted };
            if let Some(end) = self.play_steps(turn).await {
                return end;
            }
            let said = self.with_turn(|turn| turn.text.clone()).unwrap_or_default();
            let fields = json!({
                "stop_hook_active": is_continued, "last_assistant_message": said,
                "background_tasks": [], "session_crons": [],
            });
            let hooks = self.hooks("Stop", "", fields, None).await;
            let Some(reason) = hooks.blocked() else { return End::Completed };
            // The model continues with the next turn of the script.
            let feedback = format!("Stop hook feedback:\n{reason}");
            let feedback = json!([{"type": "text", "text": feedback}]);
            self.say_user(feedback, json!({"isSynthetic": true}));
            is_continued = true;
        }
    }

    /// Plays one turn of the script. Returns how the turn ended, if not at the end of its steps.
    async fn play_steps(&self, turn: Turn) -> Option<End> {
        let mut message: Option<ApiMessage> = None;
        for step in turn.steps {
            match step {
                Step::Say(text) => self.say_text(&mut message, &text),
                Step::Think(text) => {
                    let block =
                        json!({"type": "thinking", "thinking": text, "signature": "scripted"});
                    self.say_block(&mut message, block);
                }
                Step::SayResult => {
                    let text = self.with_turn(|turn| turn.tool_result.clone()).flatten();
                    self.say_text(&mut message, text.as_deref().unwrap_or("No tool was called."));
                }
                Step::Call(calls) => {
                    if let Some(end) = self.play_calls(&mut message, calls).await {
                        return Some(end);
                    }
                }
                Step::Elicit(question) => {
                    let answer = self.elicit(&question).await.to_string();
                    self.with_turn(|turn| turn.tool_result = Some(answer));
                }
                Step::Fail(text) => {
                    self.say_text(&mut message, &text);
                    self.end_message(message);
                    return Some(End::Failed(text));
                }
                Step::UntilInterrupted => drop(unless(self.end_of_input(), pending::<()>()).await),
            }
        }
        self.end_message(message);
        None
    }

    fn say_text(&self, message: &mut Option<ApiMessage>, text: &str) {
        self.say_block(message, json!({"type": "text", "text": text}));
    }

    async fn play_calls(
        &self,
        message: &mut Option<ApiMessage>,
        calls: Vec<(String, Value)>,
    ) -> Option<End> {
        let id = || format!("toolu_{}", self.next_id());
        let calls = calls.into_iter().map(|(name, input)| Call { id: id(), name, input });
        let calls: Vec<_> = calls.collect();
        for Call { id, name, input } in &calls {
            let block = json!({"type": "tool_use", "id": id, "name": name, "input": input});
            self.say_block(message, block);
        }
        self.end_message(message.take());
        self.run_calls(&calls).await;
        self.with_turn(|turn| {
            if turn.is_denied {
                return Some(End::Interrupted { in_tools: true });
            }
            if let Some(call) = turn.deferred.take() {
                return Some(End::Deferred(call));
            }
            let limit = self.setup.max_turns.filter(|limit| turn.answers >= *limit);
            if turn.stopped { Some(End::Stopped) } else { limit.map(End::MaxTurns) }
        })
        .flatten()
    }

    async fn end_of_input(&self) {
        while !self.state().input_ended {
            self.interrupted.notified().await;
        }
    }
}
