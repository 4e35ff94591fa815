//! Prompts that wait for their turn, and what the CLI reports of them.
//!
//! A prompt that comes while a turn runs is taken up by it behind the next tool results, if its
//! hooks allow it. Those that still wait at its end share the next turn. One for later is never
//! taken up, and one for now ends the turn that runs.

use serde_json::{Value, json};

use super::cli::Cli;
use super::prompt::{Priority, Prompt};

impl Cli {
    /// Takes a prompt of the SDK.
    pub(super) fn receive_prompt(&self, message: Value) {
        let prompt = Prompt::new(message);
        let is_urgent = prompt.priority() == Priority::Now;
        let is_busy = {
            let state = &mut *self.state();
            state.prompts.push_back(prompt);
            state.is_busy
        };
        if is_busy {
            self.announce_prompts();
        }
        if is_busy && is_urgent {
            self.with_turn(|turn| (turn.is_interrupted, turn.is_superseded) = (true, true));
            self.cancel_requests();
            self.interrupted.notify_waiters();
        }
        self.arrived.notify_one();
    }

    /// Reports the prompts that have come as queued.
    pub(super) fn announce_prompts(&self) {
        let new = {
            let state = &mut *self.state();
            let new = state.prompts.iter_mut().filter(|prompt| !prompt.is_announced);
            let uuid = |prompt: &mut Prompt| {
                prompt.is_announced = true;
                prompt.uuid().to_owned()
            };
            new.map(uuid).collect::<Vec<_>>()
        };
        new.iter().for_each(|uuid| self.report_prompt(uuid, "queued"));
    }

    pub(super) fn report_prompt(&self, uuid: &str, state: &str) {
        if !uuid.is_empty() {
            let news = json!({"type": "command_lifecycle", "command_uuid": uuid, "state": state});
            self.say_message(news);
        }
    }

    /// The prompts of the next turn: the first one, and if they have waited `together`, all of its
    /// priority.
    pub(super) fn next_prompts(&self, together: bool) -> Option<Vec<Prompt>> {
        let state = &mut *self.state();
        let priority = state.prompts.iter().map(Prompt::priority).min()?;
        let mut taken = Vec::new();
        let mut rest = std::mem::take(&mut state.prompts);
        while let Some(prompt) = rest.pop_front() {
            match prompt.priority() == priority && (together || taken.is_empty()) {
                true => taken.push(prompt),
                false => state.prompts.push_back(prompt),
            }
        }
        Some(taken)
    }

    /// The turn that runs takes up the prompts that wait, but for those for later.
    pub(super) async fn take_prompts_up(&self) {
        let mut waiting: Vec<_> = self.state().prompts.iter().cloned().collect();
        waiting.retain(|prompt| prompt.priority() != Priority::Later);
        let mut judged = Vec::new();
        for prompt in waiting {
            let hooks = self.prompt_hooks(&prompt.text()).await;
            self.say_notices(hooks.failures());
            // This prompt and those behind it begin a turn of their own.
            if hooks.stops() {
                break;
            }
            judged.push((prompt, hooks));
        }
        // Until here they wait, so that an interrupt loses none and they can be withdrawn.
        judged.retain(|(prompt, _)| {
            self.take_prompt(|it| it.message() == prompt.message()).is_some()
        });
        judged.iter().for_each(|(prompt, _)| self.recorder.prompt(&prompt.text()));
        let (blocked, taken): (Vec<_>, Vec<_>) =
            judged.into_iter().partition(|(_, hooks)| hooks.blocked().is_some());
        for (prompt, _) in &blocked {
            self.report_prompt(prompt.uuid(), "started");
            self.report_prompt(prompt.uuid(), "completed");
        }
        for (prompt, hooks) in &blocked {
            // The turn does not end by it.
            self.say_blocked(&prompt.text(), &hooks.blocked().unwrap_or_default(), hooks);
        }
        taken.iter().for_each(|(_, hooks)| self.say_notices(hooks.notices("UserPromptSubmit")));
        for (prompt, _) in taken {
            self.report_prompt(prompt.uuid(), "started");
            self.mirror(prompt.message());
            self.with_turn(|turn| turn.taken_up.push(prompt.uuid().to_owned()));
        }
    }

    /// Takes the first prompt like this that waits.
    fn take_prompt(&self, is_it: impl Fn(&Prompt) -> bool) -> Option<Prompt> {
        let state = &mut *self.state();
        let at = state.prompts.iter().position(is_it)?;
        state.prompts.remove(at)
    }

    /// Withdraws a prompt, if it still waits.
    pub(super) fn withdraw_prompt(&self, uuid: &str) -> bool {
        let found = self.take_prompt(|prompt| prompt.uuid() == uuid).is_some();
        if found {
            self.report_prompt(uuid, "cancelled");
        }
        found
    }
}
