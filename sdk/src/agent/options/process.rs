//! The options of the CLI's process.

use std::fmt;
use std::path::PathBuf;

use super::env::Env;
use crate::agent::transport::{ProcessGroup, StderrCallback};

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
