//! Setters for the process and its bounds.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::AgentOptionsBuilder;
use crate::agent::transport::ProcessGroup;

/// The process, its environment and its limits.
impl AgentOptionsBuilder {
    /// The `claude` program. A relative path is relative to this program's working folder. Default:
    /// the program is searched for.
    pub fn cli_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.options.process.cli_path = Some(path.into());
        self
    }

    /// The working folder of the CLI, to which its conversations belong. Default: this program's
    /// own.
    pub fn cwd(mut self, folder: impl Into<PathBuf>) -> Self {
        self.options.process.cwd = Some(folder.into());
        self
    }

    /// Adds a folder that the model's tools may use.
    pub fn add_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.options.process.add_dirs.push(folder.into());
        self
    }

    /// Sets a variable of the CLI's environment, which is otherwise inherited; see also
    /// [`env_clear`](Self::env_clear).
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl Into<OsString>) -> Self {
        self.options.process.env.change(name.as_ref(), Some(value.into()));
        self
    }

    /// Sets variables, for example those of `ScriptedModel::environment`.
    pub fn envs<N: AsRef<OsStr>, V: Into<OsString>>(
        self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        variables.into_iter().fold(self, |builder, (name, value)| builder.env(name, value))
    }

    /// Removes a variable from the CLI's environment.
    pub fn env_remove(mut self, name: impl AsRef<OsStr>) -> Self {
        self.options.process.env.change(name.as_ref(), None);
        self
    }

    /// Lets the CLI inherit no variables: it only gets those that [`env`](Self::env) sets, before
    /// or after this call. Without `PATH` and `HOME` most features do not work.
    pub fn env_clear(mut self) -> Self {
        self.options.process.env.clear = true;
        self
    }

    /// The name of this application, such as `my-app/1.2`, for the User-Agent of requests to the
    /// API.
    pub fn client_app(mut self, name: impl Into<String>) -> Self {
        self.options.process.client_app = Some(name.into());
        self
    }

    /// Calls `callback` with each line of the CLI's standard error, without its line break. The
    /// callback should return soon; a panic in it is logged and otherwise ignored. Errors contain
    /// the end of standard error in any case.
    pub fn stderr(mut self, callback: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.options.process.stderr = Some(Arc::new(callback));
        self
    }

    /// The process group of the CLI.
    pub fn process_group(mut self, group: ProcessGroup) -> Self {
        self.options.process.group = group;
        self
    }

    /// The maximum length of one line of the CLI in bytes, at least 1. A longer line is skipped and
    /// reported. Default: 256 MiB.
    pub fn max_line(mut self, bytes: usize) -> Self {
        self.options.limits.max_line = bytes;
        self
    }

    /// The maximum size of all unread messages together in bytes, at least 1. Above it the run ends
    /// with an error. Default: 512 MiB.
    pub fn max_unread(mut self, bytes: usize) -> Self {
        self.options.limits.max_unread = bytes;
        self
    }

    /// The timeout of a control request such as `set_model`. Default: 60 s.
    pub fn control_timeout(mut self, timeout: Duration) -> Self {
        self.options.limits.control_timeout = timeout;
        self
    }

    /// The time that the CLI has to become ready. Default: 120 s.
    pub fn initialize_timeout(mut self, timeout: Duration) -> Self {
        self.options.limits.initialize_timeout = timeout;
        self
    }

    /// The time that the CLI has to exit after its input was closed, before it gets SIGTERM.
    /// Default: 5 s.
    pub fn close_grace(mut self, grace: Duration) -> Self {
        self.options.limits.close_grace = grace;
        self
    }

    /// The time that the CLI has to exit after SIGTERM, before it gets SIGKILL. Default: 5 s.
    pub fn terminate_grace(mut self, grace: Duration) -> Self {
        self.options.limits.terminate_grace = grace;
        self
    }

    /// How long a one-shot run waits between turns for background work of the CLI, before it closes
    /// the CLI's input; `None` means forever. Default: 10 min, as in the official SDKs.
    pub fn background_wait(mut self, wait: Option<Duration>) -> Self {
        self.options.limits.background_wait = wait;
        self
    }
}
