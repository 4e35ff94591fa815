//! Plays a turn of the script, step by step.

use std::collections::VecDeque;
use std::future::pending;

use serde_json::{Value, json};

use super::api_message::ApiMessage;
use super::call::Call;
use super::cli::Cli;
use super::concurrent::unless;
use super::result::End;
use super::turn::{Step, Turn};
use crate::testing::reply::{Block, Reply};

impl Cli {
    /// Plays one turn of the script. Returns how the turn ended, if not at the end of its steps.
    pub(super) async fn play_steps(&self, turn: Turn) -> Option<End> {
        let mut message: Option<ApiMessage> = None;
        let mut steps = VecDeque::from(turn.steps);
        // Failures of the API in a row; a refusal of this turn.
        let (mut failures, mut has_refused) = (0, false);
        self.ask_model();
        while let Some(step) = steps.pop_front() {
            match step {
                Step::Say(text) => {
                    let words = text.split_inclusive(' ').map(str::to_owned);
                    self.say_text(&mut message, words.collect());
                }
                Step::Think(text) => self.say_thinking(&mut message, &text, "scripted"),
                Step::SayResult => {
                    let text = self.with_turn(|turn| turn.speaker.tool_result.clone()).flatten();
                    let text = text.unwrap_or_else(|| "No tool was called.".to_owned());
                    self.say_text(&mut message, vec![text]);
                }
                Step::Call(calls) => {
                    let new = |(name, input)| self.new_call(name, input);
                    let calls: Vec<_> = calls.into_iter().map(new).collect();
                    self.say_calls(&mut message, &calls);
                    if let Some(end) = self.run_calls_of(message.take(), calls).await {
                        return Some(end);
                    }
                    self.ask_model();
                }
                Step::Reply(reply) => {
                    if let Some(message) = message.take() {
                        self.end_message(Some(message));
                        self.ask_model();
                    }
                    match self.play_reply(&reply, steps.is_empty(), failures, has_refused).await {
                        Played::Whole => {
                            failures = 0;
                            if let Some(end) = self.end_by_budget() {
                                return Some(end);
                            }
                            if !steps.is_empty()
                                && reply.stops_for() == "end_turn"
                                && self.remind_of_output().await
                                && let Some(end) = self.count_turn()
                            {
                                return Some(end);
                            }
                        }
                        Played::Failed => failures += 1,
                        Played::Refused => {
                            has_refused = true;
                            // A model that says nothing else refuses again.
                            if steps.is_empty() {
                                steps.push_front(Step::Reply(reply));
                            }
                        }
                        Played::End(end) => return Some(end),
                    }
                    self.ask_model();
                }
                Step::Elicit(question) => {
                    let answer = self.elicit(&question).await.to_string();
                    self.with_turn(|turn| turn.speaker.tool_result = Some(answer));
                }
                Step::Fail(text) => {
                    self.end_message(message);
                    self.say_synthetic(&text, "unknown", json!({}));
                    return Some(End::Failed { text, error: None });
                }
                Step::Hold(gate) => gate.pass().await,
                Step::Wait(time) => tokio::time::sleep(time).await,
                Step::Crash(exit) => {
                    self.end(exit);
                    // Nothing is said any more, and the task ends with the connection.
                    pending().await
                }
                Step::UntilInterrupted => drop(unless(self.end_of_input(), pending::<()>()).await),
            }
        }
        self.end_message(message);
        if let Some(end) = self.end_by_budget() {
            return Some(end);
        }
        if self.remind_of_output().await {
            if let Some(end) = self.count_turn() {
                return Some(end);
            }
            // A model that says nothing else says the same again.
            let said =
                self.with_turn(|turn| turn.speaker.text.clone()).filter(|said| !said.is_empty());
            let mut message = None;
            self.ask_model();
            self.say_text(&mut message, vec![said?]);
            self.end_message(message);
            return self.end_by_budget();
        }
        None
    }

    /// How the turn ends if the budget is used up.
    pub(super) fn end_by_budget(&self) -> Option<End> {
        self.used_up_budget().filter(|_| self.agent().is_none()).map(End::MaxBudget)
    }

