//! What a server program can be told.

use std::time::Duration;

use toolwright::host::Limits;

/// The bounds of a server, and its command line. The defaults suit a program that a client starts
/// as its own child process.
///
/// ```
/// let mut options = toolwright_stdio::Options::default();
/// options.limits.max_running = 16;
/// # let _ = options;
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The most bytes of a line, at least 65 KiB; a longer line is answered with an error. Default:
    /// 64 MiB.
    pub max_line: usize,
    /// How many calls run and wait at once. Those that wait for the client to read count among
    /// those that wait; at the bound calls are refused with an error result.
    pub limits: Limits,
    /// How many bytes of messages may wait for the client to read them. At the bound no more calls
    /// start, and progress and log messages of tools are dropped; 16 MiB later reading stops.
    /// Default: 64 MiB.
    pub max_unsent: usize,
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
            limits: Limits::default(),
            max_unsent: 64 * MIB,
            grace: Duration::from_secs(1),
            #[cfg(feature = "http")]
            http: toolwright::http::Options::default(),
            #[cfg(feature = "cli")]
            args: None,
        }
    }
}
