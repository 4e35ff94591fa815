//! The CLI's process as several threads see it: whom signals go to, and how it is brought to its
//! end.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};
use tokio::sync::watch;

use crate::agent::error::ProcessExit;

/// The stack of our small threads: what a subscriber of `tracing` may need, and no more.
pub(super) const STACK: usize = 256 * 1024;
/// How long the rest of the group has after SIGTERM when the CLI itself has ended.
const REST: Duration = Duration::from_millis(200);
/// How often it is asked whether there still is a rest.
const TICK: Duration = Duration::from_millis(5);
/// What even SIGKILL does not end in this time is not waited for any longer.
const LAST: Duration = Duration::from_secs(5);

/// How long each step of closing may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Graces {
    pub(super) end: Duration,
    pub(super) terminate: Duration,
}

#[derive(Debug)]
pub(super) struct Child {
    pid: Pid,
    /// The process is the leader of a group of its own, which signals go to.
    leads_group: bool,
    graces: Graces,
    state: Mutex<State>,
    ended: Condvar,
    exit: watch::Sender<Option<ProcessExit>>,
}

#[derive(Debug, Default)]
struct State {
    is_closing: bool,
    /// The process id may be somebody else's from now on.
    is_ended: bool,
}

impl Child {
    pub(super) fn new(pid: Pid, leads_group: bool, graces: Graces) -> Self {
        let exit = watch::Sender::new(None);
        Self { pid, leads_group, graces, state: Mutex::default(), ended: Condvar::new(), exit }
    }

    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// The process id, while it is this process's.
    pub(super) fn id(&self) -> Option<u32> {
        (!self.state().is_ended).then(|| self.pid.as_raw_nonzero().get().unsigned_abs())
    }

    /// Tells how the process ended, once all of it has.
    pub(super) fn exit(&self) -> watch::Receiver<Option<ProcessExit>> {
        self.exit.subscribe()
    }

    pub(super) fn publish(&self, exit: ProcessExit) {
        self.exit.send_replace(Some(exit));
    }

    /// Brings the process to its end, step by step, on a thread that nobody has to wait for. Only
    /// the first call counts.
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
            tracing::warn!(%error, "no thread can be started to wait for the claude program, so it is killed at once");
            self.signal(Signal::KILL);
        }
    }

    fn force(&self) {
        for (grace, signal) in
            [(self.graces.end, Signal::TERM), (self.graces.terminate, Signal::KILL)]
        {
            if self.ends_within(grace) {
                return;
            }
            self.signal(signal);
        }
        if !self.ends_within(LAST) {
            tracing::error!(pid = self.id(), "the claude program cannot be killed");
            self.publish(ProcessExit::default());
        }
    }

    /// Notes that the process has ended; no signal is sent to it after this.
    pub(super) fn note_end(&self) {
        self.state().is_ended = true;
        self.ended.notify_all();
    }

    /// Asks what is left of the group to end, now that its leader has.
    pub(super) fn terminate_rest(&self) {
        if self.leads_group {
            let _ = kill_process_group(self.pid, Signal::TERM);
        }
    }

    /// Sees to it that nothing is left of the group. Its number cannot be given to anybody else
    /// while there is a member.
    pub(super) fn kill_rest(&self) {
        let since = Instant::now();
        while self.leads_group && test_kill_process_group(self.pid).is_ok() {
            if since.elapsed() >= REST {
                let _ = kill_process_group(self.pid, Signal::KILL);
                return;
            }
            thread::sleep(TICK);
        }
    }

    fn signal(&self, signal: Signal) {
        // The lock is held meanwhile, so that the process id cannot change hands between the
        // question and the signal.
        let state = self.state();
        if state.is_ended {
            return;
        }
        let _ = match self.leads_group {
            true => kill_process_group(self.pid, signal),
            false => kill_process(self.pid, signal),
        };
    }

    fn ends_within(&self, grace: Duration) -> bool {
        let waited = self.ended.wait_timeout_while(self.state(), grace, |state| !state.is_ended);
        waited.unwrap_or_else(PoisonError::into_inner).0.is_ended
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
