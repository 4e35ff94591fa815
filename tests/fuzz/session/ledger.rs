//! What is open between a session and its client, and whether what the session says fits that.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::oracle::{Expected, last};
use super::rules::Rule;
use super::said::{Kind, Said};

/// The requests of both sides that are not answered yet.
pub(super) struct Ledger {
    requests: Vec<Open>,
    questions: Vec<Question>,
    /// The number of the last question.
    last: u64,
    /// What the client has declared in its last handshake.
    capabilities: String,
    /// The revision has errors without an id.
    has_refusals: bool,
    /// What the last result that asks gave to the client.
    state: Option<String>,
    /// How often it was asked, by requests and by results.
    asked: u64,
    /// How often each code was an answer; 0 stands for results.
    codes: BTreeMap<i64, u64>,
}

struct Open {
    id: String,
    rule: Rule,
    /// Those that its call has begun with: a later handshake is for later calls.
    capabilities: String,
}

/// A request of the session.
pub(super) struct Question {
    pub(super) id: String,
    /// The id of the call that asks.
    pub(super) call: String,
    /// A line that cannot be read may have answered it.
    is_doubtful: bool,
}

/// Why the session says something.
pub(super) enum Cause<'a> {
    /// A line; `waits` if it has begun a call that is not done.
    Line { line: &'a [u8], expected: &'a Expected<'a>, waits: bool },
    /// The client has answered this question.
    Reply(&'a Question),
    /// This call has taken too long.
    TimeOut(&'a str),
    /// The session ends.
    Close,
}

/// What was seen in one turn of the session.
#[derive(Default)]
struct Turn {
    is_answered: bool,
    listens: bool,
}

impl Ledger {
    pub(super) fn new() -> Self {
        Self {
            requests: Vec::new(),
            questions: Vec::new(),
            last: 0,
            capabilities: String::new(),
            has_refusals: true,
            state: None,
            asked: 0,
            codes: BTreeMap::new(),
        }
    }

    /// How often each code was an answer; 0 stands for results.
    pub(super) fn codes(&self) -> &BTreeMap<i64, u64> {
        &self.codes
    }

    /// How often the client was asked, by requests and by results.
    pub(super) fn asked(&self) -> u64 {
        self.asked
    }

    /// The newest question.
    pub(super) fn newest(&self) -> Option<&str> {
        self.questions.last().map(|question| &*question.id)
    }

    pub(super) fn state(&self) -> Option<&str> {
        self.state.as_deref()
    }

    /// Removes a question that the client answers.
    pub(super) fn take(&mut self, id: &str) -> Option<Question> {
        let at = self.questions.iter().position(|question| question.id == id)?;
        Some(self.questions.remove(at))
    }

    /// Forgets a request that the client has cancelled.
    pub(super) fn cancel(&mut self, id: &str) {
        self.requests.retain(|open| open.id != id);
    }

    /// Notes a line that cannot be read: it ends the question that it answers, as far as the
    /// session can find out which one that is.
    pub(super) fn doubt(&mut self, line: &[u8]) {
        let has = |part: &[u8]| line.windows(part.len()).any(|bytes| bytes == part);
        // The key may have escapes.
        if has(b"\"result\"") || has(b"\"error\"") || has(b"\\u") {
            for question in &mut self.questions {
                question.is_doubtful |= has(question.id.as_bytes());
            }
        }
    }

    /// True if nothing is open.
    pub(super) fn is_settled(&self) -> bool {
        self.requests.is_empty() && self.questions.iter().all(|question| question.is_doubtful)
    }

    /// Checks all that the session has said in one turn.
    pub(super) fn judge(&mut self, said: &[u8], cause: &Cause<'_>) -> Result<(), String> {
        let mut turn = Turn::default();
        for said in said.split_inclusive(|byte| *byte == b'\n') {
            let checked = self.message(said, cause, &mut turn);
            checked.map_err(|what| format!("{what}: {}", said.escape_ascii()))?;
        }
        match cause {
            Cause::Line { expected, waits, .. } => self.end_line(expected, *waits, &turn),
            Cause::Reply(Question { call, is_doubtful, .. }) => {
                let goes_on = turn.is_answered || *is_doubtful || self.asks(call);
                goes_on.then_some(()).ok_or_else(|| format!("{call} has an answer and is silent"))
            }
            Cause::TimeOut(id) if !turn.is_answered => Err(format!("{id} is never answered")),
            Cause::TimeOut(_) | Cause::Close => Ok(()),
        }
    }

    fn message(&mut self, said: &[u8], cause: &Cause<'_>, turn: &mut Turn) -> Result<(), String> {
        let Some(text) = said.strip_suffix(b"\n") else { return Err("no end".to_owned()) };
        let said: Said<'_> = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        match said.kind().ok_or("a strange message")? {
            Kind::Question(id, method) => self.question(id, method, speaker(cause, turn)?),
            Kind::Notification("notifications/subscriptions/acknowledged") => {
                let Cause::Line { expected: Expected::Answer(_, rule), .. } = cause else {
                    return Err("nobody listens".to_owned());
                };
                turn.listens = true;
                let fits = matches!(rule, Rule::Listens | Rule::Any);
                fits.then_some(()).ok_or_else(|| format!("{rule:?} was expected"))
            }
            Kind::Notification("notifications/cancelled") => {
                let id = said.params.and_then(|params| params.withdrawn).map(RawValue::get);
                let known = id.and_then(|id| self.take(id));
                known.map(drop).ok_or_else(|| "no such question".to_owned())
            }
            Kind::Notification("notifications/progress" | "notifications/message") => {
                speaker(cause, turn).map(drop)
            }
            Kind::Notification(_) => Err("a strange notification".to_owned()),
            Kind::Answer(id, code) => {
                *self.codes.entry(code.unwrap_or_default()).or_default() += 1;
                self.answer(id, code, text, cause, turn)?;
                self.learn(&said, cause);
                Ok(())
            }
        }
    }

    fn question(&mut self, id: &str, method: &str, call: &str) -> Result<(), String> {
        let number: u64 = id.parse().map_err(|_| "no number")?;
        if number <= self.last {
            return Err("the id of an earlier question".to_owned());
        }
        self.last = number;
        self.asked += 1;
        let needs = match method {
            "elicitation/create" => "elicitation",
            "sampling/createMessage" => "sampling",
            "roots/list" => "roots",
            _ => return Err("no such question".to_owned()),
        };
        let open = self.requests.iter().find(|open| open.id == call);
        let declared = open.map_or(&self.capabilities, |open| &open.capabilities);
        if !last(declared, needs).is_some_and(|value| value.starts_with('{')) {
            return Err(format!("the client has no {needs}: {declared}"));
        }
        let (id, call) = (id.to_owned(), call.to_owned());
        self.questions.push(Question { id, call, is_doubtful: false });
        Ok(())
    }

    fn answer(
        &mut self,
        id: Option<&str>,
        code: Option<i64>,
        text: &[u8],
        cause: &Cause<'_>,
        turn: &mut Turn,
    ) -> Result<(), String> {
        let was_answered = std::mem::replace(&mut turn.is_answered, true);
        let Some(id) = id else {
            let is_due = matches!(cause, Cause::Line { expected: Expected::Refusal, .. });
            let fits = is_due && self.has_refusals && !was_answered && code == Some(-32600);
            return fits.then_some(()).ok_or_else(|| "nobody was to be refused".to_owned());
        };
        let at = self.requests.iter().position(|open| open.id == id);
        match cause {
            Cause::Line { expected: Expected::Answer(its, rule), .. } if *its == id => {
                if was_answered || !rule.allows(code, at.is_some(), text) {
                    return Err(format!("{rule:?} was expected"));
                }
                // The call that has the id goes on.
                if at.is_some() {
                    return Ok(());
                }
            }
            Cause::Line { expected: Expected::Unreadable, line, .. } => {
                let has_asked = line.windows(id.len()).any(|part| part == id.as_bytes());
                let fits = has_asked && !was_answered && code == Some(-32700);
                return fits.then_some(()).ok_or_else(|| "nobody has asked".to_owned());
            }
            Cause::Reply(Question { call: its, .. }) if its == id && !was_answered => {
                let Some(Open { rule, .. }) = at.map(|at| self.requests.remove(at)) else {
                    return Err("it was answered before".to_owned());
                };
                if !rule.allows(code, false, text) {
                    return Err(format!("{rule:?} was expected"));
                }
            }
            Cause::TimeOut(_) | Cause::Close => {
                let is_its = !matches!(cause, Cause::TimeOut(its) if *its != id || was_answered);
                let open = at.filter(|_| is_its).map(|at| self.requests.remove(at));
                if !open.is_some_and(|open| open.rule.ends_with(code)) {
                    return Err("a strange end of a request".to_owned());
                }
            }
            _ => return Err("nobody has asked".to_owned()),
        }
        self.forget_doubtful(id);
        match self.asks(id) {
            true => Err("its questions are still open".to_owned()),
            false => Ok(()),
        }
    }

    /// Notes what the answer tells the client.
    fn learn(&mut self, said: &Said<'_>, cause: &Cause<'_>) {
        let Some(result) = &said.result else { return };
        if let (Some(version), Cause::Line { line, .. }) = (result.protocol_version, cause) {
            self.has_refusals = version == "2025-11-25";
            let line = std::str::from_utf8(line).unwrap_or_default();
            let declared = last(line, "params").and_then(|params| last(params, "capabilities"));
            self.capabilities = declared.unwrap_or_default().to_owned();
        }
        if result.result_type == Some("input_required") {
            self.state = result.request_state.map(Into::into);
            self.asked += 1;
        }
    }

    fn end_line(
        &mut self,
        expected: &Expected<'_>,
        waits: bool,
        turn: &Turn,
    ) -> Result<(), String> {
        let begins = waits || turn.listens;
        match expected {
            Expected::Answer(id, rule) if begins && !turn.is_answered => {
                let fits = !waits || matches!(rule, Rule::Outcome | Rule::Call | Rule::Any);
                if !fits || self.requests.iter().any(|open| open.id == *id) {
                    return Err(format!("{rule:?} was expected, and it has begun"));
                }
                let capabilities = self.capabilities.clone();
                self.requests.push(Open { id: (*id).to_owned(), rule: *rule, capabilities });
                Ok(())
            }
            _ if begins => Err(format!("{expected:?} was expected, and it has begun")),
            Expected::Refusal if !self.has_refusals => Ok(()),
            Expected::Answer(..) | Expected::Refusal if !turn.is_answered => {
                Err(format!("{expected:?} was expected"))
            }
            Expected::Cancel(id) => {
                self.forget_doubtful(id);
                match self.asks(id) {
                    true => Err("the questions of a cancelled call are still open".to_owned()),
                    false => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// The call with this id has ended.
    fn forget_doubtful(&mut self, call: &str) {
        self.questions.retain(|question| !question.is_doubtful || question.call != call);
    }

    /// True if the call with this id has open questions.
    fn asks(&self, call: &str) -> bool {
        self.questions.iter().any(|question| question.call == call)
    }
}

/// The id of the call that may speak before its answer.
fn speaker<'a>(cause: &Cause<'a>, turn: &Turn) -> Result<&'a str, String> {
    use Rule::{Any, Call, Outcome};
    match cause {
        _ if turn.is_answered => Err("it comes after the answer".to_owned()),
        Cause::Line { expected: Expected::Answer(id, Outcome | Call | Any), .. } => Ok(id),
        Cause::Reply(Question { call, .. }) => Ok(call),
        _ => Err("no call runs".to_owned()),
    }
}
