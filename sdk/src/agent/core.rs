//! What a run consists of, each part with a lock of its own, and what a control message of the CLI
//! means to the parts.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::{Mutex, watch};
use tokio::time::timeout;

use super::callbacks::Callbacks;
use super::channel::Channel;
use super::control::{Control, ReceivedId, Request};
use super::error::{ProcessExit, RunError};
use super::inbox::Inbox;
use super::jobs::Jobs;
use super::lifecycle::{Lifecycle, Limits, Stop};
use super::options::AgentOptions;
use super::prompt::UserPrompt;
use super::run_end::RunEnd;
use super::run_ref::RunRef;
use super::servers::Servers;
use super::turns::{Asker, Turns};

/// What is not gone this long after it was stopped is no longer waited for: a plain function may
/// not ask whether it is cancelled, an `async` one may block its thread. Callbacks have half of it
/// to clean up.
const STUCK: Duration = Duration::from_secs(2);

/// One run.
pub(crate) struct Core {
    pub(super) channel: Arc<Channel>,
    pub(super) lifecycle: Lifecycle,
    pub(super) turns: Turns,
    pub(super) inbox: Inbox,
    pub(super) jobs: Arc<Jobs>,
    callbacks: Arc<Callbacks>,
    pub(super) servers: Servers,
    pub(super) control_timeout: Duration,
    /// Whether user messages carry `"client_composed":true`.
    is_verbatim: bool,
    /// Prompts that wait for room are written in order.
    prompting: Mutex<()>,
    /// Held around the number and the line of a prompt, and around the count of prompts and the
    /// line of an interrupt, so that the CLI gets them in the same order. Nothing waits under it.
    pub(super) numbering: Mutex<()>,
    /// Closed once the run has ended and no tool and no callback runs any more.
    running: watch::Receiver<()>,
    #[cfg(feature = "sessions")]
    pub(super) mirror: Option<super::mirror::Mirror>,
}

/// A prompt as it is written.
struct PromptLine {
    line: Vec<u8>,
    uuid: String,
    is_answered: bool,
}

impl Core {
    /// A one-shot run has an end that is followed; a conversation goes on until it is closed.
    pub(crate) fn new(options: &AgentOptions, inbox: Inbox, is_one_shot: bool) -> Arc<Self> {
        let channel = Arc::<Channel>::default();
        let jobs = Jobs::new(channel.clone());
        let (background, end) = (options.process.background_wait(), options.limits.close_grace);
        let limits = Limits { background, end };
        let (sender, running) = watch::channel(());
        let sender = Arc::new(sender);
        let run_end = is_one_shot.then(|| RunEnd::new(options.tools.needs_answers()));
        Arc::new_cyclic(|core: &Weak<Self>| {
            let run = RunRef::to(core.clone());
            let callbacks =
                Callbacks::new(channel.clone(), jobs.clone(), options, run.clone(), sender.clone());
            let callbacks = Arc::new(callbacks);
            Self {
                lifecycle: Lifecycle::new(run_end, limits, channel.writer.alarm()),
                turns: Turns::default(),
                inbox,
                servers: Servers::new(&channel, &jobs, &callbacks, options, &run, &sender),
                callbacks,
                running,
                jobs,
                channel,
                control_timeout: options.limits.control_timeout,
                is_verbatim: options.prompt.verbatim,
                prompting: Mutex::default(),
                numbering: Mutex::default(),
                #[cfg(feature = "sessions")]
                mirror: super::mirror::Mirror::of(options),
            }
        })
    }

    /// Writes a prompt.
    pub(crate) fn prompt(&self, prompt: UserPrompt, asker: Asker) -> Result<(), RunError> {
        self.write(self.line(prompt), asker, |_| ()).map(drop)
    }

    /// Writes a prompt once there is room for it. It is `expected` under its number before the CLI
    /// can answer. Gives the number and the uuid. If the CLI ends, it waits until it is known how.
    pub(crate) async fn prompt_as(
        &self,
        prompt: UserPrompt,
        asker: Asker,
        expected: impl FnOnce(u64),
    ) -> Result<(u64, String), RunError> {
        let written = {
            let prompt = self.line(prompt);
            let _order = self.prompting.lock().await;
            self.channel.writer.room(prompt.line.len()).await;
            let _numbering = self.numbering.lock().await;
            self.write(prompt, asker, expected)
        };
        match written {
            Err(RunError::InputClosed) if self.lifecycle.is_ending() => {
                let exit = self.lifecycle.ended().await;
                Err(self.lifecycle.error().unwrap_or(RunError::Process(exit)))
            }
            written => written,
        }
    }

    fn line(&self, prompt: UserPrompt) -> PromptLine {
        let (is_answered, mut line) = (prompt.is_answered(), Vec::new());
        let uuid = prompt.write(self.is_verbatim, &mut line);
        PromptLine { line, uuid, is_answered }
    }

