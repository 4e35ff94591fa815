//! Copies what the CLI writes into its transcripts to a session store.
//!
//! The CLI says what it has written, the reader notes it here, and a task gives it to the store: at
//! the end of each turn, or when much has gathered. The driver never waits for the store. The
//! consumer does: a result is delivered once all that was written before it is stored.

mod delivery;
mod due;
mod frames;
mod gate;
mod shared;

use std::sync::Arc;

use self::delivery::Delivery;
pub(crate) use self::gate::MirrorGate;
use self::shared::Shared;
use super::options::{AgentOptions, Folder, StoreOptions};
use super::sessions::{SessionEntry, SessionKey, SessionStore, key_of_folder};
use crate::scan;

/// The mirror of one run.
pub(crate) struct Mirror {
    shared: Arc<Shared>,
    /// Under which the store has the sessions of the run's working folder.
    project_key: String,
}

impl Mirror {
    /// The mirror of a run that has a session store.
    pub(crate) fn of(options: &AgentOptions) -> Option<Self> {
        let StoreOptions { store, project, flush, .. } = &options.session.store;
        let store = store.as_ref()?.0.clone();
        let mirror = Self::start(store, options.project_key(), flush.is_eager());
        if let Some(resumed) = &options.session.resume {
            let project = project.as_ref().unwrap_or(&mirror.project_key);
            mirror.shared.state().project_of(resumed, project);
        }
        Some(mirror)
    }

    /// Starts the task, which ends some time after [`Mirror::end`]. Needs a runtime.
    fn start(store: Arc<dyn SessionStore>, project_key: String, is_eager: bool) -> Self {
        let shared = Arc::new(Shared::new(is_eager));
        tokio::spawn(shared.clone().run(Delivery::to(store)));
        Self { shared, project_key }
    }

    /// Takes a frame, as the CLI has written it, or the beginning of one that was too long.
    pub(crate) fn take(&self, frame: &str) {
        let path = scan::text(frame, "filePath").unwrap_or_default();
        let Some(mut key) = SessionKey::of_file(&path) else {
            let path: String = path.chars().take(200).collect();
            return tracing::warn!(path, "what the CLI mirrors is not of a session");
        };
        let raw = scan::member(frame, "entries").and_then(|raw| scan::elements(raw).ok());
        let mut unreadable = usize::from(raw.is_none());
        let mut entries = Vec::new();
        for entry in raw.into_iter().flatten() {
            match SessionEntry::parse(entry) {
                Ok(entry) => entries.push(entry),
                Err(_) => unreadable += 1,
            }
        }
        if entries.is_empty() && unreadable == 0 {
            return;
        }
        let is_due = {
            let state = &mut *self.shared.state();
            let project = key_of_folder(&key.project_key, &self.project_key);
            key.project_key = state.project_of(&key.session_id, project);
            state.come += 1;
            if unreadable > 0 {
                state.frames.miss(&key, unreadable);
            }
            if !entries.is_empty() {
                state.frames.add(key, entries);
            }
            state.is_wanted |= self.shared.is_eager || state.frames.are_many();
            state.is_wanted
        };
        if is_due {
            self.shared.woken.notify_one();
        }
    }

    /// Gives what there is to the store, as a turn has ended.
    pub(crate) fn flush(&self) {
        self.shared.state().is_wanted = true;
        self.shared.woken.notify_one();
    }

    /// Keeps the configuration folder of a resumed run until the CLI has ended and the store was
    /// given all that is in it.
    pub(crate) fn keep(&self, folder: Folder) {
        self.shared.state().folder = Some(folder);
    }

    /// No more frames will come.
    pub(crate) fn end(&self) {
        self.shared.state().has_ended = true;
        self.shared.woken.notify_one();
    }

    /// Waits until all that has come is stored or given up.
    pub(crate) async fn flushed(&self) {
        self.shared.clone().settled().await;
    }

    /// What holds back the results of the run.
    pub(crate) fn gate(&self) -> MirrorGate {
        MirrorGate::of(self.shared.clone())
    }
}

#[cfg(test)]
mod tests;
