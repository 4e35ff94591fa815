//! The thread that waits for the CLI's process. It notices the end even if the runtime is gone.

use std::io;
use std::process;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;

use rustix::io::retry_on_intr;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::child::{Child, STACK, TICK};
use super::group::Founder;
use super::stderr::Stderr;
use super::watched::Watched;
use crate::agent::error::ProcessExit;

/// A reaper thread without a process yet. It is started before the process, so that there is no
/// process without one.
pub(super) struct Reaper {
    give: Sender<Watch>,
}

/// A process to wait for.
pub(super) struct Watch {
    /// Its end may take a moment, for which only the reaper waits.
    pub(super) founder: Option<Founder>,
    pub(super) process: process::Child,
    pub(super) child: Arc<Child>,
    pub(super) stderr: Arc<Stderr>,
    pub(super) watched: Watched,
}

impl Reaper {
    pub(super) fn start() -> io::Result<Self> {
        let (give, take) = mpsc::channel::<Watch>();
        let wait = move || {
            if let Ok(watch) = take.recv() {
                watch.wait();
            }
        };
        thread::Builder::new().name("claude-reaper".into()).stack_size(STACK).spawn(wait)?;
        Ok(Self { give })
    }

    pub(super) fn watch(self, watch: Watch) {
        // The thread waits for exactly this message.
        let _ = self.give.send(watch);
    }
}

impl Watch {
    fn wait(mut self) {
        drop(self.founder.take());
        // Until it is reaped, no other process can have its id or that of its group. So all signals
        // are sent before.
        let has_ended = wait_for_end(self.child.pid());
        let status = if has_ended { None } else { self.process.wait().ok() };
        self.child.note_end();
        self.child.end_rest();
        drop(self.watched);
        let status = status.or_else(|| self.process.wait().ok());
        self.child.publish(ProcessExit { status, stderr: self.stderr.finish() });
    }
}

/// Waits for the end without reaping. False if that is not possible, for example because this
/// program ignores SIGCHLD, so that the system reaps.
fn wait_for_end(pid: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    loop {
        match retry_on_intr(|| waitid(WaitId::Pid(pid), options)) {
            // macOS also returns for a stopped process.
            Ok(Some(status)) if status.stopped() => thread::sleep(TICK),
            result => return result.is_ok(),
        }
    }
}
