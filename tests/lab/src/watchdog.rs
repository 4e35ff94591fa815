use std::process::Child;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

const LIMIT: Duration = Duration::from_secs(60);

/// Kills a server that is silent for too long, so that a blocking read ends instead of hanging the
/// whole run.
///
/// Dropping it calls it off, which must happen before the process is waited for.
pub struct Watchdog(Sender<bool>);

impl Watchdog {
    pub fn over(child: &Child) -> Self {
        Self::over_for(child, LIMIT)
    }

    pub fn over_for(child: &Child, limit: Duration) -> Self {
        let (sender, receiver) = mpsc::channel();
        let pid = Pid::from_child(child);
        thread::spawn(move || {
            let mut is_asked = true;
            loop {
                let limit = if is_asked { limit } else { Duration::MAX };
                match receiver.recv_timeout(limit) {
                    Ok(now) => is_asked = now,
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {
                        // It fails only if the server has just ended, which is as good.
                        let _ = kill_process(pid, Signal::KILL);
                        return;
                    }
                }
            }
        });
        Self(sender)
    }

    /// Starts the time anew.
    pub fn feed(&self) {
        // The other side is gone only after it has killed the server; the next read says so.
        let _ = self.0.send(true);
    }

    /// Until it is fed again the server may be silent: it is not asked anything.
    pub fn rest(&self) {
        let _ = self.0.send(false);
    }
}
