//! The description of a client or server, and the capabilities of servers.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Icon, ListKind, Profile, app, task};

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
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "readable")]
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

/// An icon of another form is no reason to know nothing of a client.
fn readable<'de, D: serde::Deserializer<'de>>(icons: D) -> Result<Vec<Icon>, D::Error> {
    let Value::Array(icons) = Value::deserialize(icons)? else { return Ok(Vec::new()) };
    Ok(icons.into_iter().filter_map(|icon| Icon::deserialize(icon).ok()).collect())
}

/// What a server has besides tools.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Offers {
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
    pub(crate) completions: bool,
    /// Views for the results of tools.
    pub(crate) views: bool,
    /// Tools whose calls may become tasks.
    pub(crate) tasks: bool,
}

impl Offers {
    pub(crate) fn has(self, list: ListKind) -> bool {
        match list {
            ListKind::Tools => true,
            ListKind::Prompts => self.prompts,
            ListKind::Resources => self.resources,
        }
    }

    /// The capabilities of a server. Clients that cannot be notified of changes get no promise.
    pub(crate) fn capabilities(self, profile: &Profile, hears_changes: bool) -> Value {
        let (list, resources): (&[&str], &[&str]) = match hears_changes {
            true => (&["listChanged"], &["listChanged", "subscribe"]),
            false => (&[], &[]),
        };
        let has_completions = self.completions && profile.has_completions;
        let mut all = Map::new();
        declare(&mut all, "logging", true, &[]);
        declare(&mut all, "tools", true, list);
        declare(&mut all, "prompts", self.prompts, list);
        declare(&mut all, "resources", self.resources, resources);
        declare(&mut all, "completions", has_completions, &[]);
        let mut extensions = Map::new();
        declare(&mut extensions, app::EXTENSION, self.views && profile.has_extensions, &[]);
        declare(&mut extensions, task::EXTENSION, self.tasks && profile.has_extensions, &[]);
        if !extensions.is_empty() {
            all.insert("extensions".to_owned(), extensions.into());
        }
        all.into()
    }
}

/// Adds a capability with these flags, if the server has it.
fn declare(all: &mut Map<String, Value>, name: &str, has: bool, flags: &[&str]) {
    let mut capability = Map::new();
    for flag in flags {
        capability.insert((*flag).to_owned(), true.into());
    }
    if has {
        all.insert(name.to_owned(), capability.into());
    }
}
