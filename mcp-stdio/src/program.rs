//! The `main` of a server program.

use std::fmt::Display;
use std::future::Future;
use std::io::{self, Write};
use std::process::ExitCode;

use tokio::runtime::{Handle, Runtime};
use toolwright::ToolRegistry;
use toolwright_console::{chain, log, wire};

use crate::Options;
#[cfg(feature = "cli")]
use crate::cli;
use crate::runtimes::{self, Build, Tools};
use crate::serving;

/// The `main` of a stdio server: builds the registry and serves it until the client closes its end
/// or the process receives SIGTERM, SIGINT or SIGHUP. On Linux `nohup` keeps it from the last.
///
/// It starts a runtime with one thread and builds the registry within it. The runtime has tokio's
/// time driver, and its I/O driver if the program enables a feature of tokio that needs it, such as
/// `net` or `process`. A program that awaits something before it builds the registry uses
/// [`main_async`]; one that has a runtime uses [`serve`](crate::serve).
///
/// `async` tools that wait share one thread: one that blocks after its first await holds up the
/// others, but neither reading nor time-outs nor the end. Over HTTP `async` tools share the threads
/// that serve, one for each CPU (`TOKIO_WORKER_THREADS`): once tools block all of them, requests
/// and time-outs wait, and three seconds after the grace the signal ends the process. A function
/// that blocks should be a plain `fn`, which has a thread of its own. A tool that calls
/// `std::process::exit`, overflows its stack, or panics in a program built with `panic = "abort"`,
/// ends the program at once, and no running call is answered.
///
/// It logs to standard error: warnings and errors, or what `RUST_LOG` selects (`debug`,
/// `my_crate=trace,warn`). Parts that select by span or field, such as `[span]=debug`, are left out
/// with a warning. A subscriber of `tracing` that the program has set before it calls this function
/// stays. Within the function that builds the registry it is too late: `init` panics there. A
/// program whose exporter needs a runtime makes its own, and calls [`serve`](crate::serve).
///
/// The exit status is 0 after serving. It is 1, with the reason on standard error, if serving could
/// not begin.
///
/// # The command line
///
/// With the feature `cli`, a default one, the program also has commands. For a program `calc`:
///
/// | command | |
/// |---|---|
/// | `calc`, `calc serve` | serves |
/// | `calc --http 127.0.0.1:8080` | serves on HTTP, at `/mcp` (feature `http`) |
/// | `calc --http 0.0.0.0:8080 --allowed-host calc.example.com` | the same, for clients that address it by this name |
/// | `calc --http … --bus redis://host` | the same, as one of several replicas (feature `redis`) |
/// | `calc list` | prints the tools, prompts and resources; with `--json` as clients see them |
/// | `calc call add a=2 b=40` | calls a tool, prints its result; with `--json` the whole result |
/// | `calc call add '{"a": 2, "b": 40}'` | the same; `-` reads the object from standard input |
/// | `calc call add --help` | prints the arguments of a tool |
/// | `calc lint` | prints what model APIs would refuse, cut or misread; with `--json` as JSON |
/// | `calc config` | prints the configuration for `claude --mcp-config "$(calc config)"` |
/// | `calc completions bash` | prints a script for bash, zsh or fish |
/// | `calc --help`, `calc --version` | prints all of this; prints the version of the registry |
///
/// The tool's schema gives the values of `key=value` their types. `page.size=10` sets a member of
/// an object, `tag=a tag=b` are elements of an array, and `text=@notes.txt` takes the content of a
/// file, `text=@-` that of standard input. A text keeps the line feed at the end of the file, which
/// `text="$(cat notes.txt)"` cuts off.
///
/// A call runs as it does when it is served, with its timeout, on the same kind of thread, and is
/// waited for even if it is a task elsewhere. Ctrl-C cancels it. Progress is shown if standard
/// error is a terminal; pictures and sound are saved in the current folder, as `add-1.png`. The
/// exit status is 0, 1 if the tool has failed or `lint` has found something, 2 for wrong words on
/// the command line, and after a signal 128 and its number: 130 after Ctrl-C, 143 after SIGTERM.
///
/// Over HTTP clients address the server by the given address, or as `localhost`, `127.0.0.1` or
/// `[::1]`. Another name, such as that of a container, is refused with the status 403, unless
/// `--allowed-host` or `allowed_hosts` of [`Options`]' field `http` names it. That keeps web pages
/// out, not other machines that reach the address.
///
/// All users of a machine can see the arguments of a program. A URL with a password belongs into
/// the variable `TOOLWRIGHT_BUS` (feature `redis`). It counts with `--http` if there is no `--bus`,
/// and the program has set neither `bus` nor `tasks` of that field.
///
/// Any other argument ends the program with exit status 2. A program with arguments of its own
/// gives the others to [`main_with`] or [`main_async_with`], in [`Options::args`].
#[must_use = "it is the exit status of the program"]
pub fn main<E: Display>(registry: impl FnOnce() -> Result<ToolRegistry, E>) -> ExitCode {
    main_with(Options::default(), registry)
}

