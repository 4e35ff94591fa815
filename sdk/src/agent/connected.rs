//! A run from its beginning to its end, as queries and conversations share it.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::core::{Core, Parts, State, Stop};
use super::driver::drive;
use super::error::{ConnectError, ControlError, ProcessExit, RunError};
use super::handle::Handle;
use super::inbox::{self, Outlet};
use super::message::Message;
use super::options::{AgentOptions, Files};
use super::prompt::UserPrompt;
use super::run_end::RunEnd;
use super::status::ServerInfo;
use super::transport::{Transport, check_version};

/// An initialised CLI and the one receiver of its messages. Dropping it ends the run.
pub(crate) struct Connected {
    pub(crate) handle: Handle,
    pub(crate) info: ServerInfo,
    outlet: Outlet,
    is_verbatim: bool,
    /// What was too long for an argument; deleted with the run.
    _files: Files,
}

impl Connected {
    /// Starts the CLI and initialises it. A one-shot run has an end that is followed; a
    /// conversation goes on until it is closed.
    pub(crate) async fn connect(
        transport: Box<dyn Transport>,
        options: AgentOptions,
        is_one_shot: bool,
    ) -> Result<Self, ConnectError> {
        for warning in options.warnings() {
            tracing::warn!("{warning}");
        }
        let (launch, files) = options.launch()?;
        let connection = transport.connect(launch).await?;
        let (sender, outlet) = inbox::channel(options.max_unread());
        let core = Core::new(Parts {
            registries: options.registries(),
            hooks: options.hooks(),
            can_use_tool: options.permission_callback(),
            inbox: sender,
            run_end: is_one_shot.then(|| RunEnd::new(options.needs_answers())),
            ceiling: options.background_wait(),
        });
        tokio::spawn(drive(core.clone(), connection, options.max_line()));
        let handle = Handle { core, timeout: options.control_timeout() };
        let mut connected = Self {
            handle,
            info: ServerInfo::default(),
            outlet,
            is_verbatim: options.is_verbatim(),
            _files: files,
        };
        connected.info = connected.initialize(&options).await?;
        Ok(connected)
    }

    async fn initialize(&self, options: &AgentOptions) -> Result<ServerInfo, ConnectError> {
        let answer = self
            .handle
            .send("initialize".into(), &options.initialize(), options.initialize_timeout())
            .await;
        let info: ServerInfo = match answer {
            Ok(answer) => serde_json::from_str(&answer).unwrap_or_default(),
            Err(ControlError::Closed { .. }) => {
                return Err(ConnectError::Exited(self.ended().await));
            }
            Err(error) => return Err(ConnectError::Initialize(error)),
        };
        // It warns; an old CLI may do all that this run needs.
        info.claude_code_version.as_deref().map(check_version);
        match options.needs_on_failure() && info.hook_on_failure_supported != Some(true) {
            true => Err(ConnectError::Initialize(ControlError::Refused {
                message: "this CLI does not honour `onFailure` of hooks".into(),
                code: None,
            })),
            false => Ok(info),
        }
    }

    /// Writes a prompt.
    pub(crate) fn prompt(&self, prompt: UserPrompt) -> Result<(), RunError> {
        write_prompt(&self.handle.core, prompt, self.is_verbatim)
    }

    pub(crate) fn is_verbatim(&self) -> bool {
        self.is_verbatim
    }

    pub(crate) fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Message, RunError>>> {
        self.outlet.poll_next(cx).map(|next| next.map(|message| message.map(Message::parse)))
    }

    pub(crate) async fn next(&mut self) -> Option<Result<Message, RunError>> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// Ends the run and waits until the CLI is gone.
    pub(crate) async fn close(self) -> ProcessExit {
        self.handle.core.stop(Stop::Closed);
        self.ended().await
    }

    /// Waits until the CLI is gone.
    async fn ended(&self) -> ProcessExit {
        let mut exit = self.handle.core.exit.subscribe();
        match exit.wait_for(Option::is_some).await {
            Ok(exit) => exit.clone().unwrap_or_default(),
            Err(_) => ProcessExit::default(),
        }
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.handle.core.stop(Stop::Closed);
        self.handle.core.end_input();
    }
}

/// Writes a prompt and takes note of the turn that it begins.
pub(crate) fn write_prompt(
    core: &Arc<Core>,
    prompt: UserPrompt,
    is_verbatim: bool,
) -> Result<(), RunError> {
    {
        let State { out, turns, ended, run_end, has_error_result, .. } = &mut *core.state();
        if let Some(exit) = ended {
            return Err(RunError::Process(exit.clone()));
        }
        let uuid = prompt.write(is_verbatim, out);
        // Only a conversation is read turn by turn.
        if run_end.is_none() {
            turns.begin(uuid);
        }
        // What ended the turn before this one explains nothing that happens from here on.
        *has_error_result = false;
        run_end.iter_mut().for_each(RunEnd::prompt);
    }
    core.to_write.notify_one();
    Ok(())
}
