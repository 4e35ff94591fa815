//! A minimal host: calls run in place, and waiting calls end when the test decides.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context as TaskContext, Poll, Waker};

use expect_test::Expect;
use toolwright::mcp::{
    About, Call, Done, Host, Label, Link, Outbox, Run, Session, Speech, Started, Step,
};
use toolwright::{ToolRegistry, ToolRegistryBuilder, Value};

use super::ledger::Ledger;
use super::toys::{self, Toys};

/// The members that the modern era requires in the `_meta` of a request.
pub(super) const ENVELOPE: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#;

/// One server with the toy tools, its host and its client.
pub(super) struct World {
    pub(super) ledger: Ledger,
    host: Arc<Shared>,
    registry: ToolRegistry,
    pub(super) toys: Arc<Toys>,
    running: Vec<Run>,
    /// Results of calls that the host has not passed to the session.
    held: Vec<Done>,
}

struct Shared(Mutex<State>);

struct State {
    session: Session,
    out: Outbox,
}

impl Shared {
    fn turn<T>(&self, f: impl FnOnce(&mut Session, &mut Outbox) -> T) -> T {
        let (value, after) = {
            let State { session, out } = &mut *self.0.lock().unwrap();
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
        Self::with(|builder| builder)
    }

    pub(super) fn with(change: impl FnOnce(ToolRegistryBuilder) -> ToolRegistryBuilder) -> Self {
        let toys = Arc::new(Toys::default());
        let builder = ToolRegistry::builder("toy").version("1").tools(toys::tools(&toys));
        Self::serving(change(builder).build().unwrap(), toys)
    }

    pub(super) fn serving(registry: ToolRegistry, toys: Arc<Toys>) -> Self {
        let host = Arc::new_cyclic(|this: &Weak<Shared>| {
            let session = Session::new(&registry, Host::Stdio, this.clone());
            Shared(Mutex::new(State { session, out: Outbox::labelled() }))
        });
        Self {
            ledger: Ledger::new(&registry),
            host,
            registry,
            toys,
            running: Vec::new(),
            held: Vec::new(),
        }
    }

    /// Plays a script of one step per line, and returns what the server wrote, one message per
    /// line; a step without any message is a `-`.
    ///
    /// A step is `legacy ID METHOD PARAMS`, `modern …` (adds the envelope), `note METHOD PARAMS`, a
    /// raw line of the client, or an action of the host or the program: `finish ID`, `time out ID`,
    /// `cancel ID`, `hold ID` (the call ends, the host keeps its result), `deliver`, `speak` (tools
    /// that have kept their contexts send messages), `add TOOL`, `remove TOOL`, `notify METHOD
    /// PARAMS`, `close`.
    pub(super) fn play(&mut self, script: &str) -> String {
        let mut transcript = String::new();
        for step in script.lines().map(str::trim).filter(|step| !step.is_empty()) {
            let wrote = self.step(step);
            transcript.push_str(if wrote.is_empty() { "-\n" } else { "" });
            wrote.iter().for_each(|line| transcript.extend([line, "\n"]));
        }
        transcript
    }

    pub(super) fn step(&mut self, step: &str) -> Vec<String> {
        let (word, rest) = step.split_once(' ').unwrap_or((step, ""));
        match word {
            "legacy" | "modern" => return self.line(request(rest, word == "modern").as_bytes()),
            "note" => {
                let (method, params) = rest.split_once(' ').unwrap_or((rest, "{}"));
                return self.line(
                    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#)
                        .as_bytes(),
                );
            }
            "finish" => self.finish(rest),
            "hold" => {
                let done = self.end(rest);
                self.held.extend(done);
            }
            "deliver" => {
                let held = std::mem::take(&mut self.held);
                held.into_iter().for_each(|done| self.hand_in(done));
            }
            "time" => self.time_out(rest.trim_start_matches("out ")),
            "speak" => {
                let kept = std::mem::take(&mut *self.toys.kept.lock().unwrap());
                kept.iter().for_each(|cx| cx.progress(1.0, "still there"));
            }
            "add" => self.registry.add(toys::late()).unwrap(),
            "notify" => {
                let (method, params) = rest.split_once(' ').unwrap();
                self.registry.notify(method, params.parse::<Value>().unwrap()).unwrap();
            }
            "remove" => assert!(self.registry.remove(rest)),
            "cancel" => self.cancel(rest),
            "close" => self.close(),
            _ => return self.line(step.as_bytes()),
        }
        // An action of the host is not a line, so no line can be refused.
        self.ledger.note(b"");
        self.judged()
    }

    /// The session ends with its first answer, as over HTTP without sessions.
    #[cfg(feature = "http")]
    pub(super) fn be_brief(&self) {
        self.host.turn(|session, _| session.be_brief());
    }

    /// The client sends a line; returns what the server wrote.
    pub(super) fn line(&mut self, line: &[u8]) -> Vec<String> {
        self.ledger.note(line);
        let step = self.host.turn(|session, out| session.receive(line, out));
        match step {
            Step::Idle => {}
            Step::Call(call) => self.start(call),
            Step::Cancel(call) => self.running.retain(|run| *run.id() != *call),
            Step::Batch(batch) => {
                batch.calls.into_iter().for_each(|call| self.start(call));
                self.running.retain(|run| !batch.cancelled.contains(run.id()));
            }
        }
        self.poll(|_| true).into_iter().for_each(|done| self.hand_in(done));
        self.judged()
    }

    /// Neither the decoder nor the tool may run under the lock, as both may send messages.
    fn start(&mut self, call: Call<'_>) {
        match call.start() {
            Started::Run(run) => self.running.push(run),
            Started::Done(done) => self.hand_in(done),
        }
    }

    /// A line of 70 MB of which the host has kept only the beginning and the end.
    pub(super) fn too_long(&mut self, head: &[u8], tail: &[u8]) -> Vec<String> {
        self.ledger.note(b"");
        self.host.turn(|session, out| session.receive_too_long(head, tail, 70_000_000, out));
        self.judged()
    }

    pub(super) fn close(&mut self) {
        self.host.turn(Session::close);
    }

    pub(super) fn running(&self) -> usize {
        self.host.turn(|session, _| session.running())
    }

    fn finish(&mut self, id: &str) {
        let done = self.end(id);
        done.into_iter().for_each(|done| self.hand_in(done));
    }

    /// Lets the waiting call of that id end.
    fn end(&mut self, id: &str) -> Vec<Done> {
        self.toys.ready.lock().unwrap().insert(id.to_owned());
        let done = self.poll(|run| run.id().request_id().to_string() == id);
        self.toys.ready.lock().unwrap().clear();
        done
    }

    fn hand_in(&self, done: Done) {
        self.host.turn(|session, out| session.finish(done, out));
    }

    fn time_out(&mut self, id: &str) {
        let calls = self.running.iter().map(Run::id).chain(self.held.iter().map(Done::id));
        let calls: Vec<_> =
            calls.filter(|call| call.request_id().to_string() == id).cloned().collect();
        self.running.retain(|run| !calls.contains(run.id()));
        // Old calls with this id may be among them, which must have no effect.
        calls.iter().for_each(|call| self.host.turn(|session, out| session.time_out(call, out)));
    }

    /// The host knows by other means than a notification that the client has cancelled.
    fn cancel(&mut self, id: &str) {
        let at =
            self.running.iter().position(|run| run.id().request_id().to_string() == id).unwrap();
        let call = self.running.swap_remove(at).id().clone();
        self.ledger.forget(id);
        let cancel = || self.host.turn(|session, out| session.cancel(&call, out));
        assert!(cancel(), "it waited");
        assert!(!cancel(), "it waits no more");
    }

    fn poll(&mut self, which: impl Fn(&Run) -> bool) -> Vec<Done> {
        let mut done = Vec::new();
        self.running.retain_mut(|run| {
            let polled = match which(run) {
                true => Pin::new(run).poll(&mut TaskContext::from_waker(Waker::noop())),
                false => Poll::Pending,
            };
            match polled {
                Poll::Ready(end) => done.push(end),
                Poll::Pending => return true,
            }
            false
        });
        done
    }

    /// Takes what the server wrote, and checks each line.
    pub(super) fn judged(&mut self) -> Vec<String> {
        let (said, labels) = self.host.turn(|_, out| {
            let labels: Vec<_> = out.messages().map(|(label, _)| label.clone()).collect();
            (out.take(Vec::new()), labels)
        });
        let said = String::from_utf8(said).unwrap();
        assert!(said.is_empty() || said.ends_with('\n'), "the line has no end: {said}");
        let lines: Vec<String> = said.split_terminator('\n').map(str::to_owned).collect();
        assert_eq!(labels.len(), lines.len(), "each message has its label");
        labels.iter().zip(&lines).for_each(|(label, line)| assert_label(label, line));
        lines.iter().for_each(|line| self.ledger.judge(line));
        lines
    }
}

/// The label must match the message.
fn assert_label(label: &Label, line: &str) {
    let message: Value = serde_json::from_str(line).unwrap();
    let raw = |pointer: &str| message.pointer(pointer).map(Value::to_string);
    match label {
        Label::Response { id, error, version, .. } => {
            assert!(line.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"#)), "{line}");
            let is_modern = raw("/result/resultType").is_some();
            assert!(error.is_some() || is_modern == (*version == "2026-07-28"), "{label:?}");
            assert_eq!(error.map(|code| code.to_string()), raw("/error/code"), "{line}");
        }
        Label::Refusal { error, .. } => {
            assert_eq!((raw("/id"), raw("/error/code")), (None, Some(error.to_string())));
        }
        Label::Batch { .. } => assert!(message.is_array(), "{line}"),
        Label::Notification(About::Subscription(id)) => assert!(line.contains(&id.to_string())),
        Label::Notification(_) => assert!(raw("/id").is_none() && raw("/method").is_some()),
        Label::Request { id, .. } => assert_eq!(Some(id.to_string()), raw("/id")),
    }
}

/// `ID METHOD PARAMS` as a line.
pub(super) fn request(words: &str, modern: bool) -> String {
    let mut words = words.splitn(3, ' ');
    let (id, method, params) = (
        words.next().unwrap_or("1"),
        words.next().unwrap_or_default(),
        words.next().unwrap_or("{}"),
    );
    let params = match (modern, params.split_once(r#""_meta":{"#), params.strip_prefix('{')) {
        (true, Some((before, after)), _) => format!(r#"{before}"_meta":{{{ENVELOPE},{after}"#),
        (true, None, Some("}")) => format!(r#"{{"_meta":{{{ENVELOPE}}}}}"#),
        (true, None, Some(rest)) => format!(r#"{{"_meta":{{{ENVELOPE}}},{rest}"#),
        _ => params.to_owned(),
    };
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

/// Plays a script to a new server.
pub(super) fn check(script: &str, expected: Expect) {
    check_in(World::new(), script, expected);
}

pub(super) fn check_in(mut world: World, script: &str, expected: Expect) {
    let transcript = world.play(script);
    expected.assert_eq(&transcript);
}
