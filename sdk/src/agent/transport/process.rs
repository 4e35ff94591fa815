//! The transport that starts the CLI as a child process.

use std::fmt;
use std::fs;
use std::io::{self, IsTerminal};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use rustix::process::Pid;
use tokio::process::{ChildStdin, ChildStdout};

use super::alone::alone;
use super::child::Child;
use super::discovery::{self, Program};
use super::group::Founder;
use super::peer::ProcessPeer;
use super::pipes::{Input, Output};
use super::reaper::{Reaper, Watch};
use super::shell::SHELL;
use super::stderr::{Callback, Stderr};
use super::watched::{Graces, Watched};
use super::{Connection, Launch, Transport, environment};
use crate::agent::error::ConnectError;
use crate::agent::runtime;
use crate::agent::setters::setters;

/// Starts the `claude` program as a child process and speaks to it over standard input and output.
///
/// ```no_run
/// use std::time::Duration;
///
/// use toolwright::agent::transport::Process;
/// use toolwright::agent::{AgentClient, AgentOptions};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let process = Process::new()
///     .cli_path("/opt/claude/bin/claude")
///     .stderr(|line| eprintln!("claude: {line}"))
///     .grace_after_end(Duration::from_secs(1));
/// let client = AgentClient::connect_with(process, AgentOptions::default()).await?;
/// # Ok(())
/// # }
/// ```
///
/// The runtime needs its I/O driver (`enable_io`).
///
/// However a run or this program ends, no process is left: a CLI that does not exit when its input
/// ends gets SIGTERM and then SIGKILL, and so do the processes that it leaves in its process group,
/// if it has one of its own: see [`ProcessGroup`] for a program at a terminal. Separate threads do
/// this, so it does not need the runtime, and after the end of this program another process does;
/// [the agent module](crate::agent#when-a-run-ends) has the details.
///
/// The CLI inherits the environment without `CLAUDECODE`, with which it would refuse to start.
/// [`Launch::env`] changes what is inherited.
#[derive(Clone)]
pub struct Process {
    cli_path: Option<PathBuf>,
    stderr: Option<Callback>,
    graces: Graces,
    group: ProcessGroup,
}

/// Which process group the CLI belongs to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProcessGroup {
    /// [`Own`](Self::Own), unless this program's standard input is a terminal: then
    /// [`Inherited`](Self::Inherited), as Ctrl-C must reach the CLI, too.
    #[default]
    Auto,
    /// A group of its own, which the CLI does not lead. Signals go to the whole group, and what the
    /// CLI leaves in it is ended after the CLI.
    Own,
    /// The group of this program. Signals go to the CLI only, and what it leaves behind stays. If
    /// the CLI has to be killed, all that it has started is killed too.
    Inherited,
}

impl Process {
    /// Uses the `claude` program in PATH or in one of its usual install locations.
    pub fn new() -> Self {
        let graces = Graces { end: Duration::from_secs(5), terminate: Duration::from_secs(5) };
        Self { cli_path: None, stderr: None, graces, group: ProcessGroup::Auto }
    }

    /// Calls `callback` with each line of standard error, on a separate thread. While it runs,
    /// nothing is read from standard error, and the CLI waits when the pipe is full.
    pub fn stderr(self, callback: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.shared_stderr(Arc::new(callback))
    }

    fn has_own_group(&self) -> bool {
        match self.group {
            ProcessGroup::Auto => !io::stdin().is_terminal(),
            ProcessGroup::Own => true,
            ProcessGroup::Inherited => false,
        }
    }

    fn start(self, launch: &Launch) -> Result<Connection, ConnectError> {
        // Otherwise creating the pipes panics.
        runtime::check_io()?;
        let cwd = working_folder(launch)?;
        let path = environment::search_path(launch);
        let program = discovery::find(
            self.cli_path.as_deref(),
            path.as_deref(),
            std::env::home_dir().as_deref(),
        )?;
        let command = command(&program, launch, cwd.as_deref());
        let path = program.script.unwrap_or(program.path);
        let fail = |source| ConnectError::Spawn { path, source: cause(source, launch) };
        let (child, pipes) = self.spawn(command, fail)?;
        connection(child, pipes).map_err(ConnectError::Transport)
    }

