//! Setters for the process and its bounds.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::AgentOptionsBuilder;
use crate::agent::transport::ProcessGroup;

/// The process, its surroundings and its bounds.
impl AgentOptionsBuilder {
    /// The `claude` program. A relative path is relative to this program's working folder. It is
    /// searched for without it.
    pub fn cli_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.options.process.cli_path = Some(path.into());
        self
    }

    /// The working folder of the CLI; this program's own without it. Conversations belong to it.
    pub fn cwd(mut self, folder: impl Into<PathBuf>) -> Self {
        self.options.process.cwd = Some(folder.into());
        self
    }

    /// One more folder that the model's tools may use.
    pub fn add_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.options.process.add_dirs.push(folder.into());
        self
    }

    /// Sets a variable of the CLI's environment, which is otherwise this program's own; see also
    /// [`env_clear`](Self::env_clear).
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl Into<OsString>) -> Self {
        self.options.process.env.change(name.as_ref(), Some(value.into()));
        self
    }

    /// Sets variables, such as those that a scripted model gives for its CLI
    /// (`ScriptedModel::environment`).
    pub fn envs<N: AsRef<OsStr>, V: Into<OsString>>(
        self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        variables.into_iter().fold(self, |builder, (name, value)| builder.env(name, value))
    }

    /// Takes a variable out of the CLI's environment.
    pub fn env_remove(mut self, name: impl AsRef<OsStr>) -> Self {
        self.options.process.env.change(name.as_ref(), None);
        self
    }

    /// Lets the CLI inherit nothing: its environment is what [`env`](Self::env) says, before or
    /// after this. Without `PATH` and `HOME` it can do little.
    pub fn env_clear(mut self) -> Self {
        self.options.process.env.clear = true;
        self
    }

    /// The application that this is, such as `my-app/1.2`, for the User-Agent of requests to the
    /// API.
    pub fn client_app(mut self, name: impl Into<String>) -> Self {
        self.options.process.client_app = Some(name.into());
        self
    }

    /// Is told each line that the CLI writes to standard error, without its line break. It must
    /// return soon; what it panics with is lost. The end of standard error is in errors with or
    /// without it.
    pub fn stderr(mut self, callback: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.options.process.stderr = Some(Arc::new(callback));
        self
    }

    /// Whether the CLI gets a process group of its own.
    pub fn process_group(mut self, group: ProcessGroup) -> Self {
        self.options.process.group = group;
        self
    }

    /// How many bytes one line of the CLI's may have, at least 1; 256 MiB, unless said otherwise. A
    /// longer one is skipped and reported.
    pub fn max_line(mut self, bytes: usize) -> Self {
        self.options.limits.max_line = bytes;
        self
    }

    /// How many bytes of messages may wait to be read, at least 1, before the run ends with an
    /// error; 512 MiB, unless said otherwise.
    pub fn max_unread(mut self, bytes: usize) -> Self {
        self.options.limits.max_unread = bytes;
        self
    }

    /// How long a control request such as `set_model` may take; 60 s, unless said otherwise.
    pub fn control_timeout(mut self, timeout: Duration) -> Self {
        self.options.limits.control_timeout = timeout;
        self
    }

    /// How long the CLI may take to be ready; 120 s, unless said otherwise.
    pub fn initialize_timeout(mut self, timeout: Duration) -> Self {
        self.options.limits.initialize_timeout = timeout;
        self
    }

    /// How long the CLI may take to end after its input was closed, before it gets SIGTERM; 5 s,
    /// unless said otherwise.
    pub fn close_grace(mut self, grace: Duration) -> Self {
        self.options.limits.close_grace = grace;
        self
    }

    /// How long the CLI may take to end after SIGTERM, before it gets SIGKILL; 5 s, unless said
    /// otherwise.
    pub fn terminate_grace(mut self, grace: Duration) -> Self {
        self.options.limits.terminate_grace = grace;
        self
    }

    /// How long a one-shot run waits between turns for the CLI to go on with what runs in the
    /// background, before it closes its input; `None` is without end. 10 min, unless said
    /// otherwise, as in the official SDKs.
    pub fn background_wait(mut self, wait: Option<Duration>) -> Self {
        self.options.limits.background_wait = wait;
        self
    }
}
