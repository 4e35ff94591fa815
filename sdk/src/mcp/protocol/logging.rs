//! Severities of MCP's log messages, which are those of syslog.

use serde::{Deserialize, Serialize};

/// How severe a log message is, from the least to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LoggingLevel {
    /// For finding a fault.
    Debug,
    /// The ordinary course of things.
    Info,
    /// Worth seeing, nothing wrong.
    Notice,
    /// Something may go wrong.
    Warning,
    /// Something went wrong.
    Error,
    /// A component fails.
    Critical,
    /// Act at once.
    Alert,
    /// Nothing works.
    Emergency,
}
