//! The runtimes of a program, and the signals that end it.

use std::future::{Future, poll_fn};
use std::io;
use std::sync::mpsc;
use std::task::Poll;
use std::thread;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

/// How long the exit waits for values of the tools to be dropped.
const LEFTOVERS: Duration = Duration::from_millis(100);

/// The runtime of the tools, driven by a thread of its own, so that a tool that blocks delays
/// neither time-outs nor the exit.
pub(crate) struct Tools {
    stop: oneshot::Sender<()>,
    stopped: mpsc::Receiver<()>,
}

/// A runtime for one thread, with tokio's time and I/O drivers.
pub(crate) fn runtime() -> Result<Runtime, String> {
    Builder::new_current_thread().enable_all().build().map_err(unstarted)
}

/// A runtime with a thread for each CPU.
#[cfg(feature = "http")]
pub(crate) fn threads() -> Result<Runtime, String> {
    Builder::new_multi_thread().enable_all().build().map_err(unstarted)
}

/// Is ready once the process is told to end.
pub(crate) fn signals() -> Result<impl Future<Output = ()>, String> {
    let all = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
    let signals: io::Result<Vec<_>> = all.into_iter().map(signal).collect();
    let mut signals = signals.map_err(|error| format!("signals cannot be watched: {error}"))?;
    Ok(poll_fn(move |cx| {
        let is_told = signals.iter_mut().any(|signal| signal.poll_recv(cx).is_ready());
        if is_told { Poll::Ready(()) } else { Poll::Pending }
    }))
}

impl Tools {
    pub(crate) fn start(runtime: Runtime) -> Result<Self, String> {
        // Tools are polled on the reading thread first. One thread of the runtime suffices for the
        // rest, which is mostly waiting.
        let (stop, told) = oneshot::channel();
        let (dropped, stopped) = mpsc::channel();
        let drive = move || {
            // A dropped sender stops the runtime too.
            let _ = runtime.block_on(told);
            runtime.shutdown_background();
            let _ = dropped.send(());
        };
        let thread = thread::Builder::new().name("toolwright-tools".into());
        thread.spawn(drive).map_err(unstarted)?;
        Ok(Self { stop, stopped })
    }

    /// Drops the remaining tasks of the runtime, without delaying the exit.
    pub(crate) fn stop(self) {
        let _ = self.stop.send(());
        let _ = self.stopped.recv_timeout(LEFTOVERS);
    }
}

fn unstarted(error: io::Error) -> String {
    format!("the runtime cannot be started: {error}")
}