    /// Plays a whole answer of the model. After so many failures in a row the API may fail again.
    async fn play_reply(
        &self,
        reply: &Reply,
        is_last: bool,
        failures: u64,
        has_refused: bool,
    ) -> Played {
        if let Some(gate) = &reply.gate {
            gate.pass().await;
        }
        let is_shown = reply.sent().iter().any(|block| !matches!(block, Block::Gate(_)));
        if reply.error.is_some() || reply.is_cut_off && !is_shown {
            for gate in reply.pauses() {
                gate.pass().await;
            }
            let error = reply.error.as_ref();
            if !is_last && self.retries(error, failures + 1) {
                self.say_retry(error, failures + 1);
                return Played::Failed;
            }
            let text = match error {
                Some(error) => self.say_api_error(error),
                None => {
                    let text = "API Error: Connection error.".to_owned();
                    self.say_synthetic(&text, "unknown", json!({}));
                    text
                }
            };
            return Played::End(End::Failed { text, error: reply.error.clone() });
        }
        let begun = self.begin_message(reply.usage, reply.stop_reason.clone());
        let id = begun.id.clone();
        let mut message = Some(begun);
        let mut calls = Vec::new();
        for block in reply.sent() {
            match block {
                Block::Text(pieces) => self.say_text(&mut message, pieces.clone()),
                Block::Thinking { text, signature } => {
                    self.say_thinking(&mut message, text, signature);
                }
                Block::Call { name, input } => {
                    let call = self.new_call(name.clone(), input.clone());
                    self.say_calls(&mut message, std::slice::from_ref(&call));
                    calls.push(call);
                }
                Block::Gate(gate) => gate.pass().await,
            }
        }
        if let Some(message) = message.take_if(|_| reply.is_cut_off) {
            return self.play_cut(reply, message, calls, is_last).await;
        }
        match reply.stops_for() {
            "refusal" => {
                self.end_message(message);
                if has_refused {
                    let text = self.say_refused_again(&id);
                    return Played::End(End::Refused(text));
                }
                self.say_refused(&id);
                Played::Refused
            }
            "max_tokens" if calls.is_empty() && !is_last => {
                self.end_message(message);
                self.say_resume();
                Played::Whole
            }
            _ if calls.is_empty() => {
                self.end_message(message);
                Played::Whole
            }
            _ => self.run_calls_of(message, calls).await.map_or(Played::Whole, Played::End),
        }
    }

    pub(super) fn new_call(&self, name: String, input: Value) -> Call {
        self.recorder.called(&name);
        let input = self.converted(&name, input);
        Call { id: format!("toolu_{}", self.next_id()), name, input }
    }

    fn say_text(&self, message: &mut Option<ApiMessage>, pieces: Vec<String>) {
        let block = json!({"type": "text", "text": pieces.concat()});
        self.say_block(message, block, &pieces);
    }

    fn say_thinking(&self, message: &mut Option<ApiMessage>, text: &str, signature: &str) {
        let block = json!({"type": "thinking", "thinking": text, "signature": signature});
        self.say_block(message, block, &[]);
    }

    fn say_calls(&self, message: &mut Option<ApiMessage>, calls: &[Call]) {
        for Call { id, name, input } in calls {
            let block = json!({"type": "tool_use", "id": id, "name": name, "input": input});
            self.say_block(message, block, &[]);
        }
    }

    /// Runs the calls of an answer that is complete. Returns how the turn ends, if it does.
    pub(super) async fn run_calls_of(
        &self,
        message: Option<ApiMessage>,
        calls: Vec<Call>,
    ) -> Option<End> {
        self.end_message(message);
        // The real CLI may have begun the calls.
        if let Some(end) = self.end_by_budget() {
            return Some(end);
        }
        self.run_calls(&calls).await;
        let (by_output, by_limit) = (self.end_by_output(), self.count_turn());
        let end = self.with_turn(|turn| {
            if turn.speaker.is_denied {
                return Some(End::Interrupted { in_tools: true });
            }
            if let Some(call) = turn.speaker.deferred.take() {
                return Some(End::Deferred(call));
            }
            if by_output.is_some() {
                return by_output;
            }
            if turn.speaker.stopped { Some(End::Stopped) } else { by_limit }
        });
        let end = end.flatten();
        if end.is_none() && self.agent().is_none() {
            self.take_prompts_up().await;
        }
        end
    }

    async fn end_of_input(&self) {
        self.when(|| self.state().input_ended).await;
    }
}

/// What came of a whole answer.
pub(super) enum Played {
    Whole,
    /// The API has failed, and is asked again.
    Failed,
    /// The model has refused, and is asked again.
    Refused,
    End(End),
}
