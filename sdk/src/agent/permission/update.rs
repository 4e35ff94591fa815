//! Changes of the rules by which the CLI decides.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::mode::PermissionMode;
use crate::agent::wire::{Cursor, Field, RawJson, record, words};

/// A change of the CLI's permissions, as it suggests one and as an answer may ask for.
///
/// ```
/// use toolwright::agent::permission::{
///     PermissionBehavior, PermissionRuleValue, PermissionUpdate, PermissionUpdateDestination,
/// };
///
/// let rule = PermissionRuleValue::new("Bash").content("git status:*");
/// let update = PermissionUpdate::add_rules([rule], PermissionBehavior::Allow)
///     .destination(PermissionUpdateDestination::ProjectSettings);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
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
        destination: PermissionUpdateDestination,
    },
    /// Replaces the rules of this behavior.
    ReplaceRules {
        /// The rules.
        rules: Vec<PermissionRuleValue>,
        /// Their behavior.
        behavior: PermissionBehavior,
        /// Where they are kept.
        destination: PermissionUpdateDestination,
    },
    /// Removes rules.
    RemoveRules {
        /// The rules.
        rules: Vec<PermissionRuleValue>,
        /// Their behavior.
        behavior: PermissionBehavior,
        /// Where they are kept.
        destination: PermissionUpdateDestination,
    },
    /// Sets the permission mode.
    SetMode {
        /// The mode.
        mode: PermissionMode,
        /// Where it is kept.
        destination: PermissionUpdateDestination,
    },
    /// Adds working folders.
    AddDirectories {
        /// The folders.
        directories: Vec<String>,
        /// Where they are kept.
        destination: PermissionUpdateDestination,
    },
    /// Removes working folders.
    RemoveDirectories {
        /// The folders.
        directories: Vec<String>,
        /// Where they are kept.
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
        /** The call is made. */ Allow = "allow",
        /** The call is not made. */ Deny = "deny",
        /** The callback, or a person, is asked. */ Ask = "ask",
    }

    /// Where a change is kept.
    ///
    /// One in settings that [`setting_sources`] leaves out is stored there, but holds in the
    /// running session only until the CLI reads its settings again, as it does when a file of them
    /// changes.
    ///
    /// [`setting_sources`]: crate::agent::AgentOptionsBuilder::setting_sources
    PermissionUpdateDestination = Session {
        /** In the settings of the user. */ UserSettings = "userSettings",
        /// In the settings of the project, which others share.
        ProjectSettings = "projectSettings",
        /** In the settings of the project that are not shared. */ LocalSettings = "localSettings",
        /** In memory, until the session ends. */ Session = "session",
        /** With the arguments of the command line. */ CliArg = "cliArg",
    }
}

impl PermissionUpdate {
    /// Adds rules, for the session.
    pub fn add_rules(
        rules: impl IntoIterator<Item = PermissionRuleValue>,
        behavior: PermissionBehavior,
    ) -> Self {
        let rules = rules.into_iter().collect();
        Self::AddRules { rules, behavior, destination: Default::default() }
    }

    /// Replaces the rules of this behavior, for the session.
    pub fn replace_rules(
        rules: impl IntoIterator<Item = PermissionRuleValue>,
        behavior: PermissionBehavior,
    ) -> Self {
        let rules = rules.into_iter().collect();
        Self::ReplaceRules { rules, behavior, destination: Default::default() }
    }

    /// Removes rules, for the session.
    pub fn remove_rules(
        rules: impl IntoIterator<Item = PermissionRuleValue>,
        behavior: PermissionBehavior,
    ) -> Self {
        let rules = rules.into_iter().collect();
        Self::RemoveRules { rules, behavior, destination: Default::default() }
    }

    /// Sets the permission mode, for the session.
    pub fn set_mode(mode: PermissionMode) -> Self {
        Self::SetMode { mode, destination: Default::default() }
    }

    /// Adds working folders, for the session.
    pub fn add_directories<D: Into<String>>(directories: impl IntoIterator<Item = D>) -> Self {
        let directories = directories.into_iter().map(Into::into).collect();
        Self::AddDirectories { directories, destination: Default::default() }
    }

