//! A record of the open requests, independent of the session, so that every line that it writes can
//! be checked against the request that it answers. Of batches only cancellations are in it.

use std::collections::HashMap;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use toolwright::{Eras, ToolRegistry};

use crate::judge::{Kind, assert_valid, assert_valid_in_batch};
use crate::mcp::protocol::Revision;

/// The requests that are not answered yet.
pub(super) struct Ledger {
    registry: ToolRegistry,
    open: Vec<Asked>,
    /// The revision that the last handshake has settled.
    legacy: Revision,
    /// How many lines the client has sent.
    lines: usize,
}

struct Asked {
    line: usize,
    id: String,
    revision: Revision,
    method: String,
    tool: String,
    token: Option<String>,
}

/// The members of an object by their names, each in its own text; the last one if a name occurs
/// twice.
type Members<'a> = HashMap<String, &'a RawValue>;

fn members(text: &str) -> Option<Members<'_>> {
    serde_json::from_str(text).ok()
}

fn inner<'a>(outer: &Members<'a>, name: &str) -> Members<'a> {
    outer.get(name).and_then(|inner| members(inner.get())).unwrap_or_default()
}

fn string(members: &Members<'_>, name: &str) -> Option<String> {
    serde_json::from_str(members.get(name)?.get()).ok()
}

impl Ledger {
    pub(super) fn new(registry: &ToolRegistry) -> Self {
        let legacy = Revision::V2025_11_25;
        Self { registry: registry.clone(), open: Vec::new(), legacy, lines: 0 }
    }

    /// The ids that wait for their answers.
    pub(super) fn open(&self) -> Vec<&str> {
        self.open.iter().map(|asked| asked.id.as_str()).collect()
    }

    /// Records a line that the client is about to send.
    pub(super) fn note(&mut self, line: &[u8]) {
        self.lines += 1;
        let Ok(text) = std::str::from_utf8(line) else { return };
        if self.legacy == Revision::V2025_03_26
            && let Ok(batch) = serde_json::from_str::<Vec<&RawValue>>(text)
        {
            let cancels = |message: &&&RawValue| message.get().contains("notifications/cancelled");
            return batch.iter().filter(cancels).for_each(|message| self.note_one(message.get()));
        }
        self.note_one(text);
    }

    fn note_one(&mut self, text: &str) {
        let Some(message) = members(text) else { return };
        let params = inner(&message, "params");
        let Some(method) = string(&message, "method") else { return };
        match message.get("id") {
            None if method == "notifications/cancelled" => {
                params.get("requestId").into_iter().for_each(|id| self.forget(id.get()));
            }
            Some(id) if is_id(id.get()) => {
                let meta = inner(&params, "_meta");
                let token = meta.get("progressToken").map(|token| token.get().to_owned());
                let revision = self.revision(&meta);
                let (id, tool) = (id.get().to_owned(), string(&params, "name").unwrap_or_default());
                self.open.push(Asked { line: self.lines, id, revision, method, tool, token });
            }
            _ => {}
        }
    }

    /// The request with this id needs no answer any more.
    pub(super) fn forget(&mut self, id: &str) {
        self.open.retain(|asked| asked.id != id);
    }

    fn revision(&self, meta: &Members<'_>) -> Revision {
        let enveloped = ["protocolVersion", "clientCapabilities"]
            .map(|key| format!("io.modelcontextprotocol/{key}"));
        match self.registry.server().eras {
            Eras::Legacy => self.legacy,
            Eras::Modern => Revision::V2026_07_28,
            _ if enveloped.iter().any(|key| meta.contains_key(key.as_str())) => {
                Revision::V2026_07_28
            }
            _ => self.legacy,
        }
    }

    /// Checks a line that the server wrote; the test fails here if it is wrong.
    pub(super) fn judge(&mut self, line: &str) {
        assert!(!line.contains(['\n', '\r']), "a message is one line: {line}");
        let mut message: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        if let Value::Array(answers) = message {
            assert!(!answers.is_empty(), "an array without answers");
            return answers.iter().for_each(assert_valid_in_batch);
        }
        let raw = members(line).unwrap();
        let id = raw.get("id").map(|id| id.get());
        let judgements = match (message["method"].as_str(), id) {
            (Some(method), None) => self.notification(method, &raw, line),
            // Only the legacy era has server requests.
            (Some(method), Some(_)) => vec![(self.legacy, Kind::Request(method))],
            (None, Some(id)) if message.get("error").is_some() => self.error(id, &message),
            (None, Some(id)) => self.result(id, &message, line),
            (None, None) if message.get("error").is_some() => {
                if self.legacy == Revision::V2025_03_26 {
                    // A batch was refused; see `assert_valid_in_batch`.
                    message["id"] = "none".into();
                }
                vec![(self.revision(&Members::new()), Kind::Error)]
            }
            _ => panic!("neither an answer nor a notification: {line}"),
        };
        assert!(!judgements.is_empty(), "nobody can judge {line}");
        for (revision, kind) in judgements {
            assert_valid(revision.profile().version, kind, &message);
        }
    }

