//! The options of a session store.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::agent::sessions::SessionStore;

/// Where transcripts are kept beside the CLI's own files.
#[derive(Debug, Clone)]
pub(crate) struct StoreOptions {
    pub(crate) store: Option<SharedStore>,
    /// Under which project it has the resumed session, if it was asked.
    pub(crate) project: Option<String>,
    pub(crate) flush: StoreFlush,
    pub(crate) load_timeout: Duration,
}

/// A store of the user's.
#[derive(Clone)]
pub(crate) struct SharedStore(pub(crate) Arc<dyn SessionStore>);

/// When a session store gets what the CLI has written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreFlush {
    /// At the end of each turn, and when more than 500 entries or 1 MiB have gathered.
    #[default]
    Batched,
    /// At once. What a turn has done so far is stored when this program or its machine is lost.
    Eager,
}

impl StoreFlush {
    pub(crate) fn is_eager(self) -> bool {
        self == Self::Eager
    }
}

impl Default for StoreOptions {
    fn default() -> Self {
        let load_timeout = Duration::from_secs(60);
        Self { store: None, project: None, flush: StoreFlush::default(), load_timeout }
    }
}

impl fmt::Debug for SharedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionStore")
    }
}
