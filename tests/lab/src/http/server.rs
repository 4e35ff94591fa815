use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use super::metric::Answer;
use crate::artifact;
use crate::callgrind::Callgrind;
use crate::cleared::cleared;
use crate::killed::Killed;
use crate::leashed::leashed;
use crate::options::Options;
use crate::ready::ready;
use crate::watchdog::Watchdog;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    Ours,
    /// `add` by hand, behind axum.
    Floor,
    Rmcp,
    /// As rmcp's examples have it.
    RmcpExample,
    TypeScript,
}

impl Name {
    pub const ALL: [Self; 5] =
        [Self::Ours, Self::Floor, Self::Rmcp, Self::RmcpExample, Self::TypeScript];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Floor => "floor",
            Self::Rmcp => "rmcp",
            Self::RmcpExample => "rmcp-example",
            Self::TypeScript => "ts",
        }
    }
}

/// How to start what is measured.
pub struct Server {
    pub name: Name,
    program: PathBuf,
    args: Vec<String>,
}

/// Builds and installs what the options ask for.
pub fn prepare(options: &Options) -> Result<Vec<Server>> {
    let wanted = |name: &Name| options.wants(name.as_str());
    let can_run =
        |name: &Name| *name != Name::TypeScript || artifact::can_run(name.as_str(), "node");
    let names = Name::ALL.into_iter().filter(wanted).filter(can_run);
    let servers = names.map(|name| server(name, options)).collect::<Result<Vec<_>>>()?;
    ensure!(!servers.is_empty(), "no server is left");
    Ok(servers)
}

fn server(name: Name, options: &Options) -> Result<Server> {
    let (program, args) = match name {
        Name::Ours => (
            options.ours.clone().map_or_else(artifact::fixture, Ok)?,
            ["--sessions", "--tools", "add,echo", "--http", "127.0.0.1:0"].map(Into::into).into(),
        ),
        Name::Floor => (
            std::env::current_exe().context("finding this program")?,
            vec!["http-floor".to_owned()],
        ),
        Name::Rmcp | Name::RmcpExample => (artifact::rmcp_http()?, Vec::new()),
        Name::TypeScript => {
            let (node, script) = artifact::typescript_server()?;
            (node, vec![script])
        }
    };
    Ok(Server { name, program, args })
}

impl Server {
    /// The header that brings this kind of answer. What MCP demands of a client, both types, brings
    /// JSON from ours; the others stream or not as they were started.
    pub fn accept(&self, answer: Answer) -> &'static str {
        match (self.name, answer) {
            (Name::Ours | Name::Floor, Answer::Stream) => "text/event-stream",
            _ => "application/json, text/event-stream",
        }
    }

    /// How long it must be used before it is measured: a JIT compiler takes some seconds.
    pub fn warm_up(&self) -> u64 {
        if self.name == Name::TypeScript { 3_000 } else { 400 }
    }

    /// True if it has sessions, as it is started.
    pub fn has_sessions(&self) -> bool {
        self.name == Name::Ours
    }

    /// True if its code does not change while it runs.
    pub fn is_compiled(&self) -> bool {
        self.name != Name::TypeScript
    }

    pub fn gives(&self, answer: Answer) -> bool {
        (self.name, answer) != (Name::RmcpExample, Answer::Json)
    }

    /// The same one, whose instructions are counted.
    pub fn under(&self, callgrind: &Callgrind) -> Self {
        let (program, args) = callgrind.command(&self.program, &self.args);
        Self { name: self.name, program, args }
    }

    /// Starts it; `None` if it does not give this kind of answer.
    pub fn start(&self, answer: Answer) -> Result<Option<Process>> {
        if !self.gives(answer) {
            return Ok(None);
        }
        let mode = match (self.name, answer) {
            (Name::Ours | Name::Floor, _) => None,
            (Name::RmcpExample, _) => Some("example"),
            (_, Answer::Json) => Some("json"),
            (_, Answer::Stream) => Some("stream"),
        };
        let child = cleared(leashed(&self.program))
            .args(&self.args)
            .args(mode)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("starting {}", self.program.display()))?;
        Process::listening(child).map(Some)
    }
}

/// A server that listens. It ends when this is dropped.
pub struct Process {
    /// First, as fields are dropped in order and it must be gone before the process is waited for.
    pub watchdog: Watchdog,
    child: Killed,
    pub address: SocketAddr,
}

impl Process {
    /// Waits for the line that names the address.
    pub fn listening(child: Child) -> Result<Self> {
        let mut child = Killed(child);
        let address = ready(&mut child.0, |line| {
            let (_, address) = line.split_once("http://")?;
            address.split('/').next()?.trim().parse().ok()
        })?;
        Ok(Self { watchdog: Watchdog::over(&child.0), child, address })
    }

    pub fn pid(&self) -> u32 {
        self.child.0.id()
    }

    /// Ends it with SIGTERM, and waits until it has ended.
    pub fn terminated(self) -> Result<()> {
        let pid = Pid::from_child(&self.child.0);
        kill_process(pid, Signal::TERM).context("ending a server")?;
        // Its id stays taken while the watchdog may still use it.
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(pid), ended).map(drop).context("waiting for a server")
    }
}
