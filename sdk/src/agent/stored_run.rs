//! What a run has of a session store: the mirror, and the configuration it was resumed from.

use std::sync::{Mutex, PoisonError};

use super::inbox::Outlet;
use super::mirror::Mirror;
use super::options::{AgentOptions, Folder, StoreOptions};

/// Empty for a run without a store.
#[derive(Default)]
pub(crate) struct StoredRun {
    mirror: Option<Mirror>,
    /// Deleted once the CLI has ended.
    folder: Mutex<Option<Folder>>,
}

impl StoredRun {
    pub(crate) fn of(options: &AgentOptions) -> Self {
        let StoreOptions { store, flush, .. } = &options.session.store;
        let mirror = store
            .as_ref()
            .map(|store| Mirror::start(store.0.clone(), options.project_key(), flush.is_eager()));
        Self { mirror, folder: Mutex::default() }
    }

    /// Keeps a configuration folder as long as the CLI runs.
    pub(crate) fn keep(&self, folder: Option<Folder>) {
        *self.folder.lock().unwrap_or_else(PoisonError::into_inner) = folder;
    }

    /// Results wait from now on until the transcript is stored.
    pub(crate) fn guard(&self, outlet: &mut Outlet) {
        if let Some(mirror) = &self.mirror {
            outlet.set_gate(mirror.gate());
        }
    }

    pub(crate) fn take(&self, frame: &str) {
        self.mirror.iter().for_each(|mirror| mirror.take(frame));
    }

    pub(crate) fn flush(&self) {
        self.mirror.iter().for_each(Mirror::flush);
    }

    /// The CLI has ended.
    pub(crate) fn end(&self) {
        self.mirror.iter().for_each(Mirror::end);
        self.keep(None);
    }

    /// Waits until all that the CLI has written is stored or given up.
    pub(crate) async fn flushed(&self) {
        if let Some(mirror) = &self.mirror {
            mirror.flushed().await;
        }
    }
}

#[cfg(test)]
mod tests;
