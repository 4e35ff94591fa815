//! The thread that waits for the CLI's process, so that its end is noticed whoever else still
//! lives.

use std::io;
use std::process;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;

use rustix::io::retry_on_intr;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::child::{Child, STACK};
use super::stderr::Stderr;
use crate::agent::error::ProcessExit;

/// A reaper that has nothing to wait for yet. It is started before the process: a process for which
/// no thread can be had is none.
pub(super) struct Reaper {
    give: Sender<Watch>,
}

/// What there is to wait for.
struct Watch {
    process: process::Child,
    child: Arc<Child>,
    stderr: Arc<Stderr>,
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

    pub(super) fn watch(self, process: process::Child, child: Arc<Child>, stderr: Arc<Stderr>) {
        // The other end waits for exactly this.
        let _ = self.give.send(Watch { process, child, stderr });
    }
}

impl Watch {
    fn wait(mut self) {
        let mut status = None;
        if !wait_for_end(self.child.pid()) {
            status = self.process.wait().ok();
        }
        // Where it could be waited for without reaping, the ids are still taken by it until the
        // next `wait`.
        self.child.note_end();
        self.child.terminate_rest();
        let status = status.or_else(|| self.process.wait().ok());
        self.child.kill_rest();
        self.child.publish(ProcessExit { status, stderr: self.stderr.finish() });
    }
}

/// Waits for the end without reaping. macOS also returns for a process that was only stopped, so
/// there it is not asked.
fn wait_for_end(pid: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    cfg!(target_os = "linux") && retry_on_intr(|| waitid(WaitId::Pid(pid), options)).is_ok()
}
