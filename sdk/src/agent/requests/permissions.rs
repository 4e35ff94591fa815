//! The permission rules in force.

use serde_json::json;

use super::settings::SettingsError;
use crate::agent::error::ControlError;
use crate::agent::handle::Handle;
use crate::agent::wire::{RawJson, kept, record};

kept! {
    /// The permission rules in force, as `/permissions` shows them.
    pub struct PermissionRules {
        /** The rules. */ pub rules: Vec<PermissionRuleEntry>,
        /** The folders that tools may use beside the working folder. */
        pub workspace_directories: Vec<WorkspaceDirectory> = "workspaceDirectories",
        /** The working folder in which the session began. */
        pub original_cwd: String = "originalCwd",
        /** Only the rules of the organization apply. */ pub managed_only: bool = "managedOnly",
        /** Files that could not be read, and whose rules are missing. */
        pub errors: Vec<SettingsError>,
        /** The CLI has left things out, as its answers are stored elsewhere. */
        pub withheld: bool,
    }
}

record! {
    /// A permission rule.
    pub struct PermissionRuleEntry {
        /** `allow`, `deny` or `ask`. */ pub behavior: String,
        /** Where it is from, such as `userSettings`, `cliArg` or `session`. */
        pub source: String,
        /** The rule, such as `Bash(git log *)`. */ pub rule: String,
        /** What it means, in the CLI's form. */ pub description: Option<RawJson>,
        /** `persistent`, `session` or `readonly`. */ pub editability: String,
        /** The organization's settings overrule it. */
        pub not_in_effect: bool = "notInEffect",
    }

    /// A folder that tools may use.
    pub struct WorkspaceDirectory {
        /** The folder. */ pub path: String,
        /** Where it is from, such as `cliArg`. */ pub source: String,
    }
}

/// The permission rules in force.
impl Handle {
    /// The permission rules in force, and where each is from.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn list_permission_rules(&self) -> Result<PermissionRules, ControlError> {
        self.member("list_permission_rules", &json!({}), "state").await
    }
}
