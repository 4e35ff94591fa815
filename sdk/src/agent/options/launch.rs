//! The transport and the launch parameters that the options describe.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::Value;

use super::AgentOptions;
use super::arg::{Arg, File};
use super::env::Env;
use super::files::Files;
use super::settings::Settings;
use crate::agent::error::ConnectError;
#[cfg(feature = "sessions")]
use crate::agent::sessions::project_key_with;
use crate::agent::transport::{Launch, LaunchFile, NamedBy, Process, with_value};
use crate::agent::user::User;

/// Makes the CLI report when it is idle, which ends a run.
const STATES: &str = "CLAUDE_CODE_SDK_READS_SESSION_STATE";

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

    /// The options with the settings that a file has, if the sandbox must be added to them. The
    /// arguments and the `initialize` request are to be made of the same options.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or has no JSON object.
    pub(crate) fn with_settings_read(mut self) -> Result<Self, ConnectError> {
        let (Some(Settings::File(path)), Some(_)) =
            (&self.settings.settings, &self.settings.sandbox)
        else {
            return Ok(self);
        };
        let fail = |source: io::Error| ConnectError::Settings { path: path.clone(), source };
        let file = self.folder().join(path);
        let text = match self.user()? {
            Some(user) => user.open(&file).and_then(io::read_to_string),
            None => fs::read_to_string(file),
        };
        let text = text.map_err(fail)?;
        let settings: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|error| fail(error.into()))?;
        if !settings.is_object() {
            return Err(fail(io::Error::other("it has no JSON object")));
        }
        self.settings.settings = Some(Settings::Json(settings));
        Ok(self)
    }

    /// What the CLI is started with, and the temporary files that must exist until it has ended.
    /// Most runs have none.
    ///
    /// # Errors
    ///
    /// A file cannot be written, or there is no such user.
    pub(crate) fn launch(&self) -> Result<(Launch, Files), ConnectError> {
        let mut files = Files::default();
        let user = self.user()?;
        let launch = self.launch_with(|file| files.write(file));
        let mut launch = launch.map_err(ConnectError::TemporaryFile)?;
        if let Some(user) = user {
            files.give_to(user).map_err(ConnectError::TemporaryFile)?;
            launch.user = Some((user.uid, user.gid));
        }
        Ok((launch, files))
    }

    /// The user that the CLI runs as, if it is not that of this program.
    ///
    /// # Errors
    ///
    /// There is no such user.
    pub(crate) fn user(&self) -> Result<Option<User>, ConnectError> {
        let Some(name) = self.process.user.as_deref() else { return Ok(None) };
        let user = User::find(name).ok_or_else(|| ConnectError::User { name: name.to_owned() })?;
        Ok(Some(user))
    }

    /// The working folder.
    pub(crate) fn folder(&self) -> &Path {
        self.process.cwd.as_deref().unwrap_or(Path::new("."))
    }

    /// The key under which a store has the sessions of the working folder.
    #[cfg(feature = "sessions")]
    pub(crate) fn project_key(&self) -> String {
        project_key_with(self.folder(), |name| self.process.env.told(name))
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
        let mut files = Vec::new();
        let args = self.args().into_iter().enumerate().map(|(at, arg)| match arg {
            Arg::Inline(arg) => Ok(arg),
            Arg::File { flag, file } => {
                let path = write(&file)?;
                let arg = with_value(flag, &path);
                files.push(LaunchFile { path, named_by: NamedBy::Arg(at) });
                Ok(arg)
            }
        });
        let args = args.collect::<Result<_, _>>()?;
        Ok(Launch {
            args,
            files,
            env: self.env(),
            env_clear: self.process.env.clear,
            cwd: self.process.cwd.clone(),
            user: None,
        })
    }

    /// The variables that are set in or removed from the CLI's environment. The user's changes come
    /// last and win.
    fn env(&self) -> Vec<(OsString, Option<OsString>)> {
        let mut env = Env::default();
        let mut set = |name: &str, value: OsString| env.change(name.as_ref(), Some(value));
        set("CLAUDE_CODE_ENTRYPOINT", "sdk-rs".into());
        set("CLAUDE_AGENT_SDK_VERSION", env!("CARGO_PKG_VERSION").into());
        // What would be inherited counts, and a CLI elsewhere has to be told.
        let states = self.process.env.told(STATES);
        set(STATES, states.unwrap_or_else(|| "1".into()));
        if self.tools.file_checkpointing {
            set("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", "true".into());
        }
        if let Some(preview) = self.tools.question_preview {
            set("CLAUDE_CODE_QUESTION_PREVIEW_FORMAT", preview.as_str().into());
        }
        if let Some(app) = &self.process.client_app {
            set("CLAUDE_AGENT_SDK_CLIENT_APP", app.into());
        }
        for (name, value) in &self.process.env.changes {
            env.change(name, value.clone());
        }
        env.changes
    }
}
