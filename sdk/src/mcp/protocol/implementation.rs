//! The description of a client or server, and the capabilities of servers.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

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
        let list = if hears_changes { json!({"listChanged": true}) } else { json!({}) };
        let mut all = json!({"logging": {}, "tools": list});
        if self.prompts {
            all["prompts"] = list.clone();
        }
        if self.resources {
            all["resources"] = list;
            if hears_changes {
                all["resources"]["subscribe"] = true.into();
            }
        }
        if self.completions && profile.has_completions {
            all["completions"] = json!({});
        }
        let extensions = [(self.views, app::EXTENSION), (self.tasks, task::EXTENSION)];
        for (_, name) in extensions.into_iter().filter(|(has, _)| *has && profile.has_extensions) {
            all["extensions"][name] = json!({});
        }
        all
    }
}
