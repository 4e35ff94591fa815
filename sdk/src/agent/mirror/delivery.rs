use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::due::{Batch, Due};
use super::frames::{Frames, MOST_BYTES, MOST_TRANSCRIPTS};
use crate::agent::sessions::{SessionEntry, SessionKey, SessionStore, StoreError};

/// How long the store may take for one call. It is not called again for some time after that.
const LONGEST: Duration = Duration::from_secs(60);
/// The pauses before the second and the third attempt.
const PAUSES: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(800)];

/// Gives entries to a store, and keeps what it has not taken.
pub(super) struct Delivery {
    store: Arc<dyn SessionStore>,
    /// It comes before anything new of its transcript, so that a store that was gone for some time
    /// has no gap.
    kept: Vec<Due>,
}

/// Why a store has not taken entries.
enum Failure {
    Failed(String),
    /// It has not answered, and would hold up the run again.
    Silent(String),
    /// It never will.
    Unsupported(String),
}

impl Delivery {
    pub(super) fn to(store: Arc<dyn SessionStore>) -> Self {
        Self { store, kept: Vec::new() }
    }

    /// Gives all to the store, one call for each transcript, and tells what it has not got of the
    /// new entries. The run waits for it, so that the attempts of one transcript only are repeated.
    pub(super) async fn send(&mut self, frames: Frames) -> Vec<(SessionKey, String)> {
        let mut errors = Vec::new();
        let mut silent = None;
        let mut pauses = &PAUSES[..];
        let mut room = MOST_BYTES;
        for mut due in self.due(frames.waiting) {
            let failure = match silent.clone() {
                None => self.deliver(&mut due, pauses).await.err(),
                Some(error) => Some(Failure::Silent(error)),
            };
            let (error, is_kept) = match failure {
                None => continue,
                Some(Failure::Failed(error)) => {
                    pauses = &[];
                    (error, true)
                }
                Some(Failure::Silent(error)) => (silent.insert(error).clone(), true),
                Some(Failure::Unsupported(error)) => (error, false),
            };
            if due.new.is_some() {
                errors.push((due.key.clone(), error));
            }
            if is_kept && self.kept.len() < MOST_TRANSCRIPTS && due.keep(&mut room) {
                self.kept.push(due);
            }
        }
        let lost = frames.lost.into_iter();
        errors.extend(lost.map(|(key, count)| {
            (key, format!("the session store is too slow: {count} entries were dropped"))
        }));
        let unreadable = frames.unreadable.into_iter();
        errors.extend(unreadable.map(|(key, count)| {
            (key, format!("{count} entries, or lines with entries, cannot be read or are too long"))
        }));
        errors
    }

    /// What was kept and what is new, by transcripts.
    fn due(&mut self, new: Vec<(SessionKey, Vec<SessionEntry>)>) -> Vec<Due> {
        let mut all = std::mem::take(&mut self.kept);
        for (key, entries) in new {
            let new = Some(entries.into());
            match all.iter_mut().find(|due| due.key == key) {
                Some(due) => due.new = new,
                None => all.push(Due { key, old: VecDeque::new(), new }),
            }
        }
        all
    }

    /// One attempt, and another one after each pause.
    async fn deliver(&self, due: &mut Due, pauses: &[Duration]) -> Result<(), Failure> {
        for pause in pauses {
            match self.attempt(due).await {
                Err(Failure::Failed(_)) => sleep(*pause).await,
                outcome => return outcome,
            }
        }
        match (self.attempt(due).await, &due.new) {
            // The store may work, and still refuse one of the old entries for ever.
            (Err(Failure::Failed(_)), Some(new)) if !due.old.is_empty() => {
                self.append(&due.key, new).await?;
                due.new = None;
                // Or it works again only now: then the old entries come behind the new ones.
                while let Some(batch) = due.old.front() {
                    match self.append(&due.key, batch).await {
                        Err(silent @ Failure::Silent(_)) => return Err(silent),
                        Ok(()) | Err(_) => drop(due.old.pop_front()),
                    }
                }
                Ok(())
            }
            (outcome, _) => outcome,
        }
    }

    async fn attempt(&self, due: &mut Due) -> Result<(), Failure> {
        while let Some(batch) = due.old.front() {
            self.append(&due.key, batch).await?;
            due.old.pop_front();
        }
        if let Some(batch) = &due.new {
            self.append(&due.key, batch).await?;
            due.new = None;
        }
        Ok(())
    }

    async fn append(&self, key: &SessionKey, entries: &Batch) -> Result<(), Failure> {
        let (store, key, entries) = (self.store.clone(), key.clone(), entries.clone());
        // A task of its own, so that a store that panics stops nothing else.
        let mut call = tokio::spawn(async move { store.append(&key, &entries).await });
        match timeout(LONGEST, &mut call).await {
            Ok(Ok(Ok(()))) => Ok(()),
            Ok(Ok(Err(error @ StoreError::Unsupported { .. }))) => {
                Err(Failure::Unsupported(error.to_string()))
            }
            Ok(Ok(Err(error))) => Err(Failure::Failed(error.to_string())),
            Ok(Err(error)) => Err(Failure::Failed(format!("the session store panicked: {error}"))),
            Err(_) => {
                call.abort();
                let error = format!("the session store has not answered within {LONGEST:?}");
                Err(Failure::Silent(error))
            }
        }
    }
}
