//! Transcripts outside of the machine that the CLI runs on.

mod entry;
mod error;
mod key;
mod summary;

mod memory;

pub use entry::SessionEntry;
pub use error::StoreError;
pub use key::SessionKey;
pub use memory::InMemoryStore;
pub use summary::{SessionSummary, SummaryData, fold_session_summary};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

/// Where transcripts are kept outside of the machine that the CLI runs on.
///
/// ```
/// use std::collections::HashMap;
/// use std::sync::Mutex;
///
/// use toolwright::agent::async_trait;
/// use toolwright::agent::sessions::{SessionEntry, SessionKey, SessionStore, StoreError};
///
/// #[derive(Default)]
/// struct MyStore(Mutex<HashMap<SessionKey, Vec<SessionEntry>>>);
///
/// #[async_trait]
/// impl SessionStore for MyStore {
///     async fn append(&self, key: &SessionKey, new: &[SessionEntry]) -> Result<(), StoreError> {
///         self.0.lock().unwrap().entry(key.clone()).or_default().extend_from_slice(new);
///         Ok(())
///     }
///
///     async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
///         Ok(self.0.lock().unwrap().get(key).cloned())
///     }
/// }
/// ```
///
/// [`append`](Self::append) and [`load`](Self::load) are enough to go on with a session elsewhere.
/// The other methods are for lists, subagents and deletion; without them these are not to be had.
/// `toolwright::testing::store_conformance` tests a store.
///
/// The CLI still writes its own files; the store gets a copy. In a run that was resumed from the
/// store these files are temporary: they are deleted when the run has ended and the store was given
/// all, and what it has not taken by then is lost. This library deletes nothing in a
/// store unless it is told to: how long transcripts are kept is the store's business.
#[async_trait]
pub trait SessionStore: Send + Sync {
    /// Adds entries to a transcript, in this order and behind those of earlier calls.
    ///
    /// An entry with an [id](SessionEntry::uuid) may come twice, when an earlier call failed or a
    /// session is imported again; the store had better keep one. No entries change nothing.
    ///
    /// # Errors
    ///
    /// They are not, or not all, stored. The call is repeated.
    async fn append(&self, key: &SessionKey, entries: &[SessionEntry]) -> Result<(), StoreError>;

    /// The entries of a transcript; `None` if there is none. The order of an object's members may
    /// change, their values must not.
    ///
    /// # Errors
    ///
    /// They cannot be read.
    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError>;

    /// The sessions of a project, in any order. Transcripts of subagents are none.
    ///
    /// # Errors
    ///
    /// They cannot be read, or the store does not have this method.
    async fn list_sessions(&self, project_key: &str) -> Result<Vec<StoredSession>, StoreError> {
        let _ = project_key;
        Err(StoreError::unsupported("list_sessions"))
    }

    /// What lists show of the sessions of a project, as [`fold_session_summary`] has made it from
    /// the entries that each has. With it a list needs no call for each session.
    ///
    /// # Errors
    ///
    /// They cannot be read, or the store does not have this method.
    async fn list_session_summaries(
        &self,
        project_key: &str,
    ) -> Result<Vec<SessionSummary>, StoreError> {
        let _ = project_key;
        Err(StoreError::unsupported("list_session_summaries"))
    }

    /// Deletes a transcript; with the key of a conversation also those of its subagents. One that
    /// does not exist is deleted already.
    ///
    /// # Errors
    ///
    /// It cannot be deleted, or the store does not have this method.
    async fn delete(&self, key: &SessionKey) -> Result<(), StoreError> {
        let _ = key;
        Err(StoreError::unsupported("delete"))
    }

    /// The subpaths of a session's transcripts, without the conversation itself, in any order.
    ///
    /// # Errors
    ///
    /// They cannot be read, or the store does not have this method.
    async fn list_subkeys(
        &self,
        project_key: &str,
        session_id: &str,
    ) -> Result<Vec<String>, StoreError> {
        let _ = (project_key, session_id);
        Err(StoreError::unsupported("list_subkeys"))
    }
}

/// A session that a [`SessionStore`] has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredSession {
    /// Its id.
    pub session_id: String,
    /// When an entry was last added to its conversation, in milliseconds since 1970.
    pub mtime: u64,
}

#[cfg(test)]
mod tests;
