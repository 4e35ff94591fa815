use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use super::Ask;
use super::bytes::{Case, How, Next, Patience, Session, words};
use super::server::{Process, Server};
use super::verdict::Verdict;

/// How long an answer may take, besides the time that its bytes take.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a message is waited for that should not come.
const LATE: Duration = Duration::from_millis(60);
/// How long a server may take to start, and to end after its input.
const START: Duration = Duration::from_secs(20);
const END: Duration = Duration::from_secs(2);

/// A server on pipes. Its process is kept while it is well.
pub struct Asked<'a> {
    server: &'a Server,
    running: Option<Running>,
}

struct Running {
    version: Option<&'static str>,
    process: Process,
    session: Session,
}

impl<'a> Asked<'a> {
    pub fn new(server: &'a Server) -> Self {
        Self { server, running: None }
    }
}

impl Ask for Asked<'_> {
    fn ask(&mut self, case: &Case) -> Result<Verdict> {
        let version = case.how.version();
        let is_same = |running: &Running| version.is_some() && running.version == version;
        let mut running = match self.running.take().filter(is_same) {
            Some(running) => running,
            None => Running::start(self.server, case.how)?,
        };
        if case.how.ends() {
            return running.end(case, self.server.patience(END));
        }
        let verdict = running.ask(case, self.server);
        let is_well = matches!(verdict, Verdict::Right(_) | Verdict::Wrong(_) | Verdict::Silent);
        self.running = is_well.then_some(running);
        Ok(verdict)
    }
}

impl Running {
    fn start(server: &Server, how: How) -> Result<Self> {
        let version = how.version();
        let mut process = server.start_stdio()?;
        let mut session = Session::of(&mut process.0.0, how)?;
        if version.is_some_and(|version| !session.begin(version, server.patience(START))) {
            bail!("{} does not begin a session", server.name.as_str());
        }
        Ok(Self { version, process, session })
    }

    fn ask(&mut self, case: &Case, server: &Server) -> Verdict {
        let before = self.process.memory();
        // Some take a second for eight MiB.
        let time = PATIENCE * (1 + (case.bytes.len() >> 20) as u32);
        // Without a handshake the time to start is in it, and the memory of a start.
        let is_fresh = self.version.is_none();
        let patience = Patience {
            next: server.patience(if is_fresh { START } else { time }),
            missing: server.patience(time),
            more: LATE,
        };
        let (said, next) = self.session.ask(case, patience);
        if next == Next::Closed || self.process.has_ended() {
            thread::sleep(LATE);
            return if self.process.has_ended() { Verdict::Died } else { Verdict::Closed };
        }
        if next == Next::Unanswered {
            return Verdict::Stuck;
        }
        if let Some(more) = self.process.growth(before, case.bytes.len()).filter(|_| !is_fresh) {
            return Verdict::Grew(more);
        }
        Verdict::of(words(&said, &case.ids), case)
    }

    /// The process must end in time.
    fn end(mut self, case: &Case, patience: Duration) -> Result<Verdict> {
        self.session.end(case.how, &case.bytes, &self.process.0.0);
        let begin = Instant::now();
        while !self.process.has_ended() && begin.elapsed() < patience {
            thread::sleep(Duration::from_millis(5));
        }
        if !self.process.has_ended() {
            return Ok(Verdict::Stuck);
        }
        // The end of input is no fault. Nobody demands a status behind the others.
        let is_well = !matches!(case.how, How::End(_)) || self.process.0.0.wait()?.success();
        let said = words(&self.session.rest(), &case.ids);
        Ok(if is_well { Verdict::of(said, case) } else { Verdict::Died })
    }
}
