//! Starts a run and ends it, for queries and conversations alike.

use std::future::poll_fn;
use std::io;
use std::sync::Arc;

use tracing::Instrument;

use super::core::Core;
use super::driver::drive;
use super::error::{ConnectError, ControlError, ProcessExit, RunError};
use super::handle::Handle;
use super::inbox::{self, Outlet};
use super::lifecycle::Stop;
use super::message::Message;
use super::options::{AgentOptions, Files};
use super::runtime;
use super::status::ServerInfo;
use super::trace::Trace;
use super::transport::{Transport, check_version};
use super::wire::{self, Cursor};

/// An initialised CLI. Dropping it ends the run.
pub(crate) struct Connected {
    pub(crate) handle: Handle,
    pub(crate) info: ServerInfo,
    /// Ends the CLI although the runtime may not run.
    ender: Option<Box<dyn Fn() + Send + Sync>>,
    /// Arguments that were too long for the command line; deleted with the run.
    _files: Files,
}

/// A CLI that was started and is not initialised yet. Dropping it ends the run.
pub(crate) struct Starting {
    connected: Connected,
    outlet: Outlet,
    options: AgentOptions,
}

impl Connected {
    /// Starts the CLI and initialises it. Its messages come out of the outlet. A one-shot run has
    /// an end that is followed; a conversation goes on until it is closed.
    pub(crate) async fn connect(
        transport: Box<dyn Transport>,
        options: AgentOptions,
        is_one_shot: bool,
    ) -> Result<(Self, Outlet), ConnectError> {
        Starting::start(transport, options, is_one_shot).await?.ready().await
    }

    async fn initialize(&self, options: &AgentOptions) -> Result<ServerInfo, ConnectError> {
        let answer = self
            .handle
            .exchange("initialize", &options.initialize(), options.limits.initialize_timeout)
            .await;
        let info: ServerInfo = match answer {
            Ok(answer) => *wire::read(Cursor::of(&answer.into())).unwrap_or_default(),
            Err(ControlError::Closed { .. }) => {
                return Err(ConnectError::Exited(self.handle.core.lifecycle.ended().await));
            }
            Err(error) => return Err(ConnectError::Initialize(error)),
        };
        // This only warns: an old CLI may do all that this run needs.
        info.claude_code_version.as_deref().map(check_version);
        match options.tools.hooks.blocks_on_failure() && !info.can_block_on_failure() {
            true => Err(ConnectError::Unsupported { option: "`OnFailure::Block` of hooks" }),
            false => check_agents(options, &info).map(|()| info),
        }
    }

    /// Ends the run and waits until the CLI, the tools and the callbacks are gone.
    pub(crate) async fn close(self) -> ProcessExit {
        close(&self.handle.core).await
    }
}

impl Starting {
    /// Starts the CLI.
    pub(crate) async fn start(
        transport: Box<dyn Transport>,
        options: AgentOptions,
        is_one_shot: bool,
    ) -> Result<Self, ConnectError> {
        runtime::check_time()?;
        for warning in options.warnings() {
            tracing::warn!("{warning}");
        }
        let options = options.with_settings_read()?;
        #[cfg(feature = "sessions")]
        let (options, resumed) = super::resume::from_store(options).await?;
        #[cfg_attr(not(feature = "sessions"), expect(unused_mut, reason = "only stores change it"))]
        let (mut launch, files) = options.launch()?;
        #[cfg(feature = "sessions")]
        launch.files.extend(resumed.as_ref().map(super::resume::launch_file));
        let connection = transport.connect(launch).await?;
        let ender = connection.peer.ender();
        #[cfg_attr(not(feature = "sessions"), expect(unused_mut, reason = "only stores change it"))]
        let (sender, mut outlet) =
            inbox::channel(options.limits.max_unread, options.limits.backpressure);
        let core = Core::new(&options, sender, is_one_shot);
        #[cfg(feature = "sessions")]
        if let Some(mirror) = &core.mirror {
            resumed.into_iter().for_each(|folder| mirror.keep(folder));
            outlet.set_gate(mirror.gate());
        }
        let trace = Trace::of(&options);
        let span = trace.run().clone();
        let driver = drive(core.clone(), connection, options.limits.max_line, trace);
        tokio::spawn(driver.instrument(span));
        let handle = Handle::of(core);
        let connected = Connected { handle, info: ServerInfo::default(), ender, _files: files };
        Ok(Self { connected, outlet, options })
    }

    /// Initialises the CLI.
    pub(crate) async fn ready(mut self) -> Result<(Connected, Outlet), ConnectError> {
        self.connected.info = match self.connected.initialize(&self.options).await {
            Err(ConnectError::Exited(exit)) => return Err(explained(exit, self.outlet).await),
            info => info?,
        };
        Ok((self.connected, self.outlet))
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.connected.handle.core
    }
}

/// The CLI goes on without an agent that it does not have or cannot read, and mentions it only in
/// its log. Old ones do not tell which they have.
fn check_agents(options: &AgentOptions, info: &ServerInfo) -> Result<(), ConnectError> {
    if info.agents.is_empty() {
        return Ok(());
    }
    let known = || info.agents.iter().map(|agent| agent.name.as_str());
    let is_known = |name: &str| known().any(|known| known == name);
    let defined = || options.tools.agents.iter().map(|(name, _)| name.as_str());
    for name in defined().filter(|name| !is_known(name)) {
        tracing::warn!(agent = name, "the CLI has not taken the definition of this agent");
    }
    // Those of plugins are called `<plugin>:<name>`, and go by the second part too.
    let is_of_plugin = |name: &str| {
        known().any(|known| known.strip_suffix(name).is_some_and(|it| it.ends_with(':')))
    };
    let is_there = |name: &str| match name {
        // The default agent, which the CLI does not always list.
        "claude" => true,
        name => is_known(name) || (is_of_plugin(name) && defined().all(|defined| defined != name)),
    };
    match options.model.agent.as_ref().filter(|name| !is_there(name)) {
        Some(name) => Err(ConnectError::UnknownAgent {
            name: name.clone(),
            known: known().map(str::to_owned).collect(),
        }),
        None => Ok(()),
    }
}

/// Ends a run and waits until the CLI, the tools and the callbacks are gone.
pub(crate) async fn close(core: &Core) -> ProcessExit {
    core.lifecycle.stop(Stop::Closed);
    let exit = core.lifecycle.ended().await;
    core.calls_are_gone().await;
    #[cfg(feature = "sessions")]
    if let Some(mirror) = &core.mirror {
        mirror.flushed().await;
    }
    exit
}

/// Why a run ended before the CLI was ready. The CLI may have said so in a result.
async fn explained(exit: ProcessExit, mut outlet: Outlet) -> ConnectError {
    while let Some(line) = poll_fn(|cx| outlet.poll_next(cx)).await {
        match line.map(Message::parse) {
            Ok(Message::Result(result)) if !result.is_success() => {
                return ConnectError::Failed { result, exit };
            }
            Err(RunError::Transport(error)) => {
                return ConnectError::Transport(io::Error::new(error.kind(), error));
            }
            Err(RunError::Process(_)) | Ok(_) => {}
            Err(error) => tracing::warn!(%error, "the CLI was ended before it was ready"),
        }
    }
    ConnectError::Exited(exit)
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.handle.core.lifecycle.stop(Stop::Closed);
        self.handle.core.channel.writer.end();
        self.ender.iter().for_each(|end| end());
    }
}

#[cfg(test)]
mod tests;
