use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::artifact;
use crate::cleared::cleared;
use crate::killed::Killed;
use crate::leashed::leashed;
use crate::options::Options;
use crate::process::resident_memory;
use crate::ready::ready;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Name {
    Ours,
    Rmcp,
    TypeScript,
    Python,
}

/// How a server is started.
pub struct Server {
    pub name: Name,
    stdio: Vec<OsString>,
    http: Vec<OsString>,
    /// On HTTP, with a token for each request.
    guarded: Vec<OsString>,
}

/// A process that ends with this value.
pub struct Process(pub Killed);

/// How much more memory is a fault, in MiB, besides three times what was sent.
const MORE: f64 = 64.0;

/// Those that the others have over HTTP. With them ours offers nothing else.
const TOOLS: &str = "add,echo,fail,panic,test_custom_header,test_input_required_result_elicitation";

impl Name {
    pub const ALL: [Self; 4] = [Self::Ours, Self::Rmcp, Self::TypeScript, Self::Python];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Rmcp => "rmcp",
            Self::TypeScript => "ts",
            Self::Python => "python",
        }
    }

    /// The program that runs it, if it is a script.
    fn interpreter(self) -> Option<&'static str> {
        match self {
            Self::TypeScript => Some("node"),
            Self::Python => Some("python3"),
            _ => None,
        }
    }
}

/// Builds and installs what the options ask for.
pub fn prepare(options: &Options) -> Result<Vec<Server>> {
    let is_wanted = |name: &Name| options.wants(name.as_str());
    let can_run = |name: &Name| {
        name.interpreter().is_none_or(|program| artifact::can_run(name.as_str(), program))
    };
    let names = Name::ALL.into_iter().filter(is_wanted).filter(can_run);
    let servers = names.map(|name| server(name, options)).collect::<Result<Vec<_>>>()?;
    ensure!(!servers.is_empty(), "no server is left");
    Ok(servers)
}

fn server(name: Name, options: &Options) -> Result<Server> {
    let command = |program: PathBuf, words: &[&str]| {
        let words = words.iter().map(OsString::from);
        std::iter::once(program.into_os_string()).chain(words).collect::<Vec<_>>()
    };
    let scripted = |(program, script): (PathBuf, String), http| {
        ["stdio", http, "guarded"].map(|mode| command(program.clone(), &[&script, mode]))
    };
    let [stdio, http, guarded] = match name {
        Name::Ours => {
            let ours = options.ours.clone().map_or_else(artifact::fixture, Ok)?;
            let http = ["--sessions", "--tools", TOOLS, "--http", "127.0.0.1:0"];
            let guarded = [&["--tokens"], &http[..]].concat();
            [&[], &http[..], &guarded].map(|words| command(ours.clone(), words))
        }
        Name::Rmcp => {
            let faults = artifact::rmcp_faults()?;
            let guarded = command(faults.clone(), &["guarded"]);
            [command(artifact::rmcp_twin()?, &[]), command(faults, &[]), guarded]
        }
        Name::TypeScript => scripted(artifact::typescript_server()?, "faults"),
        Name::Python => scripted(artifact::python_server()?, "http"),
    };
    Ok(Server { name, stdio, http, guarded })
}

impl Server {
    /// How long it may take for what it must do: others this long, and ours as long as the slowest
    /// machine needs, as it is judged by what it says and not by its speed.
    pub fn patience(&self, others: Duration) -> Duration {
        match self.name {
            Name::Ours => Duration::from_secs(60),
            _ => others,
        }
    }

    pub fn start_stdio(&self) -> Result<Process> {
        start(&self.stdio, Stdio::piped(), Stdio::piped(), Stdio::null())
    }

    /// With the address on which it listens. A guarded one wants tokens.
    pub fn start_http(&self, is_guarded: bool) -> Result<(Process, String)> {
        let words = if is_guarded { &self.guarded } else { &self.http };
        let mut process = start(words, Stdio::null(), Stdio::null(), Stdio::piped())?;
        let address = ready(&mut process.0.0, |line| {
            let (_, address) = line.split_once("http://")?;
            Some(address.split('/').next()?.trim().to_owned())
        });
        let address = address.with_context(|| format!("starting {}", self.name.as_str()))?;
        Ok((process, address))
    }
}

fn start(words: &[OsString], input: Stdio, output: Stdio, errors: Stdio) -> Result<Process> {
    let child = cleared(leashed(&words[0]))
        .args(&words[1..])
        .stdin(input)
        .stdout(output)
        .stderr(errors)
        .spawn()
        .with_context(|| format!("starting {}", words[0].display()))?;
    Ok(Process(Killed(child)))
}

impl Process {
    /// MiB that are resident; 0 once the process has ended.
    pub fn memory(&self) -> f64 {
        resident_memory(self.0.0.id()).unwrap_or_default()
    }

    /// By how many MiB it has grown, if that is more than `sent` bytes explain.
    pub fn growth(&self, before: f64, sent: usize) -> Option<u64> {
        let more = self.memory() - before;
        (more > MORE + 3.0 * sent as f64 / 1024.0 / 1024.0).then_some(more as u64)
    }

    pub fn has_ended(&mut self) -> bool {
        !matches!(self.0.0.try_wait(), Ok(None))
    }
}