/// Like [`main`], with the given bounds and arguments.
///
/// ```no_run
/// use std::process::ExitCode;
/// use toolwright::ToolRegistry;
///
/// fn main() -> ExitCode {
///     let mut options = toolwright_stdio::Options::default();
///     options.limits.max_running = 16;
///     toolwright_stdio::main_with(options, || ToolRegistry::builder("calc").build())
/// }
/// ```
#[must_use = "it is the exit status of the program"]
pub fn main_with<E: Display>(
    options: Options,
    registry: impl FnOnce() -> Result<ToolRegistry, E>,
) -> ExitCode {
    run(options, |_| registry())
}

/// Like [`main`], for a registry that must be awaited. What its future has spawned continues while
/// the program serves.
///
/// ```no_run
/// use std::process::ExitCode;
/// use toolwright::{BuildError, ToolRegistry};
///
/// async fn registry() -> Result<ToolRegistry, BuildError> {
///     ToolRegistry::builder("calc").build()
/// }
///
/// fn main() -> ExitCode {
///     toolwright_stdio::main_async(registry)
/// }
/// ```
#[must_use = "it is the exit status of the program"]
pub fn main_async<E, F>(registry: impl FnOnce() -> F) -> ExitCode
where
    E: Display,
    F: Future<Output = Result<ToolRegistry, E>>,
{
    main_async_with(Options::default(), registry)
}

/// Like [`main_async`], with the given bounds and arguments.
///
/// ```no_run
/// use std::process::ExitCode;
/// use toolwright::{BuildError, ToolRegistry};
///
/// async fn registry() -> Result<ToolRegistry, BuildError> {
///     ToolRegistry::builder("calc").build()
/// }
///
/// fn main() -> ExitCode {
///     let mut options = toolwright_stdio::Options::default();
///     options.limits.max_running = 16;
///     toolwright_stdio::main_async_with(options, registry)
/// }
/// ```
#[must_use = "it is the exit status of the program"]
pub fn main_async_with<E, F>(options: Options, registry: impl FnOnce() -> F) -> ExitCode
where
    E: Display,
    F: Future<Output = Result<ToolRegistry, E>>,
{
    run(options, |runtime| runtime.block_on(registry()))
}

fn run<E: Display>(
    options: Options,
    registry: impl FnOnce(&Runtime) -> Result<ToolRegistry, E>,
) -> ExitCode {
    start(options, Box::new(|runtime: &Runtime| build(runtime, registry)))
}

fn start(options: Options, build: Build<'_>) -> ExitCode {
    log::to_stderr();
    #[cfg(feature = "cli")]
    if let Some(asked) = cli::asked(&options) {
        return asked.run(build);
    }
    match serve(options, build) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            // There is no other place to report it if this fails too.
            let _ = writeln!(io::stderr(), "{reason}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the registry within a runtime.
fn build<E: Display>(
    runtime: &Runtime,
    registry: impl FnOnce(&Runtime) -> Result<ToolRegistry, E>,
) -> Result<ToolRegistry, String> {
    if Handle::try_current().is_ok() {
        return Err("main() starts a runtime of its own: call it outside of #[tokio::main], or await serve(registry) inside".into());
    }
    let _context = runtime.enter();
    // With alternate formatting anyhow and similar crates print their chain of causes.
    registry(runtime).map_err(|error| format!("{error:#}"))
}

fn serve(options: Options, build: Build<'_>) -> Result<(), String> {
    let tools = runtimes::runtime()?;
    // What the set-up prints goes to standard error, and its child processes do not have the wire.
    let taken = wire::take().map_err(|error| chain(&error))?;
    let (tools, registry) = runtimes::built(tools, build)?;
    let control = runtimes::runtime()?;
    let context = control.enter();
    // Before the first answer, after which a client may send a signal.
    let signals = runtimes::take_signals()?;
    let (guard, server) = serving::start(taken, &registry, options, tools.handle().clone())
        .map_err(|error| chain(&error))?;
    drop(context);
    // The first answer need not wait for these threads.
    let told = runtimes::listen(signals)?;
    let tools = Tools::start(tools)?;
    runtimes::block_on(&control, server.run(async { _ = told.await }));
    tools.stop();
    // What its values print as they are dropped must not wait for a reader.
    drop(registry);
    drop(guard);
    Ok(())
}

#[cfg(test)]
mod tests;
