//! Calls that wait, in order.

use std::collections::{HashMap, VecDeque};

use crate::mcp::Run;

/// For how many calls memory is kept while none waits.
const KEEP: usize = 64;

/// A queue from whose middle a call can be taken as cheaply as from its front.
#[derive(Default)]
pub(super) struct Queue {
    /// By their numbers, each with the length of its line.
    runs: HashMap<u64, (Run, usize)>,
    /// Also has the numbers of some calls that were taken out.
    order: VecDeque<u64>,
    bytes: usize,
}

impl Queue {
    pub(super) fn push(&mut self, run: Run, bytes: usize) {
        let number = run.id().number();
        self.bytes += bytes;
        self.runs.insert(number, (run, bytes));
        self.order.push_back(number);
    }

    pub(super) fn pop(&mut self) -> Option<Run> {
        loop {
            let number = self.order.pop_front()?;
            if let Some(run) = self.remove(number) {
                return Some(run);
            }
        }
    }

    /// Takes a call out from wherever it stands.
    pub(super) fn take(&mut self, number: u64) -> Option<Run> {
        let run = self.remove(number)?;
        // The numbers that are left behind cost less than those that wait.
        if self.order.len() > 2 * self.runs.len() + KEEP {
            self.order.retain(|number| self.runs.contains_key(number));
        }
        Some(run)
    }

    pub(super) fn len(&self) -> usize {
        self.runs.len()
    }

    /// The length of the lines of all that wait.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    fn remove(&mut self, number: u64) -> Option<Run> {
        let (run, bytes) = self.runs.remove(&number)?;
        self.bytes -= bytes;
        if self.runs.is_empty() {
            // A flood of calls leaves no memory behind.
            self.runs.shrink_to(KEEP);
            self.order.clear();
            self.order.shrink_to(KEEP);
        }
        Some(run)
    }
}
