//! Who a client or a server says it is, and what it can do.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Icon;

/// A client or server as it describes itself; for display, never for decisions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct Implementation {
    /// Its name for programs.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its version.
    pub version: String,
    /// What it is, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Pictures of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// Where to read more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub website_url: Option<String>,
}

/// What every registry can do: the same in both eras.
pub(crate) fn capabilities() -> Value {
    json!({"logging": {}, "tools": {"listChanged": true}})
}
