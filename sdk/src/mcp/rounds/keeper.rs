//! Where logs are between the rounds of their calls.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::log::Log;
use crate::mcp::names::Names;

/// Finds a log again by the state that a client sends back.
pub(crate) trait Keeper: Send + Sync {
    /// Keeps a log at the end of a round, and returns the state: visible ASCII text. `last` is the
    /// state that the round began with, if it is not the first one. `None` means that the log is
    /// too large.
    fn keep(&self, log: &Arc<Log>, round: u32, last: Option<&str>) -> Option<String>;

    /// The log of this state may have grown.
    fn measure(&self, state: &str);

    /// The log and the round of a state that [`keep`](Keeper::keep) has returned.
    fn find(&self, state: &str) -> Option<(Arc<Log>, u32)>;

    /// What clients do not know and cannot guess; the same wherever a state is found again.
    fn secret(&self) -> &[u8];
}

impl dyn Keeper + '_ {
    /// What the rounds of one call have in common: a state counts for this request only. Without
    /// the secret a client could compute two requests with one fingerprint, and pay for the first
    /// to be given the second.
    pub(crate) fn fingerprint(&self, request: impl Hash) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.secret(), request).hash(&mut hasher);
        hasher.finish()
    }
}

/// Keeps logs in the memory of this process, under names that cannot be guessed.
pub(crate) struct InMemory {
    names: Names,
    secret: [u8; 16],
    shelf: Mutex<Shelf>,
}

#[derive(Default)]
struct Shelf {
    logs: HashMap<u128, Kept>,
    /// The names, those without a round for the longest time first, and when each was kept.
    order: VecDeque<(u128, u64)>,
    bytes: usize,
    /// How often a log was kept.
    times: u64,
}

struct Kept {
    log: Arc<Log>,
    time: u64,
    bytes: usize,
}

/// How many logs are kept, and how many bytes; above it the oldest are forgotten.
const LOGS: usize = 1_024;
const BYTES: usize = 16 * 1024 * 1024;
/// The most bytes of one log.
const LARGEST: usize = BYTES / 4;

impl InMemory {
    /// Keeps a log under the name that was made for its first round, and returns the name.
    pub(crate) fn keep_named(&self, log: &Arc<Log>, name: Option<u128>) -> u128 {
        let bytes = log.bytes();
        let mut shelf = self.lock();
        let name = name.unwrap_or_else(|| self.names.next());
        let left = shelf.put(name, log, bytes);
        drop(shelf);
        drop(left);
        name
    }

    /// The log of this name, if there is one that has had as many rounds as `log` and all that is
    /// settled in it; else `log`, which is kept from now on.
    #[cfg(feature = "sealed-state")]
    pub(crate) fn find_or_keep(&self, name: u128, log: Log) -> Arc<Log> {
        let (bytes, rounds) = (log.bytes(), log.rounds());
        let mut shelf = self.lock();
        let found = shelf.logs.get(&name).map(|kept| kept.log.clone());
        // Where two replicas have played one round, the client has the state of one of them.
        let goes_on = |found: &Arc<Log>| found.rounds() >= rounds && found.has_all_of(&log);
        if let Some(found) = found.filter(goes_on) {
            return found;
        }
        let log = Arc::new(log);
        let left = shelf.put(name, &log, bytes);
        drop(shelf);
        drop(left);
        log
    }

    /// The log of this name may have grown.
    pub(crate) fn measure_named(&self, name: u128) {
        let Some(bytes) = self.find_named(name).map(|log| log.bytes()) else { return };
        let mut shelf = self.lock();
        let Some(kept) = shelf.logs.get_mut(&name) else { return };
        let before = std::mem::replace(&mut kept.bytes, bytes);
        shelf.bytes = shelf.bytes + bytes - before;
        let forgotten = shelf.make_room(0);
        drop(shelf);
        drop(forgotten);
    }

    /// The log of this name.
    fn find_named(&self, name: u128) -> Option<Arc<Log>> {
        Some(self.lock().logs.get(&name)?.log.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Keeper for InMemory {
    fn keep(&self, log: &Arc<Log>, round: u32, last: Option<&str>) -> Option<String> {
        if log.bytes() > LARGEST {
            return None;
        }
        let name = self.keep_named(log, last.and_then(parse).map(|(name, _)| name));
        Some(format!("{name:032x}.{round}"))
    }

    fn measure(&self, state: &str) {
        if let Some((name, _)) = parse(state) {
            self.measure_named(name);
        }
    }

    fn find(&self, state: &str) -> Option<(Arc<Log>, u32)> {
        let (name, round) = parse(state)?;
        let log = self.find_named(name)?;
        (1..=log.rounds()).contains(&round).then_some((log, round))
    }

    fn secret(&self) -> &[u8] {
        &self.secret
    }
}

impl Default for InMemory {
    fn default() -> Self {
        let names = Names::default();
        // A name that no log gets.
        let secret = names.next().to_be_bytes();
        Self { names, secret, shelf: Mutex::default() }
    }
}

impl Shelf {
    fn remove(&mut self, name: u128) -> Option<Kept> {
        let kept = self.logs.remove(&name)?;
        self.bytes -= kept.bytes;
        Some(kept)
    }

    /// Adds a log in place of that of the same name. Returns the logs that have gone.
    fn put(&mut self, name: u128, log: &Arc<Log>, bytes: usize) -> Vec<Kept> {
        let last = self.remove(name);
        let mut gone = self.make_room(bytes);
        if let Some(last) = last {
            gone.push(last);
        }
        self.bytes += bytes;
        self.times += 1;
        self.order.push_back((name, self.times));
        self.logs.insert(name, Kept { log: log.clone(), time: self.times, bytes });
        gone
    }

    /// Removes the oldest logs, until there is room for one of so many bytes; with 0, until those
    /// that there are keep the bound.
    fn make_room(&mut self, bytes: usize) -> Vec<Kept> {
        if self.order.len() > 2 * LOGS {
            let logs = &self.logs;
            let is_last =
                |(name, time): &(u128, u64)| logs.get(name).is_some_and(|kept| kept.time == *time);
            self.order.retain(is_last);
        }
        let most = if bytes > 0 { LOGS - 1 } else { LOGS };
        let mut forgotten = Vec::new();
        while self.logs.len() > most || self.bytes + bytes > BYTES {
            let Some((name, time)) = self.order.pop_front() else { break };
            // Only the last time counts.
            if self.logs.get(&name).is_some_and(|kept| kept.time == time)
                && let Some(kept) = self.remove(name)
            {
                forgotten.push(kept);
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
