use std::error::Error;

/// Why a [`SessionStore`](super::SessionStore) did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The store does not have this method.
    #[error("the session store does not support {method}")]
    Unsupported {
        /// The method.
        method: &'static str,
    },
    /// The store failed.
    #[error("the session store failed: {0}")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}

impl StoreError {
    /// The store failed for this reason.
    pub fn failed(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed(reason.into())
    }

    /// The store does not have this method.
    pub fn unsupported(method: &'static str) -> Self {
        Self::Unsupported { method }
    }
}
