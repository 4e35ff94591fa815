//! What a run has of a session store.

use super::inbox::Outlet;
use super::mirror::Mirror;
use super::options::{AgentOptions, Folder, StoreOptions};

/// Empty for a run without a store.
#[derive(Default)]
pub(crate) struct StoredRun {
    mirror: Option<Mirror>,
}

impl StoredRun {
    pub(crate) fn of(options: &AgentOptions) -> Self {
        let StoreOptions { store, flush, .. } = &options.session.store;
        let mirror = store
            .as_ref()
            .map(|store| Mirror::start(store.0.clone(), options.project_key(), flush.is_eager()));
        Self { mirror }
    }

    /// Keeps the configuration folder of a resumed run until the CLI has ended and the store was
    /// given all that is in it.
    pub(crate) fn keep(&self, folder: Option<Folder>) {
        if let (Some(mirror), Some(folder)) = (&self.mirror, folder) {
            mirror.keep(folder);
        }
    }

    /// Results wait from now on until the transcript is stored.
    pub(crate) fn guard(&self, outlet: &mut Outlet) {
        if let Some(mirror) = &self.mirror {
            outlet.set_gate(mirror.gate());
        }
    }

    /// Whether there is a store, which gets what the CLI writes into transcripts.
    pub(crate) fn is_mirrored(&self) -> bool {
        self.mirror.is_some()
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
