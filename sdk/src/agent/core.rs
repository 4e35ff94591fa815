//! What a run consists of, behind one lock: the control protocol, the in-process servers, what is
//! to be written.
//!
//! Everybody speaks in turn here: the driver with what the CLI said, callbacks and tools with what
//! they came to, handles with requests. No code of the user's runs under the lock, and nobody waits
//! for anything while holding it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::{Notify, oneshot, watch};
use tokio::task::AbortHandle;

use super::bridge::{self, Bridge, CallId, Link, Said};
use super::control::{Answer, ControlSession};
use super::error::{ControlError, ProcessExit, RunError};
use super::hook::Hooks;
use super::inbox::Inbox;
use super::permission::PermissionCallback;
use super::run_end::RunEnd;
use super::turns::Turns;
use crate::CancelToken;
use crate::ToolRegistry;
use crate::threads::Threads;

/// One run.
pub(crate) struct Core {
    pub(super) runtime: Handle,
    pub(super) threads: Arc<Threads>,
    pub(super) inbox: Inbox,
    pub(super) ceiling: Option<Duration>,
    /// Signals that there is something to write, or that the input may end.
    pub(super) to_write: Notify,
    /// Signals that something was written.
    pub(super) written: Notify,
    /// Signals that the run is to end.
    pub(super) stopped: Notify,
    /// Tells whoever waits for the end how the process ended.
    pub(super) exit: watch::Sender<Option<ProcessExit>>,
    state: Mutex<State>,
    /// The sessions know them by weak references only.
    _links: Vec<Arc<dyn Link>>,
    this: Weak<Core>,
}

/// What is behind the lock.
pub(crate) struct State {
    pub(super) control: ControlSession<Waiter>,
    pub(super) bridge: Bridge,
    pub(super) hooks: Hooks,
    pub(super) can_use_tool: Option<PermissionCallback>,
    /// What is to be written to the CLI: whole lines.
    pub(super) out: Vec<u8>,
    /// Once `out` is written the CLI's input is closed.
    pub(super) end_input: bool,
    /// What runs for requests of the CLI's, by their ids.
    pub(super) active: HashMap<String, Active>,
    /// Follows a one-shot run to its end; a conversation has none.
    pub(super) run_end: Option<RunEnd>,
    pub(super) linger: Option<AbortHandle>,
    pub(super) turns: Turns,
    /// The last result was an error, so that the exit status says nothing new.
    pub(super) has_error_result: bool,
    /// How the process ended: no request is answered any more.
    pub(super) ended: Option<ProcessExit>,
    /// Why the run was stopped by us.
    pub(super) stop: Option<Stop>,
    said: Said,
}

/// Who waits for the answer to a request of ours.
pub(crate) enum Waiter {
    Caller(oneshot::Sender<Answer>),
    /// Only the acknowledgement is expected.
    Nobody,
}

/// Why a run is ended from our side.
pub(crate) enum Stop {
    Closed,
    Failed(RunError),
}

/// How to stop what runs for a request of the CLI's.
#[derive(Default)]
pub(crate) struct Active {
    pub(super) task: Option<AbortHandle>,
    pub(super) timer: Option<AbortHandle>,
    pub(super) cancel: Option<CancelToken>,
    /// The server and its call, where the request is a tool call.
    pub(super) call: Option<(usize, CallId)>,
}

/// What a run is made of.
pub(crate) struct Parts<'a> {
    pub(crate) registries: &'a [ToolRegistry],
    pub(crate) hooks: Hooks,
    pub(crate) can_use_tool: Option<PermissionCallback>,
    pub(crate) inbox: Inbox,
    pub(crate) run_end: Option<RunEnd>,
    /// How long a one-shot run may go on between turns.
    pub(crate) ceiling: Option<Duration>,
}

