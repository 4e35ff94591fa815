//! The signals that tell a program to end.

use std::fs::File;
use std::future::Future;
use std::io::{self, PipeReader, Read};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Builder};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::low_level::{emulate_default_handler, pipe};
use tokio::sync::Notify;

use crate::thread::Thread;

/// How long a process may go on after a signal, which then ends it as it does by default.
#[derive(Debug, Clone)]
pub struct Limit {
    time: Duration,
    is_lifted: Arc<AtomicBool>,
}

impl Limit {
    /// A limit for the time after the first signal.
    pub fn new(time: Duration) -> Self {
        Self { time, is_lifted: Arc::default() }
    }

    /// The process has done what the limit is for: no signal ends it any more.
    pub fn lift(&self) {
        self.is_lifted.store(true, Ordering::Release);
    }
}

/// The signals of this process that tell it to end: SIGTERM, SIGINT and SIGHUP. On Linux a SIGHUP
/// that the process was started to ignore, as under `nohup`, is none of them.
#[derive(Debug)]
#[must_use = "these signals do nothing else any more"]
pub struct Signals {
    heard: PipeReader,
    /// The signal that has come, or zero.
    told: Arc<AtomicUsize>,
}

impl Signals {
    /// From now on these signals only are noted. To be called once in a process.
    ///
    /// # Errors
    ///
    /// The system refuses a pipe or a handler.
    pub fn take() -> io::Result<Self> {
        let (heard, tell) = io::pipe()?;
        let told = Arc::<AtomicUsize>::default();
        for signal in ending() {
            let number = usize::try_from(signal).unwrap_or_default();
            flag::register_usize(signal, told.clone(), number)?;
            pipe::register(signal, OwnedFd::from(tell.try_clone()?))?;
        }
        Ok(Self { heard, told })
    }

    /// From now on these signals end the process, as they do by default. To be called once in a
    /// process, after [`Signals::take`].
    pub fn release() {
        let always = Arc::new(AtomicBool::new(true));
        for signal in ending() {
            // Only the first handler of a signal can be refused.
            let _ = flag::register_conditional_default(signal, always.clone());
        }
    }

    /// Is ready once the process is told to end, or has been since [`Signals::take`]: with the
    /// number of the signal, such as 15 for SIGTERM. A thread waits for that until the end of the
    /// process.
    ///
    /// With a `limit` the signal ends a process that still runs that long after it, unless the
    /// limit is lifted: whoever polls the future may be blocked, or what follows it.
    ///
    /// # Errors
    ///
    /// The system refuses the thread.
    pub fn listen(self, limit: Option<Limit>) -> io::Result<impl Future<Output = u8>> {
        let Self { mut heard, told } = self;
        let ended = Arc::new(Notify::new());
        let (announce, signal) = (ended.clone(), told.clone());
        let listen = move || {
            // It never stops reading, so that later signals find a reader.
            while heard.read_exact(&mut [0]).is_ok() {
                // A child that has forked and runs no program yet writes to the same pipe, but
                // notes its signals itself.
                let signal = signal.load(Ordering::Acquire);
                if signal == 0 {
                    continue;
                }
                announce.notify_one();
                let Some(limit) = &limit else { continue };
                thread::sleep(limit.time);
                if !limit.is_lifted.load(Ordering::Acquire) {
                    // It knows these signals.
                    let _ = emulate_default_handler(i32::try_from(signal).unwrap_or(SIGTERM));
                }
            }
        };
        let thread = Builder::new().name("toolwright-signals".into()).stack_size(64 * 1024);
        Thread::spawn(thread, Box::new(listen))?;
        Ok(async move {
            ended.notified().await;
            u8::try_from(told.load(Ordering::Acquire)).unwrap_or_default()
        })
    }
}

/// The signals that tell this process to end.
fn ending() -> impl Iterator<Item = i32> {
    let is_heard = |signal: &i32| *signal != SIGHUP || !outlives_terminal();
    [SIGTERM, SIGINT, SIGHUP].into_iter().filter(is_heard)
}

/// True if whoever has started the process wants it to ignore SIGHUP. Elsewhere than on Linux only
/// unsafe code can tell.
fn outlives_terminal() -> bool {
    // The kernel makes it faster than `status`, which has the same, and it fits into one read.
    let mut stat = [0; 1024];
    let read = File::open("/proc/self/stat").and_then(|mut file| file.read(&mut stat));
    ignores_hangup(&stat[..read.unwrap_or_default()])
}

/// The same by the text of `/proc/self/stat`, whose 33rd field has a bit for each ignored signal.
fn ignores_hangup(stat: &[u8]) -> bool {
    // The second field is the program's name in parentheses, which may have some of its own.
    let fields = stat.rsplit(|byte| *byte == b')').next().unwrap_or_default();
    let mask = fields.split(|byte| *byte == b' ').nth(33 - 2);
    let mask = mask.and_then(|mask| str::from_utf8(mask).ok()?.parse().ok());
    // Signal 1 has the lowest bit.
    mask.is_some_and(|mask: u64| mask & (1 << (SIGHUP - 1)) != 0)
}

#[cfg(test)]
mod tests;
