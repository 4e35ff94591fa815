//! A minimal host of a session, which checks every message that the session writes.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::task::{Context as TaskContext, Poll, Waker};

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwright::mcp::{Done, Host, Link, Outbox, Run, Session, Speech, Started, Step};
use toolwright::{ToolRegistry, Value, tool, tools};

use super::oracle::{Expected, Rule, expected};

/// So many calls wait until the oldest ones time out.
const WAITING: usize = 8;

pub(super) struct World {
    host: Arc<Shared>,
    running: Vec<Run>,
    /// The requests that are not answered yet.
    open: Vec<String>,
    /// The revision has errors without an id.
    has_refusals: bool,
    /// Memory for what the session writes.
    buffer: Vec<u8>,
}

struct Shared(Mutex<(Session, Outbox)>);

/// A message of the session.
#[derive(Deserialize)]
struct Said<'a> {
    jsonrpc: &'a str,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: Option<&'a str>,
    #[serde(borrow)]
    result: Option<Outcome<'a>>,
    error: Option<Refused>,
}

#[derive(Deserialize)]
struct Outcome<'a> {
    /// What a handshake has settled.
    #[serde(rename = "protocolVersion")]
    version: Option<&'a str>,
}

#[derive(Deserialize)]
struct Refused {
    code: i64,
}

#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tool]
async fn text(text: &str) -> String {
    text.to_owned()
}

#[tool]
async fn any(value: Value) -> String {
    value.to_string()
}

#[tool]
async fn wait() {
    std::future::pending::<()>().await;
}

#[tool]
async fn falls() {
    std::panic::resume_unwind(Box::new("a bug"));
}

#[tool(inline)]
fn nothing() {}

pub(crate) fn registry() -> &'static ToolRegistry {
    static REGISTRY: OnceLock<ToolRegistry> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        let tools = tools![add, text, any, wait, falls, nothing];
        ToolRegistry::builder("toy").tools(tools).build().unwrap()
    })
}

impl Shared {
    fn turn<T>(&self, f: impl FnOnce(&mut Session, &mut Outbox) -> T) -> T {
        let (value, after) = {
            let (session, out) = &mut *self.0.lock().unwrap();
            (f(session, out), out.take_after())
        };
        after.run();
        value
    }
}

impl Link for Shared {
    fn speak(&self, speech: Speech<'_>) {
        self.turn(|session, out| session.speak(speech, out));
    }
}

impl World {
    pub(super) fn new() -> Self {
        let host = Arc::new_cyclic(|this: &Weak<Shared>| {
            Shared(Mutex::new((Session::new(registry(), Host::Stdio, this.clone()), Outbox::new())))
        });
        let (running, open, buffer) = (Vec::new(), Vec::new(), Vec::new());
        Self { host, running, open, has_refusals: true, buffer }
    }

    /// Sends a line, and checks what the session makes of it.
    pub(super) fn line(&mut self, line: &[u8]) -> Result<(), String> {
        let expected = expected(line);
        let waited = self.running.len();
        match self.host.turn(|session, out| session.receive(line, out)) {
            Step::Idle => {}
            Step::Call(call) => match call.start() {
                Started::Run(run) => self.poll(run),
                Started::Done(done) => self.finish(done),
                started => return Err(format!("{started:?}")),
            },
            Step::Cancel(call) => self.running.retain(|run| run.id() != &call),
            step => return Err(format!("{step:?}")),
        }
        if let Expected::Cancel(id) = expected {
            self.open.retain(|open| open != id);
        }
        self.judge(&expected, line, self.running.len() > waited)?;
        if self.running.len() > WAITING {
            let run = self.running.remove(0);
            self.host.turn(|session, out| session.time_out(run.id(), out));
            self.judge(&Expected::Silence, b"", false)?;
        }
        Ok(())
    }

    /// Ends the session: every open request is answered.
    pub(super) fn close(&mut self) -> Result<(), String> {
        self.host.turn(Session::close);
        self.judge(&Expected::Silence, b"", false)?;
        match self.open.is_empty() && self.host.turn(|session, _| session.running()) == 0 {
            true => Ok(()),
            false => Err(format!("never answered: {:?}", self.open)),
        }
    }

