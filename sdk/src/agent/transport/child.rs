//! The CLI's process, shared between threads: where signals go, and the steps to its end.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::sync::watch;

use super::group::has_others;
use super::shell;
use super::watched::Graces;
use crate::agent::error::ProcessExit;

/// Defines `kill_all`, with which a process is killed together with all that it has started.
const KILL: &str = include_str!("kill.sh");
/// The stack of small threads: enough for a subscriber of `tracing`.
pub(super) const STACK: usize = 256 * 1024;
/// The time that the rest of the group has after SIGTERM, once the CLI has ended.
const REST: Duration = Duration::from_millis(200);
/// The interval at which what cannot be waited for is checked.
pub(super) const TICK: Duration = Duration::from_millis(5);
/// A process that SIGKILL does not end in this time is no longer waited for.
const LAST: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct Child {
    pid: Pid,
    /// The group of its own, if it has one. Then signals go to all of it.
    group: Option<Pid>,
    graces: Graces,
    state: Mutex<State>,
    /// Held while the process is killed, so that it is not reaped meanwhile. That may take long,
    /// and nobody should wait for `state`.
    killing: Mutex<()>,
    ended: Condvar,
    exit: watch::Sender<Option<ProcessExit>>,
}

#[derive(Debug, Default)]
struct State {
    is_closing: bool,
    /// It is reaped soon, and then another process may have its id.
    is_ended: bool,
}

impl Child {
    pub(super) fn new(pid: Pid, group: Option<Pid>, graces: Graces) -> Self {
        let exit = watch::Sender::new(None);
        let (state, killing, ended) = Default::default();
        Self { pid, group, graces, state, killing, ended, exit }
    }

    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// The process id, until the process has ended.
    pub(super) fn id(&self) -> Option<u32> {
        (!self.state().is_ended).then(|| self.pid.as_raw_nonzero().get().unsigned_abs())
    }

    /// Receives the exit once the process and its group have ended.
    pub(super) fn exit(&self) -> watch::Receiver<Option<ProcessExit>> {
        self.exit.subscribe()
    }

    pub(super) fn publish(&self, exit: ProcessExit) {
        self.exit.send_replace(Some(exit));
    }

    /// Ends the process step by step, on a detached thread. Later calls do nothing.
    pub(super) fn close(self: &Arc<Self>) {
        {
            let mut state = self.state();
            if state.is_closing || state.is_ended {
                return;
            }
            state.is_closing = true;
        }
        let child = self.clone();
        let started = thread::Builder::new()
            .name("claude-closer".into())
            .stack_size(STACK)
            .spawn(move || child.force());
        if let Err(error) = started {
            tracing::warn!(%error, "no thread can wait for the claude program; killing it");
            self.signal(Signal::KILL);
        }
    }

    fn force(&self) {
        if self.ends_within(self.graces.end) {
            return;
        }
        self.signal(Signal::TERM);
        if self.ends_within(self.graces.terminate) {
            return;
        }
        self.kill();
        if !self.ends_within(LAST) {
            tracing::error!(pid = self.id(), "the claude program cannot be killed");
            self.publish(ProcessExit::default());
        }
    }

    /// Kills it with all that it has started. The commands of a CLI have groups of their own, and
    /// only a CLI that ends by itself ends them.
    fn kill(&self) {
        let _killing = lock(&self.killing);
        if self.state().is_ended {
            return;
        }
        let target = match self.group {
            Some(group) => -group.as_raw_nonzero().get(),
            None => self.pid.as_raw_nonzero().get(),
        };
        match shell::start(&format!("{KILL}kill_all {target}"), "toolwright-kill") {
            // An error is that somebody else has waited.
            Ok(mut shell) => drop(shell.wait()),
            Err(error) => {
                tracing::warn!(%error, "what the claude program has started is not killed with it");
            }
        }
        self.signal(Signal::KILL);
    }

    /// Marks the process as ended; it gets no signal after this.
    pub(super) fn note_end(&self) {
        self.state().is_ended = true;
        self.ended.notify_all();
    }

    /// Ends the rest of the group. The process has ended and is not reaped yet, which reserves its
    /// id and that of the group.
    pub(super) fn end_rest(&self) {
        let _killing = lock(&self.killing);
        let Some(group) = self.group else { return };
        let _ = kill_process_group(group, Signal::TERM);
        let since = Instant::now();
        while has_others(group, self.pid) {
            if since.elapsed() >= REST {
                let _ = kill_process_group(group, Signal::KILL);
                return;
            }
            thread::sleep(TICK);
        }
    }

    fn signal(&self, signal: Signal) {
        // The lock is held so that the process is not reaped between the check and the signal.
        let state = self.state();
        if state.is_ended {
            return;
        }
        let _ = match self.group {
            Some(group) => kill_process_group(group, signal),
            None => kill_process(self.pid, signal),
        };
    }

    fn ends_within(&self, grace: Duration) -> bool {
        let waited = self.ended.wait_timeout_while(self.state(), grace, |state| !state.is_ended);
        waited.unwrap_or_else(PoisonError::into_inner).0.is_ended
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
