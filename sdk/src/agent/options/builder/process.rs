//! Setters for the process and its bounds.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::AgentOptionsBuilder;
use crate::agent::setters::setters;
use crate::agent::transport::ProcessGroup;

setters! {
    /// The process, its environment and its limits.
    impl AgentOptionsBuilder, options = self.options;

    /// The `claude` program. A name without a slash, such as `claude-next`, is searched in PATH,
    /// that of [`env`](Self::env) if it is set there. A relative path, such as `./claude`, is
    /// relative to this program's working folder. Default: `claude` is searched in PATH and where
    /// it is usually installed. Another transport than that of the options has its own.
    cli_path(path: impl Into<PathBuf>) { options.process.cli_path = Some(path.into()) }
    /// The working folder of the CLI, to which its conversations belong. Default: this program's
    /// own.
    cwd(folder: impl Into<PathBuf>) { options.process.cwd = Some(folder.into()) }
    /// Adds a folder that the model's tools may use.
    add_dir(folder: impl Into<PathBuf>) { options.process.add_dirs.push(folder.into()) }
    /// The folder whose project settings, `.mcp.json` and `.claude` are used in place of those in
    /// the working folder: the trusted checkout of which that is a worktree. An absolute path.
    project_config_root(folder: impl Into<PathBuf>) {
        options.process.project_config_root = Some(folder.into())
    }
    /// The user that the CLI runs as, by the name or the number in `/etc/passwd`, and the user's
    /// group. A number that is not there is taken as it is, and the group stays this program's.
    /// This program must be root's. The environment stays as it is: set `HOME`, too.
    user(name: impl Into<String>) { options.process.user = Some(name.into()) }
    /// Whether the CLI writes what it does into a file in the folder `debug` of its configuration
    /// folder. To get the lines by [`stderr`](Self::stderr) instead, use
    /// [`extra_arg("debug-to-stderr", None)`](Self::extra_arg).
    debug(yes: bool) { options.process.debug = yes }
    /// The file that the CLI writes what it does to. This implies [`debug`](Self::debug).
    debug_file(path: impl Into<PathBuf>) { options.process.debug_file = Some(path.into()) }
    /// Sets a variable of the CLI's environment, which is otherwise inherited; see also
    /// [`env_clear`](Self::env_clear).
    env(name: impl AsRef<OsStr>, value: impl Into<OsString>) {
        options.process.env.change(name.as_ref(), Some(value.into()))
    }
    /// Removes a variable from the CLI's environment.
    env_remove(name: impl AsRef<OsStr>) { options.process.env.change(name.as_ref(), None) }
    /// Lets the CLI inherit no variables: it only gets those that [`env`](Self::env) sets, before
    /// or after this call. Without `PATH` and `HOME` most features do not work.
    env_clear() { options.process.env.clear = true }
    /// The name of this application, such as `my-app/1.2`, for the User-Agent of requests to the
    /// API.
    client_app(name: impl Into<String>) { options.process.client_app = Some(name.into()) }
    /// Calls `callback` with each line of the CLI's standard error, without its line break. The
    /// callback should return soon; a panic in it is logged and otherwise ignored. Errors contain
    /// the end of standard error in any case. Another transport than that of the options does not
    /// call it.
    stderr(callback: impl Fn(&str) + Send + Sync + 'static) {
        options.process.stderr = Some(Arc::new(callback))
    }
    /// The process group of the CLI. Default: [`ProcessGroup::Auto`]. Another transport than that
    /// of the options has its own.
    process_group(group: ProcessGroup) { options.process.group = group }
    /// The maximum length of one line of the CLI in bytes, at least 1. A longer line is skipped and
    /// reported. Default: 256 MiB.
    max_line(bytes: usize) { options.limits.max_line = bytes }
    /// The maximum size of all unread messages together in bytes, at least 1. Above it the run ends
    /// with an error, unless there is [`backpressure`](Self::backpressure). Default: 512 MiB.
    max_unread(bytes: usize) { options.limits.max_unread = bytes }
    /// Whether nothing more is read from the CLI while more than [`max_unread`](Self::max_unread)
    /// is unread, instead of ending the run. Default: no.
    ///
    /// Everything that the CLI sends comes in one pipe. So permission requests, hooks, calls of
    /// in-process tools, cancellations and the answers to requests of this program wait as well,
    /// and the CLI once the pipe is full: whoever has to read the messages must not wait for any of
    /// these first. The messages of a [`Turn`](crate::agent::Turn) count until they are read or the
    /// turn is dropped. That the run is closed, or its process ends, is seen all the same.
    backpressure(yes: bool) { options.limits.backpressure = yes }
    /// The timeout of a control request such as `set_model`. Default: 60 s.
    control_timeout(timeout: Duration) { options.limits.control_timeout = timeout }
    /// The time that the CLI has to become ready. Default: 120 s.
    initialize_timeout(timeout: Duration) { options.limits.initialize_timeout = timeout }
    /// The time that the CLI has to exit after its input was closed, before it gets SIGTERM. A
    /// one-shot run gives it the same time after the result, before it is closed. Default: 5 s.
    close_grace(grace: Duration) { options.limits.close_grace = grace }
    /// The time that the CLI has to exit after SIGTERM, before it gets SIGKILL, and with it all
    /// processes that it has started. It needs some 100 ms to stop the commands of its `Bash` tool
    /// by itself. Default: 5 s.
    terminate_grace(grace: Duration) { options.limits.terminate_grace = grace }
    /// How long a one-shot run waits between turns for background work of the CLI, before it closes
    /// the CLI's input, and how long the CLI waits for it once that is closed; `None` means
    /// forever. It sets the variable `CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS` of the CLI; otherwise
    /// the one that is inherited counts, in ms and 0 for ever. Default: 10 min, as in the official
    /// SDKs.
    background_wait(wait: Option<Duration>) { options.process.set_background_wait(wait) }
}

impl AgentOptionsBuilder {
    /// The trace that the spans of the CLI and its servers belong to: the values of the W3C headers
    /// `traceparent` and `tracestate`, which become the variables `TRACEPARENT` and `TRACESTATE` of
    /// the CLI. With an empty `state` the latter is not set.
    pub fn trace_context(self, parent: impl AsRef<str>, state: impl AsRef<str>) -> Self {
        let builder = self.env("TRACEPARENT", parent.as_ref());
        match state.as_ref() {
            "" => builder.env_remove("TRACESTATE"),
            state => builder.env("TRACESTATE", state),
        }
    }

    /// Sets variables, for example those of `ScriptedModel::environment`.
    pub fn envs<N: AsRef<OsStr>, V: Into<OsString>>(
        self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        variables.into_iter().fold(self, |builder, (name, value)| builder.env(name, value))
    }
}
