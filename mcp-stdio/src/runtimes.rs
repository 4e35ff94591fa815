//! The runtimes of a program, and the signals that end it.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::thread::Builder;
use std::time::Duration;

use tokio::runtime::{self, Runtime};
use tokio::sync::Notify;
use toolwright::ToolRegistry;
#[cfg(feature = "cli")]
use toolwright_console::Limit;
use toolwright_console::{Signals, Thread};

/// Builds the registry within a runtime. It is boxed, so that what takes it is compiled once.
pub(crate) type Build<'a> = Box<dyn FnOnce(&Runtime) -> Result<ToolRegistry, String> + 'a>;

/// How long the exit waits for values of the tools to be dropped.
const LEFTOVERS: Duration = Duration::from_millis(100);

/// The runtime of the tools, driven by a thread of its own, so that a tool that blocks delays
/// neither time-outs nor the exit.
pub(crate) struct Tools {
    stop: Arc<Notify>,
    thread: Thread,
}

/// A runtime for one thread, with all drivers that the program's tokio has.
pub(crate) fn runtime() -> Result<Runtime, String> {
    runtime::Builder::new_current_thread().enable_all().build().map_err(unstarted)
}

/// A runtime with a thread for each CPU.
#[cfg(feature = "http")]
pub(crate) fn threads() -> Result<Runtime, String> {
    runtime::Builder::new_multi_thread().enable_all().build().map_err(unstarted)
}

/// The registry, built within the runtime that comes back with it.
pub(crate) fn built(runtime: Runtime, build: Build<'_>) -> Result<(Runtime, ToolRegistry), String> {
    match build(&runtime) {
        Ok(registry) => Ok((runtime, registry)),
        Err(reason) => {
            // Dropped, it would wait for blocking calls that the set-up has begun, and panic if
            // `main` itself is called within a runtime.
            runtime.shutdown_background();
            Err(reason)
        }
    }
}

/// Runs a future on this thread. It is boxed, so that tokio's code for it is compiled once.
pub(crate) fn block_on(runtime: &Runtime, future: impl Future<Output = ()>) {
    let future: Pin<Box<dyn Future<Output = ()> + '_>> = Box::pin(future);
    runtime.block_on(future);
}

/// Is ready with the number of the signal once the process is told to end, for which it has until
/// the limit.
#[cfg(feature = "cli")]
pub(crate) fn signals(limit: Limit) -> Result<impl Future<Output = u8>, String> {
    take_signals()?.listen(Some(limit)).map_err(unwatched)
}

/// The signals that tell the process to end, for [`listen`].
pub(crate) fn take_signals() -> Result<Signals, String> {
    Signals::take().map_err(unwatched)
}

/// Is ready once one of the signals has come, with its number.
pub(crate) fn listen(signals: Signals) -> Result<impl Future<Output = u8>, String> {
    signals.listen(None).map_err(unwatched)
}

impl Tools {
    pub(crate) fn start(runtime: Runtime) -> Result<Self, String> {
        // Tools are polled on the reading thread first. One thread of the runtime suffices for the
        // rest, which is mostly waiting.
        let stop = Arc::new(Notify::new());
        let told = stop.clone();
        let drive = move || {
            block_on(&runtime, told.notified());
            runtime.shutdown_background();
        };
        let thread = Builder::new().name("toolwright-tools".into());
        let thread = Thread::spawn(thread, Box::new(drive)).map_err(unstarted)?;
        Ok(Self { stop, thread })
    }

    /// Drops the remaining tasks of the runtime, without delaying the exit.
    pub(crate) fn stop(self) {
        self.stop.notify_one();
        self.thread.wait(LEFTOVERS);
    }
}

fn unwatched(error: io::Error) -> String {
    format!("signals cannot be watched: {error}")
}

fn unstarted(error: io::Error) -> String {
    format!("the runtime cannot be started: {error}")
}
