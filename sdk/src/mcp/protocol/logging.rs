//! Severities of MCP's log messages, which are those of syslog (RFC 5424).

use serde::de::value::{Error, StrDeserializer};
use serde::{Deserialize, Serialize};

/// How severe a log message is, from the least to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LoggingLevel {
    /// Details for debugging.
    Debug,
    /// Normal operation.
    Info,
    /// A normal but notable event.
    Notice,
    /// A problem may follow.
    Warning,
    /// An operation failed.
    Error,
    /// A component fails.
    Critical,
    /// Action is needed at once.
    Alert,
    /// The whole system is unusable.
    Emergency,
}

impl LoggingLevel {
    /// The level of this name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::deserialize(StrDeserializer::<Error>::new(name)).ok()
    }
}
