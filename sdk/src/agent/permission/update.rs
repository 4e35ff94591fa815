//! Changes of the rules by which the CLI decides.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::mode::PermissionMode;
use crate::agent::wire::{Field, Part, RawJson, words};

/// A change of the CLI's permissions, as it suggests one and as an answer may ask for.
///
/// ```
/// use toolwright::agent::permission::{PermissionBehavior, PermissionRuleValue, PermissionUpdate, PermissionUpdateDestination};
///
/// let rule = PermissionRuleValue::new("Bash").content("git status:*");
/// let update = PermissionUpdate::add_rules([rule], PermissionBehavior::Allow).destination(PermissionUpdateDestination::ProjectSettings);
/// # let _ = update;
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
#[non_exhaustive]
pub enum PermissionUpdate {
    /// Adds rules.
    AddRules {
        /// The rules.
        rules: Vec<PermissionRuleValue>,
        /// Their behavior.
        behavior: PermissionBehavior,
        /// Where they are kept.
        #[serde(default)]
        destination: PermissionUpdateDestination,
    },
    /// Replaces the rules of this behavior.
    ReplaceRules {
        /// The rules.
        rules: Vec<PermissionRuleValue>,
        /// Their behavior.
        behavior: PermissionBehavior,
        /// Where they are kept.
        #[serde(default)]
        destination: PermissionUpdateDestination,
    },
    /// Removes rules.
    RemoveRules {
        /// The rules.
        rules: Vec<PermissionRuleValue>,
        /// Their behavior.
        behavior: PermissionBehavior,
        /// Where they are kept.
        #[serde(default)]
        destination: PermissionUpdateDestination,
    },
    /// Sets the permission mode.
    SetMode {
        /// The mode.
        mode: PermissionMode,
        /// Where it is kept.
        #[serde(default)]
        destination: PermissionUpdateDestination,
    },
    /// Adds working folders.
    AddDirectories {
        /// The folders.
        directories: Vec<String>,
        /// Where they are kept.
        #[serde(default)]
        destination: PermissionUpdateDestination,
    },
    /// Removes working folders.
    RemoveDirectories {
        /// The folders.
        directories: Vec<String>,
        /// Where they are kept.
        #[serde(default)]
        destination: PermissionUpdateDestination,
    },
    /// One that this version does not know, as it came; it can be sent back.
    #[serde(untagged)]
    Other(Value),
}

/// A rule: a tool, and which of its calls.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PermissionRuleValue {
    /// The tool, such as `Bash`, `mcp__calc__add` or `mcp__calc__*`.
    pub tool_name: String,
    /// Which of its calls, such as `git status:*`; all of them without it.
    // The CLI drops all updates of an answer in which this is null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_content: Option<String>,
}

words! {
    /// What happens to a call that a rule matches.
    PermissionBehavior {
        /// The call is made.
        Allow = "allow",
        /// The call is not made.
        Deny = "deny",
        /// The callback, or a person, is asked.
        Ask = "ask",
    }

    /// Where a change is kept.
    PermissionUpdateDestination = Session {
        /// In the settings of the user.
        UserSettings = "userSettings",
        /// In the settings of the project, which others share.
        ProjectSettings = "projectSettings",
        /// In the settings of the project that are not shared.
        LocalSettings = "localSettings",
        /// In memory, until the session ends.
        Session = "session",
        /// With the arguments of the command line.
        CliArg = "cliArg",
    }
}

impl PermissionUpdate {
    /// Adds rules, for the session.
    pub fn add_rules(
        rules: impl IntoIterator<Item = PermissionRuleValue>,
        behavior: PermissionBehavior,
    ) -> Self {
        Self::AddRules {
            rules: rules.into_iter().collect(),
            behavior,
            destination: Default::default(),
        }
    }

    /// Replaces the rules of this behavior, for the session.
    pub fn replace_rules(
        rules: impl IntoIterator<Item = PermissionRuleValue>,
        behavior: PermissionBehavior,
    ) -> Self {
        Self::ReplaceRules {
            rules: rules.into_iter().collect(),
            behavior,
            destination: Default::default(),
        }
    }

    /// Removes rules, for the session.
    pub fn remove_rules(
        rules: impl IntoIterator<Item = PermissionRuleValue>,
        behavior: PermissionBehavior,
    ) -> Self {
        Self::RemoveRules {
            rules: rules.into_iter().collect(),
            behavior,
            destination: Default::default(),
        }
    }

    /// Sets the permission mode, for the session.
    pub fn set_mode(mode: PermissionMode) -> Self {
        Self::SetMode { mode, destination: Default::default() }
    }

    /// Adds working folders, for the session.
    pub fn add_directories<D: Into<String>>(directories: impl IntoIterator<Item = D>) -> Self {
        Self::AddDirectories {
            directories: directories.into_iter().map(Into::into).collect(),
            destination: Default::default(),
        }
    }

    /// Removes working folders, for the session.
    pub fn remove_directories<D: Into<String>>(directories: impl IntoIterator<Item = D>) -> Self {
        Self::RemoveDirectories {
            directories: directories.into_iter().map(Into::into).collect(),
            destination: Default::default(),
        }
    }

    /// Sets where the change is kept. No effect on a change of an unknown kind.
    pub fn destination(mut self, to: PermissionUpdateDestination) -> Self {
        match &mut self {
            Self::AddRules { destination, .. }
            | Self::ReplaceRules { destination, .. }
            | Self::RemoveRules { destination, .. }
            | Self::SetMode { destination, .. }
            | Self::AddDirectories { destination, .. }
            | Self::RemoveDirectories { destination, .. } => *destination = to,
            Self::Other(_) => {}
        }
        self
    }
}

impl PermissionRuleValue {
    /// A rule for all calls of a tool.
    pub fn new(tool_name: impl Into<String>) -> Self {
        Self { tool_name: tool_name.into(), rule_content: None }
    }

    /// Only for some of its calls.
    pub fn content(mut self, rule_content: impl Into<String>) -> Self {
        self.rule_content = Some(rule_content.into());
        self
    }
}

impl Field for PermissionUpdate {
    fn read(raw: Part<'_>) -> Option<Self> {
        RawJson::from(raw).decode().ok()
    }
}
