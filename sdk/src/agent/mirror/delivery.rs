use std::sync::Arc;
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::frames::Frames;
use crate::agent::sessions::{SessionEntry, SessionKey, SessionStore, StoreError};

/// How long the store may take for one call. It is not called again after that, as the entries may
/// still arrive.
const LONGEST: Duration = Duration::from_secs(60);
/// The pauses before the second and the third attempt.
const PAUSES: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(800)];

/// Gives entries to a store.
pub(super) struct Delivery {
    store: Arc<dyn SessionStore>,
}

impl Delivery {
    pub(super) fn to(store: Arc<dyn SessionStore>) -> Self {
        Self { store }
    }

    /// Gives all to the store, one call for each transcript, and tells what it has not got.
    pub(super) async fn send(&self, frames: Frames) -> Vec<(SessionKey, String)> {
        let mut errors = Vec::new();
        for (key, entries) in frames.waiting {
            // The store had better not make a transcript for nothing.
            if !entries.is_empty()
                && let Err(error) = self.append(&key, entries.into()).await
            {
                errors.push((key, error));
            }
        }
        let lost = frames.lost.into_iter();
        errors.extend(lost.map(|(key, count)| {
            (key, format!("the session store is too slow: {count} entries were dropped"))
        }));
        errors
    }

    async fn append(&self, key: &SessionKey, entries: Arc<[SessionEntry]>) -> Result<(), String> {
        let mut pauses = PAUSES.into_iter();
        loop {
            let (store, key, entries) = (self.store.clone(), key.clone(), entries.clone());
            // A task of its own, so that a store that panics stops nothing else.
            let mut call = tokio::spawn(async move { store.append(&key, &entries).await });
            let error = match timeout(LONGEST, &mut call).await {
                Ok(Ok(Ok(()))) => return Ok(()),
                Ok(Ok(Err(error @ StoreError::Unsupported { .. }))) => {
                    return Err(error.to_string());
                }
                Ok(Ok(Err(error))) => error.to_string(),
                Ok(Err(error)) => format!("the session store panicked: {error}"),
                Err(_) => {
                    call.abort();
                    return Err(format!("the session store has not answered within {LONGEST:?}"));
                }
            };
            match pauses.next() {
                Some(pause) => sleep(pause).await,
                None => return Err(error),
            }
        }
    }
}