    fn write(
        &self,
        prompt: PromptLine,
        asker: Asker,
        expected: impl FnOnce(u64),
    ) -> Result<(u64, String), RunError> {
        if let Some(error) = self.lifecycle.error() {
            return Err(error);
        }
        if let Some(exit) = self.channel.ended() {
            return Err(RunError::Process(exit.clone()));
        }
        if self.channel.writer.is_ended() || self.lifecycle.is_stopped() {
            return Err(RunError::InputClosed);
        }
        let PromptLine { line, uuid, is_answered } = prompt;
        if !is_answered && asker == Asker::Turn {
            return Err(RunError::NoTurn);
        }
        if !self.lifecycle.keep_open() {
            return Err(RunError::InputClosed);
        }
        let mut number = 0;
        if is_answered {
            self.lifecycle.prompt();
            if !self.lifecycle.is_one_shot() {
                number = self.turns.begin(uuid.clone(), asker);
            }
            expected(number);
        }
        self.channel.writer.add(|out| out.extend_from_slice(&line));
        if self.lifecycle.written() {
            self.channel.writer.end();
        }
        self.flush().map(|()| (number, uuid))
    }

    /// Sends what was added to the channel.
    ///
    /// # Errors
    ///
    /// A line was lost, and the run is stopped.
    pub(super) fn flush(&self) -> Result<(), RunError> {
        let Some(unwritten) = self.channel.writer.flush() else { return Ok(()) };
        let error = RunError::Unwritten { unwritten };
        self.lifecycle.stop(Stop::Failed(error.clone()));
        Err(error)
    }

    /// Whether the run was stopped, or has to be.
    pub(super) fn is_stopped(&self) -> bool {
        self.flush().is_err() || self.lifecycle.is_stopped()
    }

    /// No more prompts will come.
    pub(crate) fn no_more_prompts(&self) {
        if self.lifecycle.no_more_prompts() {
            self.channel.writer.end();
        }
    }

    /// Takes a control message. Nothing of the user's runs in here: callbacks and calls are jobs.
    /// `length` is that of its line, in bytes.
    pub(super) fn control(&self, control: Control<'_>, length: usize) {
        match control {
            Control::Request(id, request) => match self.channel.open(&id, length) {
                Some((id, true)) => {
                    self.channel.refuse(&id, "Too many requests are open", Some("overloaded"));
                }
                Some((id, false)) => self.request(id, request),
                None => {
                    tracing::warn!(%id, "a control request came twice and is answered once");
                }
            },
            Control::Response(id, answer) => {
                self.channel.resolve(&id, answer.map(Into::into));
            }
            Control::Cancel(id) => self.channel.cancel(&id),
            Control::BadRequest(id, problem) => {
                // The id of a request that is being answered gets no second answer.
                if let Some((id, _)) = self.channel.open(&id, length) {
                    self.channel.refuse(&id, problem, Some("invalid_request"));
                }
            }
            Control::Malformed => tracing::warn!("a control message without an id was dropped"),
        }
    }

    fn request(&self, id: ReceivedId, request: Request<'_>) {
        match request {
            Request::Mcp { server, message } => self.servers.receive(id, &server, message),
            Request::CanUseTool(request) => self.callbacks.can_use_tool(id, request),
            Request::Hook { callback, input, tool_use_id } => {
                self.callbacks.hook(id, &callback, input, tool_use_id.map(Into::into));
            }
            Request::Elicitation(request) => self.callbacks.elicit(id, request),
            Request::Dialog(kind, request) => self.callbacks.dialog(id, &kind, request),
            Request::NotForUs => drop(self.channel.forget(&id)),
            Request::Unknown(subtype) => self.channel.refuse(
                &id,
                &format!("Unsupported control request subtype: {subtype}"),
                Some("unsupported_request"),
            ),
        }
    }

    /// Takes what the CLI has written into a transcript.
    pub(super) fn mirror(&self, frame: &str) {
        #[cfg(feature = "sessions")]
        self.mirror.iter().for_each(|mirror| mirror.take(frame));
        #[cfg(not(feature = "sessions"))]
        let _ = frame;
    }

    /// Whether a session store gets what the CLI writes into transcripts.
    pub(super) fn is_mirrored(&self) -> bool {
        #[cfg(feature = "sessions")]
        let is_mirrored = self.mirror.is_some();
        #[cfg(not(feature = "sessions"))]
        let is_mirrored = false;
        is_mirrored
    }

    /// A turn has ended: its transcript is to be stored.
    pub(super) fn flush_mirror(&self) {
        #[cfg(feature = "sessions")]
        self.mirror.iter().for_each(|mirror| mirror.flush());
    }

    /// The run is over: pending requests fail, what runs is stopped, what the user gave is dropped.
    pub(super) fn end(&self, exit: ProcessExit, error: Option<RunError>) {
        self.channel.end(&exit);
        self.jobs.close();
        self.servers.close();
        self.callbacks.close();
        #[cfg(feature = "sessions")]
        self.mirror.iter().for_each(|mirror| mirror.end());
        self.lifecycle.end(exit);
        self.inbox.end(error);
    }

    /// Waits until the tools and callbacks of a run that has ended are gone, except those that
    /// cannot be stopped.
    pub(super) async fn calls_are_gone(&self) {
        let mut running = self.running.clone();
        let gone = async { while running.changed().await.is_ok() {} };
        let _ = timeout(STUCK, gone).await;
    }
}

#[cfg(test)]
mod tests;
