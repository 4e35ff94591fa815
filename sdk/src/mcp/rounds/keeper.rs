//! Where logs are between the rounds of their calls.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::log::Log;
use crate::mcp::names::Names;

/// Finds a log again by the state that a client sends back.
pub(crate) trait Keeper: fmt::Debug + Send + Sync {
    /// Keeps a log at the end of a round, and returns the state: visible ASCII text. `last` is the
    /// state that the round began with, if it is not the first one. `None` means that the log is
    /// too large.
    fn keep(&self, log: &Arc<Log>, round: u32, last: Option<&str>) -> Option<String>;

    /// The log and the round of a state that [`keep`](Keeper::keep) has returned.
    fn find(&self, state: &str) -> Option<(Arc<Log>, u32)>;
}

/// Keeps logs in the memory of this process, under names that cannot be guessed.
#[derive(Debug, Default)]
pub(crate) struct InMemory {
    names: Names,
    shelf: Mutex<Shelf>,
}

#[derive(Debug, Default)]
struct Shelf {
    logs: HashMap<u128, Kept>,
    /// The names, those without a round for the longest time first, and when each was kept.
    order: VecDeque<(u128, u64)>,
    bytes: usize,
    /// How often a log was kept.
    times: u64,
}

#[derive(Debug)]
struct Kept {
    log: Arc<Log>,
    time: u64,
    bytes: usize,
}

/// How many logs are kept, and how many bytes; above it the oldest are forgotten.
const LOGS: usize = 1_024;
const BYTES: usize = 16 * 1024 * 1024;

impl InMemory {
    /// Keeps a log under the name that was made for its first round, and returns the name.
    pub(crate) fn keep_named(&self, log: &Arc<Log>, name: Option<u128>) -> u128 {
        let bytes = log.bytes();
        let mut shelf = self.lock();
        let name = name.unwrap_or_else(|| self.names.next());
        let last = shelf.remove(name);
        let forgotten = shelf.make_room(bytes);
        shelf.bytes += bytes;
        shelf.times += 1;
        let time = shelf.times;
        shelf.order.push_back((name, time));
        shelf.logs.insert(name, Kept { log: log.clone(), time, bytes });
        drop(shelf);
        drop((last, forgotten));
        name
    }

    /// The log of this name.
    pub(crate) fn find_named(&self, name: u128) -> Option<Arc<Log>> {
        Some(self.lock().logs.get(&name)?.log.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Keeper for InMemory {
    fn keep(&self, log: &Arc<Log>, round: u32, last: Option<&str>) -> Option<String> {
        let name = self.keep_named(log, last.and_then(parse).map(|(name, _)| name));
        Some(format!("{name:032x}.{round}"))
    }

    fn find(&self, state: &str) -> Option<(Arc<Log>, u32)> {
        let (name, round) = parse(state)?;
        let log = self.find_named(name)?;
        (1..=log.rounds()).contains(&round).then_some((log, round))
    }
}

impl Shelf {
    fn remove(&mut self, name: u128) -> Option<Kept> {
        let kept = self.logs.remove(&name)?;
        self.bytes -= kept.bytes;
        Some(kept)
    }

    /// Removes the oldest logs, until there is room for one of so many bytes.
    fn make_room(&mut self, bytes: usize) -> Vec<Kept> {
        let mut forgotten = Vec::new();
        while self.logs.len() >= LOGS || self.bytes + bytes > BYTES || self.order.len() > 9 * LOGS {
            let Some((name, time)) = self.order.pop_front() else { break };
            // Only the last time counts.
            if self.logs.get(&name).is_some_and(|kept| kept.time == time) {
                forgotten.extend(self.remove(name));
            }
        }
        forgotten
    }
}

/// The name of a log and the number of a round.
fn parse(state: &str) -> Option<(u128, u32)> {
    let (name, round) = state.split_once('.')?;
    let is_written = |text: &str| text.bytes().all(|byte| b"0123456789abcdef".contains(&byte));
    let is_whole = name.len() == 32 && is_written(name) && round.len() == 1;
    is_whole.then(|| Some((u128::from_str_radix(name, 16).ok()?, round.parse().ok()?)))?
}