    fn poll(&mut self, mut run: Run) {
        match Pin::new(&mut run).poll(&mut TaskContext::from_waker(Waker::noop())) {
            Poll::Ready(done) => self.finish(done),
            Poll::Pending => self.running.push(run),
        }
    }

    fn finish(&self, done: Done) {
        self.host.turn(|session, out| session.finish(done, out));
    }

    /// Checks what the session wrote; `waits` if the line has begun a call that is not done.
    fn judge(&mut self, expected: &Expected<'_>, line: &[u8], waits: bool) -> Result<(), String> {
        let empty = std::mem::take(&mut self.buffer);
        let mut bytes = self.host.turn(|_, out| out.take(empty));
        let (mut is_answered, mut listens) = (false, false);
        for said in bytes.split_inclusive(|byte| *byte == b'\n') {
            let wrong = |what: &str| format!("{what}: {}", said.escape_ascii());
            let Some(message) = said.strip_suffix(b"\n") else { return Err(wrong("no end")) };
            let message: Said<'_> =
                serde_json::from_slice(message).map_err(|error| wrong(&error.to_string()))?;
            if message.jsonrpc != "2.0" {
                return Err(wrong("the version"));
            }
            if let Some(version) = message.result.as_ref().and_then(|result| result.version) {
                self.has_refusals = version == "2025-11-25";
            }
            let code = match (message.method, message.result, message.error) {
                (Some("notifications/subscriptions/acknowledged"), None, None) => {
                    listens = true;
                    continue;
                }
                (None, Some(_), None) => None,
                (None, None, Some(error)) => Some(error.code),
                _ => return Err(wrong("a strange message")),
            };
            let Some(id) = message.id.map(RawValue::get) else {
                let is_due = self.has_refusals && *expected == Expected::Refusal;
                if is_answered || !is_due || code != Some(-32600) {
                    return Err(wrong(&format!("{expected:?} was expected")));
                }
                is_answered = true;
                continue;
            };
            let is_open = self.open.iter().any(|open| open == id);
            match expected {
                Expected::Answer(expected, rule) if !is_answered && *expected == id => {
                    is_answered = true;
                    let fits = match (rule, code) {
                        (Rule::Code(rule), Some(code)) => *rule == code,
                        (_, Some(-32700)) => false,
                        (Rule::Result | Rule::Any, Some(-32600)) => {
                            is_open || is_about_subscriptions(said)
                        }
                        (Rule::Result, code) => code.is_none(),
                        (Rule::Any, _) => true,
                        (Rule::Code(_), None) => false,
                    };
                    if !fits {
                        return Err(wrong(&format!("{rule:?} was expected")));
                    }
                }
                Expected::Unreadable if !is_answered && code == Some(-32700) => {
                    is_answered = true;
                    if !line.windows(id.len()).any(|part| part == id.as_bytes()) {
                        return Err(wrong("nobody has asked"));
                    }
                }
                _ if is_open && line.is_empty() => {
                    self.open.retain(|open| open != id);
                    if code.is_some() {
                        return Err(wrong("an open request is refused"));
                    }
                }
                _ => return Err(wrong(&format!("{expected:?} was expected"))),
            }
        }
        bytes.clear();
        self.buffer = bytes;
        match expected {
            Expected::Answer(id, Rule::Any) if !is_answered && (waits || listens) => {
                match self.open.iter().any(|open| open == id) {
                    true => Err("the id is in use".to_owned()),
                    false => {
                        self.open.push((*id).to_owned());
                        Ok(())
                    }
                }
            }
            Expected::Refusal if !is_answered && !self.has_refusals => Ok(()),
            Expected::Answer(..) | Expected::Refusal if !is_answered => {
                Err(format!("{expected:?} was expected"))
            }
            _ if waits || listens => Err(format!("{expected:?} was expected, and it has begun")),
            _ => Ok(()),
        }
    }
}

fn is_about_subscriptions(said: &[u8]) -> bool {
    said.windows(12).any(|part| part == b"subscription")
}
