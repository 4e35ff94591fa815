//! A CLI that says random lines and keeps a ledger of its requests.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::Notify;
use toolwright::agent::transport::{Connection, Incoming, Launch, Outgoing, Peer, Transport};
use toolwright::agent::{ConnectError, ProcessExit};

use super::lines::{Effect, MARK, ids};
use super::plans::Plans;

/// The last message of the run.
pub(super) const END: &str = r#"{"type":"the end"}"#;
/// So many requests may wait for their answers.
const WAITING: usize = 500;
/// So many messages may wait for the consumer. Without a limit, memory would show how far it is
/// behind on a busy machine, and not what the agent leaks.
const UNREAD: usize = 10_000;
/// The answers to so many damaged lines are counted by their ids.
const COUNTED: usize = 2_000;
/// About how many bytes one read brings.
const PIECE: usize = 16 * 1024;
/// What the CLI says about itself, unless the test says it.
const INFO: &str = r#"{"claude_code_version":"2.1.328"}"#;

/// Where the lines of a CLI come from.
pub(super) trait Says: Send {
    /// The next line, without its end.
    fn next(&mut self) -> (Vec<u8>, Effect);

    /// A line that ends one request which is stuck.
    fn last(&mut self) -> Option<(Vec<u8>, Effect)> {
        None
    }
}

/// What the CLI has said and heard.
#[derive(Clone, Default)]
pub(super) struct Ledger(Arc<Shared>);

#[derive(Default)]
struct Shared {
    pages: Mutex<Pages>,
    changed: Notify,
}

#[derive(Default)]
pub(super) struct Pages {
    /// What the CLI says next, before all else.
    replies: Vec<u8>,
    /// The requests without an answer, and the lines of those that were damaged.
    open: HashMap<String, String>,
    stuck: HashSet<String>,
    /// Messages that are not delivered yet.
    undelivered: VecDeque<String>,
    /// How many damaged lines may have been requests, and how many answers went to none that is
    /// open.
    damaged: u64,
    excess: u64,
    /// What is left to the ids that damage may make again, and the ids of the last lines.
    left: HashMap<String, Left>,
    counted: VecDeque<String>,
    pub(super) lines: u64,
    pub(super) answers: u64,
    /// How many answers there must be.
    pub(super) due: u64,
    pub(super) faults: Vec<String>,
    /// The answer to `initialize`, if it is not the usual one.
    pub(super) info: Option<String>,
    /// How many requests the agent has sent, and how many gave something.
    pub(super) asked: (u64, u64),
    /// The answers to other requests.
    pub(super) plans: Plans,
    /// What the agent has answered, by the ids of the requests, if the test wants it.
    pub(super) heard: Option<HashMap<String, String>>,
    has_ended: bool,
}

/// How many of the last lines have an id, and how many answers it may still get.
#[derive(Default)]
struct Left {
    lines: u64,
    answers: u64,
}

pub(super) struct Cli {
    pub(super) ledger: Ledger,
    pub(super) lines: Box<dyn Says>,
    pub(super) count: u64,
}

struct Output(Cli);

struct Input(Ledger);

struct NoProcess;

/// A line that the agent writes.
#[derive(Deserialize)]
struct Heard<'a> {
    #[serde(borrow)]
    r#type: &'a str,
    request_id: Option<String>,
    #[serde(borrow)]
    response: Option<Response<'a>>,
    #[serde(borrow)]
    request: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Response<'a> {
    request_id: String,
    subtype: &'a str,
    #[serde(borrow)]
    response: Option<&'a RawValue>,
}

impl Ledger {
    pub(super) fn with<T>(&self, f: impl FnOnce(&mut Pages) -> T) -> T {
        f(&mut self.0.pages.lock().unwrap())
    }

    /// Takes note of a message that the consumer got.
    pub(super) fn delivered(&self, raw: &str) {
        if !raw.contains(MARK) {
            return;
        }
        self.with(|pages| match pages.undelivered.pop_front() {
            Some(expected) if expected == raw => {}
            expected => pages.fault(format!("{expected:?} was expected, {raw} was delivered")),
        });
        self.0.changed.notify_one();
    }

    /// Has the CLI say a line at once.
    pub(super) fn say(&self, line: &str) {
        self.with(|pages| {
            pages.replies.extend_from_slice(line.as_bytes());
            pages.replies.push(b'\n');
        });
        self.0.changed.notify_one();
    }

    /// Nothing may be missing at the end.
    pub(super) fn close(&self) {
        self.with(|pages| {
            let (open, undelivered) = (pages.open.clone(), pages.undelivered.len());
            if !open.is_empty() || undelivered > 0 {
                pages.fault(format!("{undelivered} are undelivered, never answered: {open:?}"));
            }
            if pages.excess > pages.damaged {
                pages.fault(format!("{} answers too many", pages.excess - pages.damaged));
            }
        });
    }
}

impl Pages {
    pub(super) fn fault(&mut self, fault: String) {
        if self.faults.len() < 20 {
            self.faults.push(fault);
        }
    }

