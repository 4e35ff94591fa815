//! The description of a client or server, and the capabilities of servers.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Icon, Profile};

/// The description that a client or server gives of itself. MCP: for display, never for decisions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct Implementation {
    /// Its name for programs.
    pub name: String,
    /// Its display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its version.
    pub version: String,
    /// What it is, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its icons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// A page with more information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub website_url: Option<String>,
}

impl Implementation {
    /// What a revision has of it.
    pub(crate) fn within(&self, profile: &Profile) -> Self {
        let mut within = self.clone();
        if !profile.has_titles {
            within.title = None;
        }
        if !profile.has_icons {
            (within.description, within.icons, within.website_url) = (None, Vec::new(), None);
        }
        within
    }
}

/// The capabilities of every registry: the same in all revisions.
pub(crate) fn capabilities(hears_changes: bool) -> Value {
    let tools = if hears_changes { json!({"listChanged": true}) } else { json!({}) };
    json!({"logging": {}, "tools": tools})
}
