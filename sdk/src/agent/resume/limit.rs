//! How long a store may take.

use std::future::Future;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::timeout;

use crate::agent::options::{SharedStore, StoreOptions};
use crate::agent::sessions::{SessionEntry, SessionKey, SessionStore, StoreError, StoredSession};

/// A store whose calls fail if they take too long, as far as a session is resumed by them.
pub(super) struct Limited {
    store: SharedStore,
    limit: Duration,
}

impl Limited {
    /// The store of a run, if it has one.
    pub(super) fn of(options: &StoreOptions) -> Option<Self> {
        Some(Self { store: options.store.clone()?, limit: options.load_timeout })
    }

    async fn within<T>(
        &self,
        method: &str,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let limit = self.limit;
        timeout(limit, call).await.unwrap_or_else(|_| {
            Err(StoreError::failed(format!("{method} has not answered within {limit:?}")))
        })
    }
}

#[async_trait]
impl SessionStore for Limited {
    async fn append(&self, key: &SessionKey, entries: &[SessionEntry]) -> Result<(), StoreError> {
        self.within("append", self.store.0.append(key, entries)).await
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        self.within("load", self.store.0.load(key)).await
    }

    async fn list_sessions(&self, project_key: &str) -> Result<Vec<StoredSession>, StoreError> {
        self.within("list_sessions", self.store.0.list_sessions(project_key)).await
    }

    async fn list_subkeys(
        &self,
        project_key: &str,
        session_id: &str,
    ) -> Result<Vec<String>, StoreError> {
        self.within("list_subkeys", self.store.0.list_subkeys(project_key, session_id)).await
    }
}
