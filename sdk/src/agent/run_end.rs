//! When the CLI's input may be closed: after the last prompt, unless the CLI still needs answers
//! from us.
//!
//! A run is at its end when there is a result and the CLI reports the state `idle`. A CLI that
//! reports no states is at its end at the first result while none of its tasks runs.

use std::collections::HashSet;

/// What is known about the end of a one-shot run.
#[derive(Debug, Default)]
pub(crate) struct RunEnd {
    /// The CLI may ask for permissions, hooks or in-process tools.
    needs_us: bool,
    /// All prompts are written.
    prompts_done: bool,
    prompts: usize,
    results: usize,
    /// There is a result, and nothing has gone on after it.
    has_result: bool,
    state: Option<State>,
    tasks: HashSet<String>,
}

/// The state that the CLI reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    Running,
    RequiresAction,
}

/// What to do with the CLI's input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Keep the input open.
    Open,
    /// Keep it open while work goes on in the background, but not for ever.
    Lingering,
    /// Close it.
    Close,
}

impl RunEnd {
    pub(crate) fn new(needs_us: bool) -> Self {
        Self { needs_us, ..Self::default() }
    }

    /// From now on the CLI may ask for something.
    pub(crate) fn need_us(&mut self) {
        self.needs_us = true;
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
        self.results += 1;
        self.has_result = true;
    }

    /// The CLI reports its state. A word that is not known here means that it is not idle.
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

    /// Whether [`work`](RunEnd::work) would change nothing.
    pub(crate) fn is_at_work(&self) -> bool {
        !self.has_result
    }

    /// Agents and workflows end by themselves and are waited for. Shells in the background may
    /// never end.
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
        match (self.has_result, self.is_at_rest()) {
            (true, true) => Verdict::Close,
            (true, false) if self.state == Some(State::Running) && self.tasks.is_empty() => {
                Verdict::Lingering
            }
            _ => Verdict::Open,
        }
    }

    /// Whether nothing more is expected of the CLI than its end. One that reports no states may
    /// still be at work on a prompt that has no result.
    pub(crate) fn is_over(&self) -> bool {
        let has_results = self.has_result && (self.state.is_some() || self.results >= self.prompts);
        self.prompts_done && (self.prompts == 0 || (has_results && self.is_at_rest()))
    }

    fn is_at_rest(&self) -> bool {
        match self.state {
            Some(state) => state == State::Idle,
            None => self.tasks.is_empty(),
        }
    }
}

#[cfg(test)]
mod tests;
