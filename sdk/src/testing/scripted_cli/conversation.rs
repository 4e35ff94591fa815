//! The conversation, from `initialize` to the end of the input.
//!
//! The order of a turn is that of the real CLI: for the first prompt the second half of MCP's
//! handshake; state `running`; the prompt is `queued`; for the first prompt `tools/list`; the
//! prompt is `started`; UserPromptSubmit; `system/init`; the steps of the script; Stop; the result;
//! the prompt is `completed`; state `idle`, unless another prompt waits.

use std::sync::Arc;

use super::answer::Answer;
use super::cli::Cli;
use super::concurrent::unless;
use super::exit;
use super::hooks::Hooks;
use super::messages;
use super::prompt::Prompt;
use super::result::End;
use super::script::Script;
use super::turn_state::TurnState;
use crate::agent::ProcessExit;

impl Cli {
    /// Plays until the input ends. Returns how the CLI exits.
    pub(super) async fn converse(&self, script: Script) -> ProcessExit {
        unless(self.follow_changes(), self.answer_prompts(script)).await.unwrap_or_default()
    }

    async fn answer_prompts(&self, mut script: Script) -> ProcessExit {
        {
            let state = &mut *self.state();
            state.responses = std::mem::take(&mut script.responses);
            state.agents = std::mem::take(&mut script.agents);
            state.has_agents = !state.agents.is_empty();
            self.recorder.agent_turns_left(state.agents.len());
        }
        if !self.initialize().await {
            return exited(false);
        }
        let (mut is_first, mut is_error, mut together) = (true, false, false);
        while let Some(prompts) = self.next_of(|cli| cli.next_prompts(together)).await {
            let uuids: Vec<_> = prompts.iter().map(|prompt| prompt.uuid().to_owned()).collect();
            let turn = TurnState::new(uuids.clone(), self.uuid());
            self.state().turn = Some(turn);
            if is_first {
                self.announce_to_servers().await;
            }
            self.report_state("running");
            for prompt in prompts.iter().filter(|prompt| !prompt.is_announced) {
                self.report_prompt(prompt.uuid(), "queued");
            }
            self.announce_prompts();
            self.state().is_busy = true;
            if std::mem::take(&mut is_first) {
                self.list_tools().await;
            }
            self.next_of(|cli| cli.has_followed().then_some(())).await;
            uuids.iter().for_each(|uuid| self.report_prompt(uuid, "started"));
            let end = self.turn(&prompts, &mut script).await;
            let news = if end.is_interrupted() { "cancelled" } else { "completed" };
            is_error = self.say_result_message(end, news);
            uuids.iter().for_each(|uuid| self.report_prompt(uuid, news));
            together = {
                let state = &mut *self.state();
                state.is_busy = !state.prompts.is_empty();
                state.is_busy
            };
            if !together {
                self.report_state("idle");
            }
        }
        exited(is_error)
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
        if let Some(schema) = request.get("jsonSchema").filter(|schema| schema.is_object()) {
            self.state().schema = Some(schema.clone());
        }
        self.state().definitions = request["agents"].clone();
        self.state().forwards = request["forwardSubagentText"] == true;
        match Hooks::read(&request) {
            Ok(hooks) => self.state().hooks = Arc::new(hooks),
            Err(error) => {
                self.answer(&id, Answer::refusal(error));
                return false;
            }
        }
        self.connect_servers().await;
        self.answer(&id, Answer::with(messages::server_info()));
        true
    }

    /// Plays a turn. Returns how it ended.
    async fn turn(&self, prompts: &[Prompt], script: &mut Script) -> End {
        match unless(self.interruption(), self.play(prompts, script)).await {
            Some(End::Interrupted { .. }) | None => {
                // A permission or a question may have waited for an answer.
                self.report_state("running");
                self.say_interrupted()
            }
            Some(end) => end,
        }
    }

    /// Waits for an interrupt of the current turn.
    async fn interruption(&self) {
        self.when(|| self.with_turn(|turn| turn.is_interrupted) == Some(true)).await;
    }

    async fn play(&self, prompts: &[Prompt], script: &mut Script) -> End {
        self.recorder.turns_left(script.turns.len());
        let texts: Vec<_> = prompts.iter().map(Prompt::text).collect();
        if prompts.iter().all(Prompt::is_blank) {
            texts.iter().for_each(|text| self.recorder.prompt(text));
            self.say_init();
            return self.say_blank();
        }
        texts.iter().for_each(|text| self.recorder.prompt(text));
        let text = texts.join("\n");
        let hooks = self.prompt_hooks(&text).await;
        self.say_init();
        self.say_notices(hooks.failures());
        self.say_notices(hooks.notices("UserPromptSubmit"));
        if let Some(reason) = hooks.blocked() {
            return self.say_blocked(&text, &reason, &hooks);
        }
        if let Some(reason) = hooks.stopped() {
            return self.say_stopped(reason);
        }
        prompts.iter().for_each(|prompt| self.mirror(prompt.message()));
        let mut is_continued = false;
        loop {
            if let Some(end) = self.end_by_budget() {
                return end;
            }
            let turn = if is_continued { script.turns.pop_front() } else { script.next(&texts) };
            self.recorder.turns_left(script.turns.len());
            let Some(turn) = turn else { return End::Exhausted };
            let end = self.play_steps(turn).await;
            is_continued |= self.with_turn(|turn| turn.is_reminded) == Some(true);
            if let Some(End::Structured(_)) = &end {
                // They cannot keep the turn from its end.
                let hooks = self.stop_hooks(is_continued, None).await;
                self.say_notices(hooks.notices("Stop"));
            }
            if let Some(End::Failed { .. } | End::Lost(_) | End::Refused(_)) = &end {
                self.failure_hooks().await;
            }
            if let Some(end) = end {
                return end;
            }
            let said = self.with_turn(|turn| turn.speaker.text.clone()).unwrap_or_default();
            let hooks = self.stop_hooks(is_continued, Some(&said)).await;
            let (blocked, notices) = (hooks.blocked(), hooks.notices("Stop"));
            match &blocked {
                Some(reason) => self.say_stop_feedback(reason, notices),
                None => self.say_notices(notices),
            }
            if blocked.is_none() && hooks.have_failed() {
                self.say_stop_error();
            }
            match blocked {
                _ if hooks.stops() => return End::Prevented,
                None => return End::Completed,
                Some(_) => is_continued = true,
            }
            if self.is_blocked_too_often() {
                self.say_blocked_too_often();
                return End::Completed;
            }
            if let Some(end) = self.count_turn() {
                return end;
            }
            // The model continues with the next turn of the script.
        }
    }
}

/// The real CLI exits with 1 after an error result and with 0 otherwise.
fn exited(is_error: bool) -> ProcessExit {
    exit::with_code(u8::from(is_error), String::new())
}