    /// Removes working folders, for the session.
    pub fn remove_directories<D: Into<String>>(directories: impl IntoIterator<Item = D>) -> Self {
        let directories = directories.into_iter().map(Into::into).collect();
        Self::RemoveDirectories { directories, destination: Default::default() }
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

    /// Whether it says where it is kept in a way that can be changed.
    pub(super) fn is_known(&self) -> bool {
        !matches!(self, Self::Other(_))
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

record! {
    /// The members of all kinds of changes.
    struct Members {
        pub kind: String = "type",
        pub rules: Option<Vec<Checked<PermissionRuleValue>>>,
        pub behavior: Option<PermissionBehavior>,
        pub mode: Option<PermissionMode>,
        pub directories: Option<Vec<Checked<String>>>,
        pub destination: Option<Checked<PermissionUpdateDestination>>,
    }

    /// The members of a rule.
    struct RuleMembers {
        pub tool_name: Option<String> = "toolName",
        pub rule_content: Option<Checked<String>> = "ruleContent",
    }
}

impl Field for PermissionRuleValue {
    fn read(json: &mut Cursor<'_>) -> Option<Self> {
        RuleMembers::read(json).and_then(RuleMembers::rule)
    }
}

impl RuleMembers {
    fn rule(self) -> Option<PermissionRuleValue> {
        let Self { tool_name, rule_content } = self;
        Some(PermissionRuleValue { tool_name: tool_name?, rule_content: whole(rule_content)? })
    }
}

impl Field for PermissionUpdate {
    fn read(json: &mut Cursor<'_>) -> Option<Self> {
        json.attempt(|json| Members::read(json).and_then(Members::update))
            .or_else(|| RawJson::read(json)?.decode().map(Self::Other).ok())
    }
}

impl Members {
    /// `None` if the kind is unknown or a part has the wrong type: a change that is sent back
    /// without a part of it would be another change.
    fn update(self) -> Option<PermissionUpdate> {
        use PermissionUpdate as Update;

        let Self { kind, rules, behavior, mode, directories, destination } = self;
        let destination = whole(destination)?.unwrap_or_default();
        Some(match kind.as_str() {
            "addRules" => Update::AddRules { rules: all(rules)?, behavior: behavior?, destination },
            "replaceRules" => {
                Update::ReplaceRules { rules: all(rules)?, behavior: behavior?, destination }
            }
            "removeRules" => {
                Update::RemoveRules { rules: all(rules)?, behavior: behavior?, destination }
            }
            "setMode" => Update::SetMode { mode: mode?, destination },
            "addDirectories" => {
                Update::AddDirectories { directories: all(directories)?, destination }
            }
            "removeDirectories" => {
                Update::RemoveDirectories { directories: all(directories)?, destination }
            }
            _ => return None,
        })
    }
}

/// A value that is not left out if it has the wrong type, but `None`.
#[derive(Debug, Clone, PartialEq, Default)]
struct Checked<T>(Option<T>);

impl<T: Field> Field for Checked<T> {
    fn read(json: &mut Cursor<'_>) -> Option<Self> {
        json.take(T::read).map(Self)
    }
}

/// What a member is, if it is there; `None` if it has the wrong type.
fn whole<T>(member: Option<Checked<T>>) -> Option<Option<T>> {
    member.map_or(Some(None), |checked| checked.0.map(Some))
}

/// All elements, or `None` if one has the wrong type.
fn all<T>(elements: Option<Vec<Checked<T>>>) -> Option<Vec<T>> {
    elements?.into_iter().map(|checked| checked.0).collect()
}

impl<'de> Deserialize<'de> for PermissionUpdate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Not as it came: within a tagged type serde has only the value left.
        let value = Value::deserialize(deserializer)?;
        Self::read(&mut Cursor::of(&value.to_string().into()))
            .ok_or_else(|| D::Error::custom("a value that is nested too deep"))
    }
}
