//! The thread that waits for the CLI's process. It notices the end even if the runtime is gone.

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

/// A reaper thread without a process yet. It is started before the process, so that there is no
/// process without one.
pub(super) struct Reaper {
    give: Sender<Watch>,
}

/// A process to wait for.
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
        // The thread waits for exactly this message.
        let _ = self.give.send(Watch { process, child, stderr });
    }
}

impl Watch {
    fn wait(mut self) {
        let mut status = None;
        if !wait_for_end(self.child.pid()) {
            status = self.process.wait().ok();
        }
        // If the end was seen without reaping, the process and group ids stay reserved until the
        // next `wait`.
        self.child.note_end();
        self.child.terminate_rest();
        let status = status.or_else(|| self.process.wait().ok());
        self.child.kill_rest();
        self.child.publish(ProcessExit { status, stderr: self.stderr.finish() });
    }
}

/// Waits for the end without reaping. macOS also returns for a stopped process, so it is not used
/// there.
fn wait_for_end(pid: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    cfg!(target_os = "linux") && retry_on_intr(|| waitid(WaitId::Pid(pid), options)).is_ok()
}
