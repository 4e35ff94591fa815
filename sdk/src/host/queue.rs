//! Calls that wait, in order.

use std::collections::{HashMap, VecDeque};

use crate::mcp::Run;

/// For how many calls memory is kept while the queue is empty.
const KEEP: usize = 64;

/// A queue that removes a call from its middle at the same cost as from its front.
#[derive(Default)]
pub(super) struct Queue {
    /// By their numbers, each with the length of its line in bytes.
    runs: HashMap<u64, (Run, usize)>,
    /// May also have the numbers of calls that were removed.
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

    /// Removes a call from any position.
    pub(super) fn take(&mut self, number: u64) -> Option<Run> {
        let run = self.remove(number)?;
        // The numbers of removed calls use less memory than the waiting calls.
        if self.order.len() > 2 * self.runs.len() + KEEP {
            self.order.retain(|number| self.runs.contains_key(number));
        }
        Some(run)
    }

    pub(super) fn len(&self) -> usize {
        self.runs.len()
    }

    /// The length of the lines of all waiting calls, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    fn remove(&mut self, number: u64) -> Option<Run> {
        let (run, bytes) = self.runs.remove(&number)?;
        self.bytes -= bytes;
        if self.runs.is_empty() {
            // After a burst of calls the memory is released.
            self.runs.shrink_to(KEEP);
            self.order.clear();
            self.order.shrink_to(KEEP);
        }
        Some(run)
    }
}
