//! When the CLI's input may be closed: after the last prompt, unless it still needs answers from
//! us.
//!
//! The end of a run is a result together with the state `idle`; CLIs that report no states are
//! taken at their first result with no task of theirs in flight.

use std::collections::HashSet;

/// Follows a one-shot run to its end.
#[derive(Debug, Default)]
pub(crate) struct RunEnd {
    /// The CLI asks us things: permissions, hooks, in-process tools.
    needs_us: bool,
    /// All prompts are written.
    prompts_done: bool,
    prompts: usize,
    has_result: bool,
    state: Option<State>,
    tasks: HashSet<String>,
}

/// What the CLI says it is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    Running,
    RequiresAction,
}

/// What is decided after each event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Keep the input open.
    Open,
    /// Keep it open, but not for longer than the ceiling without a sign of work.
    Lingering,
    /// Close it.
    Close,
}

impl RunEnd {
    pub(crate) fn new(needs_us: bool) -> Self {
        Self { needs_us, ..Self::default() }
    }

    /// No more prompts will come.
    pub(crate) fn no_more_prompts(&mut self) {
        self.prompts_done = true;
    }

    /// A prompt was written: the run begins anew.
    pub(crate) fn prompt(&mut self) {
        self.prompts += 1;
        self.has_result = false;
    }

    pub(crate) fn result(&mut self) {
        self.has_result = true;
    }

    /// The CLI says what it is doing; a word that is not known here is something other than
    /// resting.
    pub(crate) fn state(&mut self, state: &str) {
        self.state = Some(match state {
            "idle" => State::Idle,
            "running" => State::Running,
            _ => State::RequiresAction,
        });
    }

    /// The main conversation goes on.
    pub(crate) fn work(&mut self) {
        if self.state.is_some() {
            self.has_result = false;
        }
    }

    /// Whether it would make no difference that the main conversation goes on.
    pub(crate) fn is_at_work(&self) -> bool {
        !self.has_result
    }

    /// Agents and workflows end by themselves; shells in the background may never do, so they are
    /// not waited for.
    pub(crate) fn task_started(&mut self, id: &str, kind: &str) {
        if matches!(kind, "local_agent" | "local_workflow") {
            self.tasks.insert(id.to_owned());
        }
    }

    pub(crate) fn task_ended(&mut self, id: &str) {
        self.tasks.remove(id);
    }

    pub(crate) fn verdict(&self) -> Verdict {
        if !self.prompts_done {
            return Verdict::Open;
        }
        if self.prompts == 0 || !self.needs_us {
            return Verdict::Close;
        }
        let at_rest = match self.state {
            Some(state) => state == State::Idle,
            None => self.tasks.is_empty(),
        };
        match (self.has_result, at_rest) {
            (true, true) => Verdict::Close,
            (true, false) if self.state == Some(State::Running) && self.tasks.is_empty() => {
                Verdict::Lingering
            }
            _ => Verdict::Open,
        }
    }
}

#[cfg(test)]
mod tests;
