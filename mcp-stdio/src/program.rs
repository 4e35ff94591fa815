//! The `main` of a server program.

use std::fmt::Display;
use std::future::{Future, poll_fn};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::mpsc;
use std::task::Poll;
use std::thread;
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;
use toolwright::ToolRegistry;

use crate::serving::Serving;
use crate::{Options, log};

/// How long the exit waits for values of the tools to be dropped.
const LEFTOVERS: Duration = Duration::from_millis(100);

/// The runtime of the tools, driven by a thread of its own, so that a tool that blocks delays
/// neither time-outs nor the exit.
struct Tools {
    stop: oneshot::Sender<()>,
    stopped: mpsc::Receiver<()>,
}

/// The `main` of a stdio server: builds the registry and serves it until the client closes its end
/// or the process receives SIGTERM, SIGINT or SIGHUP.
///
/// It starts a runtime with one thread and with tokio's time and I/O drivers, and builds the
/// registry within it. A program that already has a runtime, or awaits something before it builds
/// the registry, uses [`serve`](crate::serve).
///
/// `async` tools that wait share one thread: one that blocks after its first await holds up the
/// others, but neither reading nor time-outs nor the end. A tool that calls `std::process::exit`,
/// overflows its stack, or panics in a program built with `panic = "abort"`, ends the program at
/// once, and no running call is answered.
///
/// It logs to standard error: warnings and errors, or what `RUST_LOG` selects (`debug`,
/// `my_crate=trace,warn`). The exit status is 0 after serving. It is 1, with the reason on standard
/// error, if serving could not begin.
#[must_use = "it is the exit status of the program"]
pub fn main<E: Display>(registry: impl FnOnce() -> Result<ToolRegistry, E>) -> ExitCode {
    log::to_stderr();
    match run(registry) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            // There is no other place to report it if this fails too.
            let _ = writeln!(io::stderr(), "{reason}");
            ExitCode::FAILURE
        }
    }
}

fn run<E: Display>(registry: impl FnOnce() -> Result<ToolRegistry, E>) -> Result<(), String> {
    if Handle::try_current().is_ok() {
        return Err("main() starts a runtime of its own: call it outside of #[tokio::main], or await serve(registry) inside".into());
    }
    let unstarted = |error| format!("the runtime cannot be started: {error}");
    let tools = runtime().map_err(unstarted)?;
    let registry = {
        let _context = tools.enter();
        // With alternate formatting anyhow and similar crates print their chain of causes.
        registry().map_err(|error| format!("{error:#}"))?
    };
    let control = runtime().map_err(unstarted)?;
    let context = control.enter();
    // Before the first answer, after which a client may send a signal.
    let signals = signals().map_err(|error| format!("signals cannot be watched: {error}"))?;
    let serving = Serving::start(&registry, Options::default(), tools.handle().clone())
        .map_err(|error| chain(&error))?;
    drop(context);
    let tools = Tools::start(tools).map_err(unstarted)?;
    control.block_on(serving.run(signals));
    tools.stop();
    Ok(())
}

/// Is ready once the process is told to end.
fn signals() -> io::Result<impl Future<Output = ()>> {
    let mut signals = [
        signal(SignalKind::terminate())?,
        signal(SignalKind::interrupt())?,
        signal(SignalKind::hangup())?,
    ];
    Ok(poll_fn(move |cx| {
        let is_told = signals.iter_mut().any(|signal| signal.poll_recv(cx).is_ready());
        if is_told { Poll::Ready(()) } else { Poll::Pending }
    }))
}

fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

impl Tools {
    fn start(runtime: Runtime) -> io::Result<Self> {
        // Tools are polled on the reading thread first. One thread of the runtime suffices for the
        // rest, which is mostly waiting.
        let (stop, told) = oneshot::channel();
        let (dropped, stopped) = mpsc::channel();
        thread::Builder::new().name("toolwright-tools".into()).spawn(move || {
            // A dropped sender stops the runtime too.
            let _ = runtime.block_on(told);
            runtime.shutdown_background();
            let _ = dropped.send(());
        })?;
        Ok(Self { stop, stopped })
    }

    /// Drops the remaining tasks of the runtime, without delaying the exit.
    fn stop(self) {
        let _ = self.stop.send(());
        let _ = self.stopped.recv_timeout(LEFTOVERS);
    }
}

fn chain(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {}", chain(cause)),
        None => error.to_string(),
    }
}