    fn spawn(
        self,
        mut command: Command,
        fail: impl FnOnce(io::Error) -> ConnectError,
    ) -> Result<(Arc<Child>, Pipes), ConnectError> {
        let fail_to_watch = |source| ConnectError::Spawn { path: SHELL.into(), source };
        let founder = match self.has_own_group() {
            true => Some(Founder::start().map_err(fail_to_watch)?),
            false => None,
        };
        let group = founder.as_ref().map(Founder::group);
        // Before the process exists. Without a group there is nothing yet that could be watched.
        let watched = group.map(|group| Watched::group(group, self.graces)).transpose();
        let watched = watched.map_err(fail_to_watch)?;
        if let Some(group) = group {
            command.process_group(group.as_raw_nonzero().get());
        }
        let (mut process, stderr, reaper) = start(command, self.stderr).map_err(fail)?;
        let pid = Pid::from_child(&process);
        let watched = match watched.map_or_else(|| Watched::process(pid, self.graces), Ok) {
            Ok(watched) => watched,
            Err(error) => {
                let _ = process.kill().and_then(|()| process.wait());
                return Err(fail_to_watch(error));
            }
        };
        let pipes = (process.stdin.take(), process.stdout.take());
        let child = Arc::new(Child::new(pid, group, self.graces));
        reaper.watch(Watch { founder, process, child: child.clone(), stderr, watched });
        Ok((child, pipes))
    }
}

setters! {
    impl Process, process = self;

    /// Uses this program. A `.js` file is run by `node`. A name without a slash is searched in
    /// PATH, that of [`Launch::env`] if it is set there; a relative path is relative to this
    /// program's working folder.
    cli_path(path: impl Into<PathBuf>) { process.cli_path = Some(path.into()) }
    /// Like [`stderr`](Self::stderr), with a shared callback.
    shared_stderr(callback: Arc<dyn Fn(&str) + Send + Sync>) { process.stderr = Some(callback) }
    /// The time that the CLI has to exit after its input was closed, before it gets SIGTERM.
    /// Default: 5 s.
    grace_after_end(grace: Duration) { process.graces.end = grace }
    /// The time that the CLI has to exit after SIGTERM, before it gets SIGKILL, and with it all
    /// processes that it has started. Default: 5 s.
    grace_after_terminate(grace: Duration) { process.graces.terminate = grace }
    /// Which process group the CLI belongs to.
    process_group(group: ProcessGroup) { process.group = group }
}

type Pipes = (Option<std::process::ChildStdin>, Option<std::process::ChildStdout>);

/// Takes the command, as standard error does not end while anything has its writing end.
fn start(
    mut command: Command,
    callback: Option<Callback>,
) -> io::Result<(std::process::Child, Arc<Stderr>, Reaper)> {
    let _alone = alone();
    let (stderr, writer) = Stderr::start(callback)?;
    let reaper = Reaper::start()?;
    let process = command.stderr(writer).spawn()?;
    Ok((process, stderr, reaper))
}

fn working_folder(launch: &Launch) -> Result<Option<PathBuf>, ConnectError> {
    let Some(cwd) = &launch.cwd else { return Ok(None) };
    let fail = |source| ConnectError::WorkingFolder { path: cwd.clone(), source };
    let absolute = std::path::absolute(cwd).map_err(fail)?;
    // `.` is there only for those who can enter the folder.
    fs::metadata(absolute.join(".")).map_err(fail)?;
    Ok(Some(absolute))
}

/// Why the program cannot be started. As another user it may also be that the folder cannot be
/// entered, which the system does not tell apart.
fn cause(source: io::Error, launch: &Launch) -> io::Error {
    match (&launch.cwd, launch.user, source.kind()) {
        (Some(cwd), Some((user, _)), kind @ io::ErrorKind::PermissionDenied) => {
            let folder = cwd.display();
            io::Error::new(kind, format!("{source}: user {user} may not, or not enter {folder}"))
        }
        _ => source,
    }
}

fn command(program: &Program, launch: &Launch, cwd: Option<&Path>) -> Command {
    let mut command = Command::new(&program.path);
    command.args(&program.script).args(&launch.args).stdin(Stdio::piped()).stdout(Stdio::piped());
    environment::apply(&mut command, launch, cwd);
    if let Some(cwd) = cwd {
        command.current_dir(cwd);
    }
    if let Some((uid, gid)) = launch.user {
        command.uid(uid);
        gid.map(|gid| command.gid(gid));
    }
    command
}

fn connection(child: Arc<Child>, (stdin, stdout): Pipes) -> io::Result<Connection> {
    // From here on, dropping the peer ends the process.
    let exit = child.exit();
    let peer = ProcessPeer::new(child);
    let missing = || io::Error::other("the process has no pipe");
    let outgoing = Input::new(ChildStdin::from_std(stdin.ok_or_else(missing)?)?);
    let incoming = Output::new(ChildStdout::from_std(stdout.ok_or_else(missing)?)?, exit);
    Ok(Connection::new(incoming, outgoing, peer))
}

#[async_trait]
impl Transport for Process {
    async fn connect(self: Box<Self>, launch: Launch) -> Result<Connection, ConnectError> {
        self.start(&launch)
    }
}

impl Default for Process {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cli_path, stderr, graces, group } = self;
        f.debug_struct("Process")
            .field("cli_path", cli_path)
            .field("stderr", &stderr.is_some())
            .field("graces", graces)
            .field("group", group)
            .finish()
    }
}
