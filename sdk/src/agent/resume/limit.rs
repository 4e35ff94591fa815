//! How long a store may take.

use std::future::Future;

use async_trait::async_trait;
use tokio::time::timeout;

use crate::agent::options::StoreOptions;
use crate::agent::sessions::{SessionEntry, SessionKey, SessionStore, StoreError};

/// A store whose calls fail if they take too long.
pub(super) struct Limited<'a> {
    pub(super) store: &'a dyn SessionStore,
    pub(super) options: &'a StoreOptions,
}

#[async_trait]
impl SessionStore for Limited<'_> {
    async fn append(&self, key: &SessionKey, entries: &[SessionEntry]) -> Result<(), StoreError> {
        within(self.options, "append", self.store.append(key, entries)).await
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        within(self.options, "load", self.store.load(key)).await
    }
}

pub(super) async fn within<T>(
    options: &StoreOptions,
    method: &str,
    call: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let limit = options.load_timeout;
    timeout(limit, call).await.unwrap_or_else(|_| {
        Err(StoreError::failed(format!("{method} has not answered within {limit:?}")))
    })
}
