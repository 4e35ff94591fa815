//! The transport and the launch parameters that the options describe.

use std::ffi::OsString;
use std::path::PathBuf;

use super::AgentOptions;
use super::arg::{Arg, File, with_value};
use super::env::Env;
use super::files::Files;
use crate::agent::error::ConnectError;
use crate::agent::transport::{Launch, Process};

impl AgentOptions {
    /// The transport that is used when the user gives none.
    pub(crate) fn process(&self) -> Process {
        let mut process = Process::new()
            .grace_after_end(self.limits.close_grace)
            .grace_after_terminate(self.limits.terminate_grace)
            .process_group(self.process.group);
        if let Some(path) = &self.process.cli_path {
            process = process.cli_path(path);
        }
        if let Some(callback) = &self.process.stderr {
            process = process.shared_stderr(callback.clone());
        }
        process
    }

    /// What the CLI is started with, and the temporary files that must exist until it has ended.
    /// Most runs have none.
    ///
    /// # Errors
    ///
    /// A file cannot be written.
    pub(crate) fn launch(&self) -> Result<(Launch, Files), ConnectError> {
        let mut files = Files::default();
        let launch =
            self.launch_with(|file| files.write(file)).map_err(ConnectError::TemporaryFile)?;
        Ok((launch, files))
    }

    /// The same without I/O: `write` stores a file and returns its absolute path.
    ///
    /// # Errors
    ///
    /// The first failure of `write`.
    pub(super) fn launch_with<E>(
        &self,
        mut write: impl FnMut(&File) -> Result<PathBuf, E>,
    ) -> Result<Launch, E> {
        let args = self.args().into_iter().map(|arg| match arg {
            Arg::Inline(arg) => Ok(arg),
            Arg::File { flag, file } => write(&file).map(|path| with_value(flag, path)),
        });
        let args = args.collect::<Result<_, _>>()?;
        Ok(Launch {
            args,
            env: self.env(),
            env_clear: self.process.env.clear,
            cwd: self.process.cwd.clone(),
        })
    }

    /// The variables that are set in or removed from the CLI's environment. The user's changes come
    /// last and win.
    fn env(&self) -> Vec<(OsString, Option<OsString>)> {
        let mut env = Env::default();
        if self.tools.file_checkpointing {
            env.change("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING".as_ref(), Some("true".into()));
        }
        if let Some(app) = &self.process.client_app {
            env.change("CLAUDE_AGENT_SDK_CLIENT_APP".as_ref(), Some(app.into()));
        }
        for (name, value) in &self.process.env.changes {
            env.change(name, value.clone());
        }
        env.changes
    }
}
