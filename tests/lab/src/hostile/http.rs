use std::time::Duration;

use anyhow::Result;

use super::Ask;
use super::bytes::{Case, Client, call};
use super::server::{Process, Server};
use super::verdict::Verdict;

const PATIENCE: Duration = Duration::from_secs(1);
const START: Duration = Duration::from_secs(20);

/// A server on loopback. Its process is kept while it is well.
pub struct Asked<'a> {
    server: &'a Server,
    running: Option<Running>,
}

struct Running {
    is_guarded: bool,
    process: Process,
    client: Client,
}

impl<'a> Asked<'a> {
    pub fn new(server: &'a Server) -> Self {
        Self { server, running: None }
    }
}

impl Ask for Asked<'_> {
    fn ask(&mut self, case: &Case) -> Result<Verdict> {
        let is_guarded = case.how.is_guarded();
        let is_same = |running: &Running| running.is_guarded == is_guarded;
        let mut running = match self.running.take().filter(is_same) {
            Some(running) => running,
            None => Running::start(self.server, is_guarded)?,
        };
        let before = running.process.memory();
        let said = running.client.ask(case);
        if running.process.has_ended() {
            return Ok(Verdict::Died);
        }
        if !running.answers() {
            return Ok(Verdict::Stuck);
        }
        let growth = running.process.growth(before, case.bytes.len());
        self.running = Some(running);
        Ok(match (growth, &*said) {
            (Some(more), _) => Verdict::Grew(more),
            (None, "closes") if !case.is_right("closes") => Verdict::Closed,
            (None, _) => Verdict::of(said, case),
        })
    }
}

impl Running {
    fn start(server: &Server, is_guarded: bool) -> Result<Self> {
        let (process, address) = server.start_http(is_guarded)?;
        let mut client = Client::begin(address, Some(server.patience(START)))?;
        client.patience = Some(server.patience(PATIENCE));
        Ok(Self { is_guarded, process, client })
    }

    /// Answers a plain call.
    fn answers(&self) -> bool {
        let plain = call("\"next\"", "add", r#"{"a":20,"b":22}"#);
        let answer = self.client.send("POST /mcp", &[], plain.as_bytes());
        let message = answer.ok().and_then(|answer| answer.message());
        message.is_some_and(|message| message.answers("\"next\"") && message.begins_with("42"))
    }
}
