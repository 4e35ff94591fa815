//! The environment that the CLI would have.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use crate::agent::options::Env;

/// Where the user's configuration is.
#[derive(Debug)]
pub(super) struct Surroundings {
    /// The folder that `CLAUDE_CONFIG_DIR` names.
    pub(super) config: Option<PathBuf>,
    pub(super) home: Option<PathBuf>,
    /// The CLI signs in with a key or a token of the environment.
    pub(super) has_key: bool,
}

impl Surroundings {
    pub(super) fn of(changes: &Env) -> Self {
        let home = env::home_dir().filter(|_| !changes.clear).map(Into::into);
        Self::with(changes, |name| match name {
            "HOME" => home.clone(),
            name => env::var_os(name),
        })
    }

    /// `inherited` is the environment of this program.
    pub(super) fn with(changes: &Env, inherited: impl Fn(&str) -> Option<OsString>) -> Self {
        let value = |name: &str| changes.value(name, &inherited).filter(|value| !value.is_empty());
        let keys = ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"];
        Self {
            config: value("CLAUDE_CONFIG_DIR").map(Into::into),
            home: value("HOME").map(Into::into),
            has_key: keys.iter().any(|name| value(name).is_some()),
        }
    }

    /// The folder with credentials and settings.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        self.config.clone().or_else(|| Some(self.home.as_ref()?.join(".claude")))
    }

    /// What the CLI keeps between sessions. Without `CLAUDE_CONFIG_DIR` it is not in the folder.
    pub(super) fn state(&self) -> Option<PathBuf> {
        Some(self.config.as_ref().or(self.home.as_ref())?.join(".claude.json"))
    }
}
