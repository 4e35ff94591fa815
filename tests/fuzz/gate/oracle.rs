//! What must hold of every verdict.

use std::sync::{OnceLock, Weak};

use http::Method;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;
use toolwright::http::{Asked, Era, Gate, Kind, Options, Refusal};
use toolwright::mcp::{Host, Link, Outbox, Session, Speech, Step};

use super::requests::Sent;
use crate::judge::{self, complaints};
use crate::session::registry;

struct Nobody;

impl Link for Nobody {
    fn speak(&self, _: Speech<'_>) {}
}

/// What a session has made of a body.
struct Made {
    /// A call has begun, or a batch.
    has_begun: bool,
    /// The ids of its answers, and the codes of its errors; of refusals without an id too.
    answers: Vec<(Option<String>, Option<i64>)>,
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: Option<&'a str>,
    error: Option<Refused>,
}

#[derive(Deserialize)]
struct Refused {
    code: i64,
}

/// Checks a verdict. Returns what it is, in short.
pub(super) fn check(sent: &Sent) -> Result<String, String> {
    static GATE: OnceLock<Gate> = OnceLock::new();
    let gate = GATE.get_or_init(|| Gate::new(registry(), &Options::default()));
    match gate.check(&sent.head, &sent.body) {
        Err(refusal) => refused(sent, &refusal),
        Ok(Asked::Post { era, kind }) => {
            let short = match (&era, &kind) {
                (era, Kind::Request { .. }) => format!("{era:?} request"),
                (era, kind) => format!("{era:?} {kind:?}"),
            };
            served(sent, era, &kind).map(|()| short)
        }
        Ok(asked) => Err(format!("there are no sessions: {asked:?}")),
    }
}

fn refused(sent: &Sent, refusal: &Refusal) -> Result<String, String> {
    let Refusal { status, body, .. } = refusal;
    let wrong = |what: &str| Err(format!("{what}: {status} {}", body.escape_ascii()));
    if body.is_empty() {
        return match sent.head.method {
            Method::HEAD => Ok(format!("{status}")),
            _ => wrong("no body"),
        };
    }
    match serde_json::from_slice::<Value>(body) {
        Ok(message) => {
            let kind = match message["error"]["code"].as_i64() {
                Some(-32022) => judge::Kind::UnsupportedVersion,
                _ => judge::Kind::Error,
            };
            if complaints("2026-07-28", kind, &message) != Some(Vec::new()) {
                return wrong("not valid");
            }
        }
        // An id of half a character is given back as it came.
        Err(_) if body.windows(3).any(|part| part.eq_ignore_ascii_case(b"\\ud")) => {}
        Err(_) => return wrong("no JSON"),
    }
    let Ok(answer) = serde_json::from_slice::<Answer<'_>>(body) else { return wrong("no error") };
    let code = answer.error.map_or(0, |error| error.code);
    if let Some(id) = answer.id.map(|id| id.get().as_bytes())
        && !sent.body.windows(id.len()).any(|part| part == id)
    {
        return wrong("an id that nobody has sent");
    }
    if matches!(code, -32700 | -32600) {
        // A session of the latest revision says the same, or has nothing to say it about.
        let made = session("2025-11-25", &sent.body);
        let id = answer.id.map(|id| id.get().to_owned());
        let is_same = |(other, found): &(Option<String>, Option<i64>)| {
            *other == id && found.is_some_and(|found| found == code || id.is_none())
        };
        if made.has_begun || !made.answers.iter().all(is_same) {
            return wrong(&format!("the session says {:?}", made.answers));
        }
    }
    let has_id = if answer.id.is_some() { " with id" } else { "" };
    Ok(format!("{} {code}{has_id}", status.as_u16()))
}

fn served(sent: &Sent, era: Era, kind: &Kind) -> Result<(), String> {
    let version = match era {
        Era::Legacy(version) => version,
        _ => "2025-11-25",
    };
    let made = session(version, &sent.body);
    let is_right = match kind {
        Kind::Silent => !made.has_begun && made.answers.is_empty(),
        Kind::Batch => version == "2025-03-26" && sent.body.trim_ascii_start().starts_with(b"["),
        Kind::Request { id, .. } => {
            // The arguments of a call are read only when it begins.
            let is_json = serde_json::from_slice::<IgnoredAny>(&sent.body).is_ok();
            let is_its = |(other, code): &(Option<String>, Option<i64>)| {
                *other == Some(id.to_string()) && (*code != Some(-32700) || !is_json)
            };
            (made.has_begun || !made.answers.is_empty()) && made.answers.iter().all(is_its)
        }
        _ => false,
    };
    match is_right {
        true => Ok(()),
        false => Err(format!("{kind:?}, and the session says {:?}", made.answers)),
    }
}

/// A session of its own receives the body.
fn session(version: &str, body: &[u8]) -> Made {
    let mut session = Session::new(registry(), Host::Http, Weak::<Nobody>::new());
    assert!(session.assume(version));
    let mut out = Outbox::new();
    let has_begun = matches!(session.receive(body, &mut out), Step::Call(_) | Step::Batch(_));
    let said = String::from_utf8(out.take(Vec::new())).unwrap();
    let answers = said.lines().filter_map(|line| {
        if line.starts_with('[') {
            return None;
        }
        let answer: Answer<'_> = serde_json::from_str(line).unwrap();
        let id = answer.id.map(|id| id.get().to_owned());
        answer.method.is_none().then(|| (id, answer.error.map(|error| error.code)))
    });
    // A subscription that was begun is answered at its end.
    let listens = said.contains("notifications/subscriptions/acknowledged");
    Made { has_begun: has_begun || listens, answers: answers.collect() }
}
