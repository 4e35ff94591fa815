use std::io::{BufRead as _, BufReader, Write as _};
use std::process::ChildStdin;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Ask;
use super::case::{Case, How};
use super::lines::{call, hello};
use super::server::{Process, Server};
use super::verdict::{Verdict, all};

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
    session: Option<(Option<&'static str>, Session)>,
}

struct Session {
    process: Process,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
}

impl<'a> Asked<'a> {
    pub fn new(server: &'a Server) -> Self {
        Self { server, session: None }
    }
}

impl Ask for Asked<'_> {
    fn ask(&mut self, case: &Case) -> Result<Verdict> {
        let version = match case.how {
            How::Lines(version) => version,
            _ => Some("2025-11-25"),
        };
        let kept = self.session.take().filter(|(of, _)| version.is_some() && *of == version);
        let mut session = match kept {
            Some((_, session)) => session,
            None => Session::start(self.server, version)?,
        };
        if matches!(case.how, How::End) {
            return session.end(case, self.server.patience(END));
        }
        let verdict = session.ask(case, self.server)?;
        let is_well = matches!(verdict, Verdict::Right(_) | Verdict::Wrong(_) | Verdict::Silent);
        self.session = is_well.then_some((version, session));
        Ok(verdict)
    }
}

impl Session {
    fn start(server: &Server, version: Option<&str>) -> Result<Self> {
        let mut process = server.start_stdio()?;
        let mut input = process.0.0.stdin.take().context("no stdin")?;
        let output = BufReader::new(process.0.0.stdout.take().context("no stdout")?);
        let (heard, messages) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                // What is no JSON is an answer too, and none that is right.
                let message = serde_json::from_str(&line).unwrap_or(Value::Null);
                if heard.send(message).is_err() {
                    break;
                }
            }
        });
        if let Some(version) = version {
            let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
            input.write_all(format!("{}\n{ready}\n", hello(version)).as_bytes())?;
            let answer = messages.recv_timeout(server.patience(START));
            if !answer.is_ok_and(|answer| answer["id"] == "hello") {
                bail!("{} does not begin a session", server.name.as_str());
            }
        }
        Ok(Self { process, input: Some(input), messages })
    }

    /// Writes in a thread, as the server may not read.
    fn write(&mut self, bytes: Vec<u8>) -> Option<JoinHandle<Option<ChildStdin>>> {
        let mut input = self.input.take()?;
        Some(thread::spawn(move || input.write_all(&bytes).is_ok().then_some(input)))
    }

    fn ask(&mut self, case: &Case, server: &Server) -> Result<Verdict> {
        let before = self.process.memory();
        let plain = call("add", r#"{"a":20,"b":22}"#).replace("\"id\":1", "\"id\":\"then\"");
        let bytes = [&case.input, &b"\n"[..], plain.as_bytes(), b"\n"].concat();
        let writing = self.write(bytes).context("no input")?;
        // Some take a second for eight MiB.
        let time = PATIENCE * (1 + (case.input.len() >> 20) as u32);
        // Without a handshake the time to start is in it, and the memory of a start.
        let is_fresh = matches!(case.how, How::Lines(None));
        let deadline = Instant::now() + server.patience(if is_fresh { START } else { time });
        let (mut said, mut is_next_answered) = (Vec::new(), false);
        let is_enough = |said: &[Value]| case.right.contains(&&*all(said));
        let ended = loop {
            let left = match is_next_answered && is_enough(&said) {
                true => LATE,
                false => deadline.saturating_duration_since(Instant::now()),
            };
            match self.messages.recv_timeout(left) {
                Ok(message) if message["id"] == "then" => {
                    is_next_answered = message["result"]["content"][0]["text"]
                        .as_str()
                        .is_some_and(|text| text.starts_with("42"));
                }
                Ok(message) if message.get("method").is_some() => {}
                Ok(message) => said.push(message),
                Err(RecvTimeoutError::Timeout) => break false,
                Err(RecvTimeoutError::Disconnected) => break true,
            }
        };
        if ended || self.process.has_ended() {
            thread::sleep(LATE);
            let has_ended = self.process.has_ended();
            return Ok(if has_ended { Verdict::Died } else { Verdict::Closed });
        }
        if !is_next_answered {
            return Ok(Verdict::Stuck);
        }
        self.input = writing.join().ok().flatten();
        if let Some(more) = self.process.growth(before, case.input.len()).filter(|_| !is_fresh) {
            return Ok(Verdict::Grew(more));
        }
        Ok(Verdict::of(all(&said), case.right))
    }

    /// The input ends behind the bytes, and the process must end in time.
    fn end(mut self, case: &Case, patience: Duration) -> Result<Verdict> {
        drop(self.write(case.input.clone()).context("no input")?.join());
        let begin = Instant::now();
        while !self.process.has_ended() && begin.elapsed() < patience {
            thread::sleep(Duration::from_millis(5));
        }
        if !self.process.has_ended() {
            return Ok(Verdict::Stuck);
        }
        let said: Vec<Value> =
            self.messages.iter().filter(|it| it.get("method").is_none()).collect();
        let is_well = self.process.0.0.wait()?.success();
        Ok(if is_well { Verdict::of(all(&said), case.right) } else { Verdict::Died })
    }
}
