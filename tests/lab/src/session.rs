use std::io::Write;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;

use crate::answer::{Checker, excerpt};
use crate::call::{Batch, Call, Era, FIRST_ID, LEGACY_VERSION, STATELESS_VERSION};
use crate::cleared::cleared;
use crate::inbox::Inbox;
use crate::killed::Killed;
use crate::servers::Server;
use crate::watchdog::Watchdog;

const OPENING_LIMIT: Timespec = Timespec { tv_sec: 30, tv_nsec: 0 };
const EXIT_LIMIT: Duration = Duration::from_secs(10);

/// One server process and the conversation with it.
pub struct Session {
    /// First, as fields are dropped in order and it must be gone before the process is waited for.
    pub watchdog: Watchdog,
    process: Killed,
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
    pub inbox: Inbox,
    /// From the spawn to the whole answer to the opening.
    pub started_in: Duration,
    era: Era,
    echoes_lines: bool,
    next_id: u64,
}

impl Session {
    pub fn start(server: &Server, era: Era) -> Result<Self> {
        let opening = era.opening();
        let mut inbox = Inbox::new();
        let mut command = cleared(Command::new(&server.program));
        command.args(&server.args).stdin(Stdio::piped()).stdout(Stdio::piped());

        let clock = Instant::now();
        let child =
            command.spawn().with_context(|| format!("starting {}", server.program.display()))?;
        let mut process = Killed(child);
        let mut stdin = process.0.stdin.take().context("no stdin")?;
        let mut stdout = process.0.stdout.take().context("no stdout")?;
        stdin.write_all(&opening).context("writing the opening")?;
        let answer = loop {
            if let Some(line) = inbox.line() {
                break line.to_vec();
            }
            // The watchdog comes later, as starting a thread would be part of what is measured
            // here.
            let ready = poll(&mut [PollFd::new(&stdout, PollFlags::IN)], Some(&OPENING_LIMIT))?;
            ensure!(ready > 0, "no answer to the opening");
            inbox.fill(&mut stdout).context("reading the answer to the opening")?;
        };
        let started_in = clock.elapsed();

        let echoes_lines = server.echoes_lines();
        if echoes_lines {
            ensure!(opening.strip_suffix(b"\n") == Some(&answer), "the opening did not come back");
        } else {
            check_opening(era, &answer)
                .map_err(|reason| anyhow!("opening: {reason:#}: {}", excerpt(&answer)))?;
            stdin.write_all(era.greeting()).context("writing the greeting")?;
        }
        let watchdog = Watchdog::over(&process.0);
        watchdog.rest();
        Ok(Self {
            process,
            stdin,
            stdout,
            inbox,
            watchdog,
            started_in,
            era,
            echoes_lines,
            next_id: FIRST_ID,
        })
    }

    /// Asks for the tools. Returns the time from the request to the whole answer.
    pub fn list_tools(&mut self) -> Result<Duration> {
        let request = self.era.listing();
        self.watchdog.feed();
        let clock = Instant::now();
        self.stdin.write_all(&request).context("writing the request for the tools")?;
        let answer = loop {
            if let Some(line) = self.inbox.line() {
                break line;
            }
            self.inbox.fill(&mut self.stdout).context("reading the list of tools")?;
        };
        let took = clock.elapsed();
        self.watchdog.rest();
        match self.echoes_lines {
            true => ensure!(
                request.strip_suffix(b"\n") == Some(answer),
                "the request did not come back"
            ),
            false => check_tools(answer)
                .map_err(|reason| anyhow!("tools: {reason:#}: {}", excerpt(answer)))?,
        }
        Ok(took)
    }

    pub fn pid(&self) -> u32 {
        self.process.0.id()
    }

    pub fn checker(&self) -> Checker {
        Checker::new(self.echoes_lines)
    }

    /// Requests with ids that this session has not seen.
    pub fn batch(&mut self, call: &Call, count: usize) -> Batch {
        let first = self.next_id;
        self.next_id += count as u64;
        Batch::render(call.clone(), self.era, first, count)
    }

    /// Closes the server's input and says what was wrong with its exit, if anything was, or that it
    /// has said more than was asked for.
    pub fn close(self) -> Result<()> {
        let Self { mut process, stdin, stdout, mut inbox, watchdog, .. } = self;
        drop(watchdog);
        drop(stdin);
        let clock = Instant::now();
        let status = loop {
            match process.0.try_wait()? {
                Some(status) => break status,
                None if clock.elapsed() > EXIT_LIMIT => {
                    bail!("still there {EXIT_LIMIT:?} after its input was closed")
                }
                None => std::thread::sleep(Duration::from_micros(200)),
            }
        };
        ensure!(status.success(), "ended with {status} after its input was closed");
        inbox.ends_here(stdout)
    }
}

fn check_opening(era: Era, answer: &[u8]) -> Result<()> {
    let answer: Value = serde_json::from_slice(answer).context("not JSON")?;
    ensure!(answer["jsonrpc"] == "2.0" && answer["id"] == 0, "another envelope than expected");
    let result = &answer["result"];
    match era {
        Era::Legacy => {
            ensure!(result["protocolVersion"] == LEGACY_VERSION, "another version than asked for")
        }
        Era::Stateless => {
            let versions = result["supportedVersions"].as_array().context("no list of versions")?;
            ensure!(
                versions.iter().any(|version| version == STATELESS_VERSION),
                "{STATELESS_VERSION} is not served"
            );
        }
    }
    Ok(())
}

fn check_tools(answer: &[u8]) -> Result<()> {
    let answer: Value = serde_json::from_slice(answer).context("not JSON")?;
    ensure!(answer["jsonrpc"] == "2.0" && answer["id"] == 1, "another envelope than expected");
    let tools = answer["result"]["tools"].as_array().context("no list of tools")?;
    for name in ["add", "echo", "sleep_ms", "search"] {
        let is_described =
            tools.iter().any(|tool| tool["name"] == name && tool["inputSchema"].is_object());
        ensure!(is_described, "`{name}` is not described");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
