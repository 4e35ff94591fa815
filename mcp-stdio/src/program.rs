//! A whole program that serves.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use tokio::signal::unix::{SignalKind, signal};
use toolwright::ToolRegistry;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::{Options, serve_until};

/// The `main` of a stdio server: builds the registry and serves it until the client closes its end or SIGTERM comes.
///
/// It logs to standard error: warnings and errors, or what `RUST_LOG` asks for (`debug`, `my_crate=trace,warn`). The exit status is 0 once it has
/// served, and 1, with the reason on standard error, if it could not.
pub fn main<E: Display>(registry: impl FnOnce() -> Result<ToolRegistry, E>) -> ExitCode {
    log_to_stderr();
    match run(registry) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            // Nobody is left to tell if this fails too.
            let _ = writeln!(io::stderr(), "{reason}");
            ExitCode::FAILURE
        }
    }
}

fn run<E: Display>(registry: impl FnOnce() -> Result<ToolRegistry, E>) -> Result<(), String> {
    // Tools are polled on the reading thread first; what is left to one thread of the runtime is mostly waiting.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("the runtime cannot be started: {error}"))?;
    let registry = {
        let _context = runtime.enter();
        registry().map_err(|error| error.to_string())?
    };
    let served = runtime.block_on(async {
        let mut terminated = signal(SignalKind::terminate()).map_err(|error| format!("SIGTERM cannot be watched: {error}"))?;
        let stop = async {
            terminated.recv().await;
        };
        serve_until(registry, Options::default(), stop).await.map_err(|error| chain(&error))
    });
    // What a tool left on the runtime must not hold up the exit.
    runtime.shutdown_background();
    served
}

fn log_to_stderr() {
    let filter = std::env::var("RUST_LOG").ok().and_then(|filter| filter.parse::<Targets>().ok());
    let filter = filter.unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN));
    let layer = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(false);
    // The program may have a subscriber of its own; then that one stays.
    let _ = tracing_subscriber::registry().with(filter).with(layer).try_init();
}

fn chain(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {}", chain(cause)),
        None => error.to_string(),
    }
}