    /// The revisions whose schemas a notification must match.
    fn notification<'a>(
        &self,
        method: &'a str,
        message: &Members<'_>,
        line: &str,
    ) -> Vec<(Revision, Kind<'a>)> {
        let params = inner(message, "params");
        let meta = inner(&params, "_meta");
        let runs = ["tools/call", "prompts/get", "resources/read", "completion/complete"];
        let is_call = |method: &str| runs.contains(&method) || method.starts_with("toy/");
        let calls = self.open.iter().filter(|asked| is_call(&asked.method));
        let revisions: Vec<_> = match (method, meta.get("io.modelcontextprotocol/subscriptionId")) {
            ("notifications/progress", _) => {
                let token = params.get("progressToken").map(|token| token.get());
                calls
                    .filter(|asked| asked.token.as_deref() == token)
                    .map(|asked| asked.revision)
                    .collect()
            }
            ("notifications/cancelled", _) => vec![self.legacy],
            ("notifications/message" | "notifications/toy/of_call", _) => {
                calls.map(|asked| asked.revision).collect()
            }
            (_, None) => vec![self.legacy],
            (_, Some(id)) => {
                let listens =
                    |asked: &&Asked| asked.method == "subscriptions/listen" && asked.id == id.get();
                self.open.iter().filter(listens).map(|asked| asked.revision).collect()
            }
        };
        assert!(!revisions.is_empty(), "no open request has asked for {line}");
        let judgement = |revision| (revision, Kind::Notification(method));
        revisions.into_iter().map(judgement).collect()
    }

    /// Only the current request can be refused; running calls end with results.
    fn error(&mut self, id: &str, message: &Value) -> Vec<(Revision, Kind<'static>)> {
        let refused = self.open.iter().position(|asked| asked.line == self.lines && asked.id == id);
        let latest = Revision::V2026_07_28;
        let revision = refused.map_or(latest, |at| self.open.remove(at).revision);
        match message["error"]["code"] == -32022 {
            true => vec![(latest, Kind::UnsupportedVersion)],
            false => vec![(revision, Kind::Error)],
        }
    }

    fn result(&mut self, id: &str, message: &Value, line: &str) -> Vec<(Revision, Kind<'static>)> {
        let at = self.open.iter().rposition(|asked| asked.id == id);
        let asked = self.open.remove(at.unwrap_or_else(|| panic!("nobody has asked for {line}")));
        let result = &message["result"];
        if asked.method == "tools/call" {
            self.assert_structured(&asked, result, line);
        }
        if asked.method == "initialize" {
            self.legacy = Revision::named(result["protocolVersion"].as_str().unwrap()).unwrap();
        }
        let revision = if asked.method == "initialize" { self.legacy } else { asked.revision };
        let methods = [
            "initialize",
            "ping",
            "logging/setLevel",
            "server/discover",
            "tools/list",
            "tools/call",
            "prompts/list",
            "prompts/get",
            "resources/list",
            "resources/templates/list",
            "resources/read",
            "resources/subscribe",
            "resources/unsubscribe",
            "completion/complete",
            "subscriptions/listen",
        ];
        let method = methods.into_iter().find(|method| *method == asked.method);
        let method = method.or(asked.method.starts_with("toy/").then_some("toy/"));
        method.map(|method| (revision, Kind::Result(method))).into_iter().collect()
    }

    /// Structured content must match the tool's output schema, and be present if the tool has
    /// one.
    fn assert_structured(&self, asked: &Asked, result: &Value, line: &str) {
        let tool = self.registry.tools().into_iter().find(|tool| tool.name() == asked.tool);
        let Some(schema) = tool.and_then(|tool| {
            Some(tool.definition().info(asked.revision.profile()).output_schema?.to_owned())
        }) else {
            return;
        };
        let schema: Value = serde_json::from_str(schema.get()).unwrap();
        match result.get("structuredContent") {
            Some(content) => assert_eq!(complaints_by(&schema, content), [""; 0], "{line}"),
            None => {
                assert_eq!(result["isError"], true, "the structured content is missing: {line}")
            }
        }
    }
}

/// No other message has an answer.
fn is_id(text: &str) -> bool {
    text.starts_with('"') || text.strip_suffix(".0").unwrap_or(text).parse::<i128>().is_ok()
}

/// What is wrong with a value by a tool's own schema.
fn complaints_by(schema: &Value, value: &Value) -> Vec<String> {
    match jsonschema::draft202012::new(schema) {
        Ok(validator) => validator
            .iter_errors(value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect(),
        Err(error) => vec![format!("not a schema of 2020-12: {error}")],
    }
}

#[test]
fn a_judge_reads_the_schemas_of_tools() {
    assert_eq!(
        complaints_by(&json!({"type": "array", "items": {"type": "integer"}}), &json!([1])),
        [""; 0]
    );
    assert_ne!(
        complaints_by(&json!({"type": "array", "items": {"type": "integer"}}), &json!(["1"])),
        [""; 0]
    );
    assert_ne!(complaints_by(&json!({"type": "arr"}), &json!([])), [""; 0]);
}
