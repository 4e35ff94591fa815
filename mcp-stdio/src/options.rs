//! What a server program can be told.

use std::time::Duration;

/// The bounds of a server, and its command line. The defaults suit a program that a client starts
/// as its own child process.
///
/// ```
/// let mut options = toolwright_stdio::Options::default();
/// options.max_running = 16;
/// # let _ = options;
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The most bytes of a line, at least 65 KiB; a longer line is answered with an error. Default:
    /// 64 MiB.
    pub max_line: usize,
    /// How many calls run at once, at least 1. One that goes on as a task has been answered, and
    /// counts among [those](toolwright::ToolRegistryBuilder::max_tasks) only. Default: 1,024.
    pub max_running: usize,
    /// How many bytes of waiting requests are kept; at the bound calls are refused with an error
    /// result. Default: 64 MiB.
    pub max_waiting: usize,
    /// How many calls may wait for another call to end or for the client to read, at least 1; at
    /// the bound calls are refused with an error result. Default: 65,536.
    pub max_waiting_calls: usize,
    /// How many bytes of messages may wait for the client to read them. At the bound no more calls
    /// start, and progress and log messages of tools are dropped; 16 MiB later reading stops.
    /// Default: 64 MiB.
    pub max_unsent: usize,
    /// How many threads run plain functions, at least 1. Default: 64.
    pub sync_threads: usize,
    /// How long running calls may continue once input has ended or `stop` is ready. Default: 1 s.
    pub grace: Duration,
    /// The options of the server that `--http` starts.
    #[cfg(feature = "http")]
    pub http: toolwright::http::Options,
    /// The command and its arguments, for [`main_with`](crate::main_with) and
    /// [`main_async_with`](crate::main_async_with). Default: all arguments of the process. A
    /// program with arguments of its own takes them off the front, and leaves the rest here;
    /// `config` then prints the ones in front.
    #[cfg(feature = "cli")]
    pub args: Option<Vec<std::ffi::OsString>>,
}

impl Default for Options {
    fn default() -> Self {
        const MIB: usize = 1024 * 1024;
        Self {
            max_line: 64 * MIB,
            max_running: 1_024,
            max_waiting: 64 * MIB,
            max_waiting_calls: 65_536,
            max_unsent: 64 * MIB,
            sync_threads: 64,
            grace: Duration::from_secs(1),
            #[cfg(feature = "http")]
            http: toolwright::http::Options::default(),
            #[cfg(feature = "cli")]
            args: None,
        }
    }
}