impl Core {
    pub(crate) fn new(parts: Parts<'_>) -> Arc<Self> {
        let Parts { registries, hooks, can_use_tool, inbox, run_end, ceiling } = parts;
        Arc::new_cyclic(|this: &Weak<Self>| {
            let links = bridge::links(this, registries.len());
            let bridge = Bridge::new(registries.iter().zip(&links));
            Self {
                _links: links,
                runtime: Handle::current(),
                threads: Arc::new(Threads::new(64)),
                inbox,
                ceiling,
                to_write: Notify::new(),
                written: Notify::new(),
                stopped: Notify::new(),
                exit: watch::Sender::new(None),
                state: Mutex::new(State {
                    control: ControlSession::new(),
                    bridge,
                    hooks,
                    can_use_tool,
                    out: Vec::new(),
                    end_input: false,
                    active: HashMap::new(),
                    run_end,
                    linger: None,
                    turns: Turns::default(),
                    has_error_result: false,
                    ended: None,
                    stop: None,
                    said: Said::default(),
                }),
                this: this.clone(),
            }
        })
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn this(&self) -> Option<Arc<Self>> {
        self.this.upgrade()
    }

    /// Ends the run from our side; the first reason counts.
    pub(crate) fn stop(&self, why: Stop) {
        let mut state = self.state();
        if state.stop.is_none() {
            state.stop = Some(why);
        }
        drop(state);
        self.stopped.notify_one();
    }

    /// Closes the CLI's input behind what is still to be written.
    pub(crate) fn end_input(&self) {
        self.state().end_input = true;
        self.to_write.notify_one();
    }

    /// Waits while the CLI is far behind with reading what is said to it.
    pub(super) async fn caught_up(&self) {
        const FAR: usize = 1024 * 1024;
        while self.state().out.len() > FAR {
            self.written.notified().await;
        }
    }

    /// The process has ended: whoever still waits is told, what still runs is stopped.
    pub(super) fn fail_all(&self, exit: &ProcessExit) {
        let (pending, active, _callbacks) = {
            let mut state = self.state();
            state.ended = Some(exit.clone());
            state.linger.take().iter().for_each(AbortHandle::abort);
            // What the user gave often has a handle of this very run in it, and would so keep the
            // run and itself for ever.
            let callbacks = (
                std::mem::take(&mut state.hooks),
                state.can_use_tool.take(),
                std::mem::take(&mut state.bridge),
            );
            (state.control.abandon(), std::mem::take(&mut state.active), callbacks)
        };
        for pending in pending {
            if let Waiter::Caller(caller) = pending.waiter {
                // A caller that is gone needs no answer.
                let _ = caller.send(Err(ControlError::Closed {
                    subtype: pending.subtype.into(),
                    exit: exit.clone(),
                }));
            }
        }
        active.into_values().for_each(Active::stop);
    }
}

impl State {
    /// Lets a server's session speak, and sends what it said: answers as the answer to `request`,
    /// the rest as requests of ours. Says whether there was an answer.
    pub(super) fn speak(
        &mut self,
        server: usize,
        request: Option<&str>,
        speak: impl FnOnce(&mut Bridge, &mut Said),
    ) -> bool {
        let Self { control, bridge, out, said, .. } = self;
        speak(bridge, said);
        let mut is_answered = false;
        for message in said.messages() {
            match (message, request) {
                (bridge::Message::Answer(line), Some(request)) => {
                    is_answered = true;
                    control.answer(
                        request,
                        |out| {
                            out.extend_from_slice(b"{\"mcp_response\":");
                            out.extend_from_slice(line.as_bytes());
                            out.push(b'}');
                        },
                        out,
                    );
                }
                (bridge::Message::Answer(_), None) => {}
                (bridge::Message::Notification(line), _) => {
                    if let Some(envelope) = bridge.envelope(server, line) {
                        control.request("mcp_message".into(), &envelope, Waiter::Nobody, out);
                    }
                }
            }
        }
        said.clear();
        is_answered
    }
}

impl Active {
    pub(super) fn stop(self) {
        self.task.iter().for_each(AbortHandle::abort);
        self.timer.iter().for_each(AbortHandle::abort);
        self.cancel.iter().for_each(CancelToken::cancel);
    }
}
