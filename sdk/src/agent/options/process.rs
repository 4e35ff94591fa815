//! The options of the CLI's process.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::env::Env;
use crate::agent::transport::{ProcessGroup, StderrCallback};
use crate::agent::wire::millis;

/// How long the CLI waits for background work once its input is closed, in ms and 0 for ever.
const BACKGROUND_WAIT: &str = "CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS";
/// What the CLI takes if that is absent or no number.
const DEFAULT_BACKGROUND_WAIT: u64 = 600_000;

/// The program, its folders, its environment and its process group.
#[derive(Clone, Default)]
pub(crate) struct ProcessOptions {
    pub(crate) cli_path: Option<PathBuf>,
    pub(crate) cwd: Option<PathBuf>,
    /// Whose project settings are used, in place of those in `cwd`.
    pub(crate) project_config_root: Option<PathBuf>,
    /// The user that it runs as, by name or number.
    pub(crate) user: Option<String>,
    pub(crate) debug: bool,
    pub(crate) debug_file: Option<PathBuf>,
    pub(crate) add_dirs: Vec<PathBuf>,
    pub(crate) env: Env,
    pub(crate) client_app: Option<String>,
    pub(crate) stderr: Option<StderrCallback>,
    pub(crate) group: ProcessGroup,
}

impl ProcessOptions {
    /// Sets how long background work is waited for; `None` means forever.
    pub(super) fn set_background_wait(&mut self, wait: Option<Duration>) {
        let millis = wait.map_or(0, |wait| millis(wait).max(1));
        self.env.change(BACKGROUND_WAIT.as_ref(), Some(millis.to_string().into()));
    }

    /// How long a one-shot run waits between turns: as long as the CLI does. `None` means forever.
    pub(crate) fn background_wait(&self) -> Option<Duration> {
        let told = self.env.told(BACKGROUND_WAIT);
        let millis = told.and_then(|told| told.to_str()?.trim().parse().ok());
        let millis = millis.unwrap_or(DEFAULT_BACKGROUND_WAIT);
        (millis > 0).then(|| Duration::from_millis(millis))
    }
}

impl fmt::Debug for ProcessOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessOptions")
            .field("cli_path", &self.cli_path)
            .field("cwd", &self.cwd)
            .field("project_config_root", &self.project_config_root)
            .field("user", &self.user)
            .field("debug", &self.debug)
            .field("debug_file", &self.debug_file)
            .field("add_dirs", &self.add_dirs)
            .field("env", &self.env)
            .field("client_app", &self.client_app)
            .field("stderr", &self.stderr.is_some())
            .field("group", &self.group)
            .finish()
    }
}
