//! Judges what a server answers over HTTP, by what it was asked. The tests of processes include
//! this file too.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::judge::{Kind, assert_valid, assert_valid_in_batch, kind_of};

const MODERN: &str = "2026-07-28";
/// An error without an id is valid from this revision on. Before, only the text of the transport
/// allows it.
const LATEST_LEGACY: &str = "2025-11-25";
const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", LATEST_LEGACY];

/// The revisions of sessions, by their ids.
static SESSIONS: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// A request and its response. The test fails in these methods if anything is wrong.
#[derive(Debug)]
pub(crate) struct Exchange {
    version: String,
    body: String,
    /// The ids and methods of the requests.
    asked: Vec<(String, String)>,
    is_batch: bool,
    is_answered: bool,
    status: u16,
    /// The id of the session that begins with the response.
    session: Option<String>,
    form: Form,
    /// What was not judged yet.
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Nothing,
    Json,
    Events,
}

/// The members of an object by their names, each in its own text.
type Members<'a> = BTreeMap<String, &'a RawValue>;

fn members(text: &str) -> Members<'_> {
    serde_json::from_str(text).unwrap_or_default()
}

fn inner<'a>(outer: &Members<'a>, name: &str) -> Members<'a> {
    outer.get(name).map(|value| members(value.get())).unwrap_or_default()
}

impl Exchange {
    /// A request with these headers, whose names are in lower case.
    pub(crate) fn of(header: impl Fn(&str) -> Option<String>, body: &str) -> Self {
        let batch: Option<Vec<&RawValue>> = serde_json::from_str(body).ok();
        let is_batch = batch.is_some();
        let one = || Vec::from_iter(serde_json::from_str::<&RawValue>(body));
        let messages: Vec<_> =
            batch.unwrap_or_else(one).iter().map(|raw| members(raw.get())).collect();
        let string = |raw: &RawValue| serde_json::from_str::<String>(raw.get()).unwrap_or_default();
        let asked = messages.iter().filter_map(|message| {
            let id = message.get("id")?.get().to_owned();
            Some((id, string(message.get("method")?)))
        });
        let named = header("mcp-protocol-version");
        let is_modern = named.as_deref() == Some(MODERN)
            || messages.iter().any(|message| {
                let meta = inner(&inner(message, "params"), "_meta");
                ["protocolVersion", "clientCapabilities"]
                    .iter()
                    .any(|key| meta.contains_key(&format!("io.modelcontextprotocol/{key}")))
            });
        let sessions = SESSIONS.lock().unwrap();
        let session = header("mcp-session-id").and_then(|id| sessions.get(&id).cloned());
        let version = match named {
            _ if is_modern => MODERN.to_owned(),
            _ if session.is_some() => session.unwrap_or_default(),
            None => "2025-03-26".to_owned(),
            Some(named) if LEGACY.contains(&named.as_str()) => named,
            Some(_) => LATEST_LEGACY.to_owned(),
        };
        Self {
            version,
            asked: asked.collect(),
            body: body.to_owned(),
            is_batch,
            is_answered: false,
            status: 0,
            session: None,
            form: Form::Nothing,
            text: String::new(),
        }
    }

    /// The head of the response. Returns whether its body is a stream.
    pub(crate) fn begins(&mut self, status: u16, header: impl Fn(&str) -> Option<String>) -> bool {
        self.status = status;
        self.session = header("mcp-session-id");
        self.form = match header("content-type").as_deref() {
            None => Form::Nothing,
            Some("application/json") => Form::Json,
            Some("text/event-stream") => Form::Events,
            Some(kind) => panic!("a response of the type {kind}"),
        };
        let is_stream = self.form == Form::Events;
        assert!(!is_stream || status == 200, "a stream with the status {status}");
        assert!(status != 202 || self.form == Form::Nothing, "202 has no body");
        is_stream
    }

    /// A part of the response's body.
    pub(crate) fn says(&mut self, text: &str) {
        self.text += text;
        if self.form == Form::Events {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.text = rest;
                self.event(&event);
            }
        }
    }

    /// The end of the response's body.
    pub(crate) fn ends(&mut self) {
        let text = std::mem::take(&mut self.text);
        if self.form == Form::Json && !text.is_empty() {
            self.message(&text);
            let is_error = text.contains(r#""error":{"#);
            assert!(is_error || self.status == 200, "{} with {text}", self.status);
        } else {
            assert_eq!(text, "", "neither JSON nor a whole event");
        }
    }

    fn event(&mut self, event: &str) {
        for line in event.lines() {
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            match (name, value.strip_prefix(' ').unwrap_or(value)) {
                // A comment, and the event that only has an id.
                ("" | "data", "") | ("event", "message") => {}
                ("data", message) => self.message(message),
                ("id", id) => assert!(!id.is_empty() && self.version != MODERN, "{event}"),
                ("retry", pause) => assert!(pause.parse::<u32>().is_ok(), "{event}"),
                _ => panic!("no line of an event: {event}"),
            }
        }
    }

    fn message(&mut self, text: &str) {
        let message: Value =
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        if let Value::Array(answers) = &message {
            assert!(self.is_batch && !answers.is_empty(), "{text}");
            return answers.iter().for_each(assert_valid_in_batch);
        }
        let raw = members(text);
        let id = raw.get("id").map(|id| id.get());
        let version = self.version.as_str();
        if let Some(method) = message["method"].as_str() {
            assert!(id.is_none() || version != MODERN, "a request of the server: {text}");
            let kind =
                if id.is_some() { Kind::Request(method) } else { Kind::Notification(method) };
            return assert_valid(version, kind, &message);
        }
        assert!(!self.is_answered, "a second answer: {text}");
        let asked = self.asked.iter().find(|(asked, _)| Some(asked.as_str()) == id);
        if let Some(error) = message.get("error") {
            let is_known = id.is_none_or(|id| asked.is_some() || self.body.contains(id));
            assert!(is_known, "nobody has asked for {text}");
            let (version, kind) = match (error["code"].as_i64(), id) {
                (Some(-32022), _) => (MODERN, Kind::UnsupportedVersion),
                (_, None) if version != MODERN => (LATEST_LEGACY, Kind::Error),
                _ => (version, Kind::Error),
            };
            assert_valid(version, kind, &message);
        } else {
            let result = &message["result"];
            // A stream that was resumed has the answer to another request.
            let kind = match asked {
                Some((_, method)) => Kind::Result(method),
                None if self.asked.is_empty() => kind_of(result),
                None => panic!("nobody has asked for {text}"),
            };
            if let (Kind::Result("initialize"), Some(version)) =
                (kind, result["protocolVersion"].as_str())
            {
                let mut sessions = SESSIONS.lock().unwrap();
                sessions.extend(self.session.take().map(|id| (id, version.to_owned())));
                assert_valid(version, kind, &message);
            } else {
                assert_valid(version, kind, &message);
            }
        }
        // A stream may have answers of several calls of a batch.
        self.is_answered = !self.is_batch;
    }
}