    fn say(&mut self, out: &mut Vec<u8>, (line, effect): (Vec<u8>, Effect)) {
        self.lines += 1;
        let text = || String::from_utf8_lossy(&line).into_owned();
        match effect {
            Effect::Answer(id) => {
                self.due += 1;
                if !id.starts_with(MARK) {
                    self.count(id.clone());
                }
                self.open.insert(id, text());
            }
            Effect::Stuck(id) => drop(self.stuck.insert(id)),
            Effect::Cancelled(id) => drop(self.stuck.remove(&id)),
            Effect::Delivered => self.undelivered.push_back(text()),
            Effect::Damaged => {
                self.damaged += 1;
                ids(&line).into_iter().for_each(|id| self.count(id));
            }
            Effect::Nothing => {}
        }
        out.extend_from_slice(&line);
        out.push(b'\n');
    }

    /// A line gives its id one more answer.
    fn count(&mut self, id: String) {
        let left = self.left.entry(id.clone()).or_default();
        (left.lines, left.answers) = (left.lines + 1, left.answers + 1);
        self.counted.push_back(id);
        if self.counted.len() > COUNTED {
            let oldest = self.counted.pop_front().unwrap();
            let left = self.left.get_mut(&oldest).unwrap();
            left.lines -= 1;
            if left.lines == 0 {
                self.left.remove(&oldest);
            }
        }
    }

    /// An answer: each line has one at most.
    fn take(&mut self, id: &str) {
        match self.left.get_mut(id) {
            Some(Left { answers: 0, .. }) => {
                self.fault(format!("{id} is answered more often than it was said"));
            }
            Some(left) => left.answers -= 1,
            None => {}
        }
    }

    fn hear(&mut self, line: &[u8]) {
        let heard: Heard<'_> = match serde_json::from_slice(line) {
            Ok(heard) => heard,
            Err(error) => return self.fault(format!("{error}: {}", line.escape_ascii())),
        };
        match (heard.r#type, heard.request_id, heard.response) {
            ("control_response", _, Some(Response { request_id: id, subtype, response })) => {
                self.answers += 1;
                if !["success", "error"].contains(&subtype) {
                    self.fault(format!("an answer of no kind to {id}"));
                }
                self.take(&id);
                if let (Some(heard), Some(response)) = (&mut self.heard, response) {
                    heard.insert(id.clone(), response.get().to_owned());
                }
                if self.open.remove(&id).is_some() {
                    return;
                }
                match id.starts_with(MARK) {
                    true => self.fault(format!("{id} is answered twice, or was stuck")),
                    false => self.excess += 1,
                }
            }
            ("control_request", Some(id), None) => {
                let body = heard.request.map(RawValue::get).unwrap_or_default();
                self.reply(&id, body);
            }
            ("control_cancel_request" | "user", ..) => {}
            _ => self.fault(format!("a strange line: {}", line.escape_ascii())),
        }
    }
}

impl Pages {
    /// Answers a request of the agent's.
    fn reply(&mut self, id: &str, body: &str) {
        let info = match () {
            () if body.contains("\"initialize\"") => self.info.as_deref().unwrap_or(INFO),
            () if body.contains("\"mcp_message\"") => "{}",
            () => {
                let Some(lines) = self.plans.hear(id) else {
                    return self.fault(format!("nobody expects {body}"));
                };
                let mut replies = std::mem::take(&mut self.replies);
                lines.into_iter().for_each(|line| self.say(&mut replies, line));
                return self.replies = replies;
            }
        };
        let reply = format!(
            r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"{id}","response":{info}}}}}"#
        );
        self.replies.extend_from_slice(reply.as_bytes());
        self.replies.push(b'\n');
    }
}

#[async_trait]
impl Transport for Cli {
    async fn connect(self: Box<Self>, _: Launch) -> Result<Connection, ConnectError> {
        let ledger = self.ledger.clone();
        Ok(Connection::new(Output(*self), Input(ledger), NoProcess))
    }
}

impl Output {
    /// Says something, unless the CLI waits for the agent.
    fn say(&mut self, out: &mut Vec<u8>) -> Option<usize> {
        let Cli { ledger, lines, count } = &mut self.0;
        let from = out.len();
        ledger.with(|pages| {
            out.append(&mut pages.replies);
            // The first reply answers `initialize`.
            let is_initialized = pages.lines > 0 || out.len() > from;
            while is_initialized
                && *count > 0
                && out.len() - from < PIECE
                && pages.open.len() < WAITING
                && pages.undelivered.len() < UNREAD
            {
                *count -= 1;
                pages.say(out, lines.next());
                if *count == 0 {
                    while let Some(last) = lines.last() {
                        pages.say(out, last);
                    }
                }
            }
            if *count == 0 && pages.open.is_empty() && !pages.has_ended {
                pages.has_ended = true;
                out.extend_from_slice(END.as_bytes());
                out.push(b'\n');
            }
        });
        (out.len() > from).then(|| out.len() - from)
    }
}

#[async_trait]
impl Incoming for Output {
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let shared = self.0.ledger.0.clone();
        loop {
            if let Some(length) = self.say(buffer) {
                return Ok(length);
            }
            if self.0.ledger.with(|pages| pages.plans.is_over()) {
                return Ok(0);
            }
            shared.changed.notified().await;
        }
    }
}

#[async_trait]
impl Outgoing for Input {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.with(|pages| {
            for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                pages.hear(line);
            }
        });
        self.0.0.changed.notify_one();
        Ok(())
    }

    async fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[async_trait]
impl Peer for NoProcess {
    async fn wait(&mut self, closing: bool) -> ProcessExit {
        if !closing {
            std::future::pending::<()>().await;
        }
        ProcessExit::default()
    }
}
