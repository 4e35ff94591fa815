//! Checks what the session writes by the official schemas.

use std::collections::HashMap;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use crate::mcp::protocol::Revision;

/// A kind of message that this server may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind<'a> {
    /// The answer to a request of this method.
    Result(&'a str),
    Notification(&'a str),
    Request(&'a str),
    Error,
    UnsupportedVersion,
}

type Validators = HashMap<Kind<'static>, Validator>;

/// Methods, and the definitions of their results.
const LEGACY_RESULTS: &[(&str, &str)] = &[
    ("initialize", "InitializeResult"),
    ("ping", "EmptyResult"),
    ("logging/setLevel", "EmptyResult"),
    ("tools/list", "ListToolsResult"),
    ("tools/call", "CallToolResult"),
];
const MODERN_RESULTS: &[(&str, &str)] = &[
    ("server/discover", "DiscoverResult"),
    ("tools/list", "ListToolsResult"),
    ("tools/call", "CallToolResult"),
    ("subscriptions/listen", "SubscriptionsListenResult"),
];
/// Methods, their definitions, and the definitions of their params.
const NOTIFICATIONS: &[(&str, &str, &str)] = &[
    ("notifications/progress", "ProgressNotification", "ProgressNotificationParams"),
    ("notifications/message", "LoggingMessageNotification", "LoggingMessageNotificationParams"),
    ("notifications/tools/list_changed", "ToolListChangedNotification", "NotificationParams"),
    ("notifications/cancelled", "CancelledNotification", "CancelledNotificationParams"),
];
const ACKNOWLEDGED: &[(&str, &str, &str)] = &[(
    "notifications/subscriptions/acknowledged",
    "SubscriptionsAcknowledgedNotification",
    "SubscriptionsAcknowledgedNotificationParams",
)];

/// What a message consists of. As the schemas do, nothing else says which members these may have.
const PARTS: [&str; 12] = [
    "Annotations",
    "AudioContent",
    "BlobResourceContents",
    "EmbeddedResource",
    "Icon",
    "ImageContent",
    "Implementation",
    "ResourceLink",
    "TextContent",
    "TextResourceContents",
    "Tool",
    "ToolAnnotations",
];

macro_rules! schema {
    ($version:literal) => {
        include_str!(concat!("../../../../tests-data/mcp-schema/", $version, "/schema.json"))
    };
}

/// By [`Revision::index`].
static VALIDATORS: [LazyLock<Validators>; Revision::COUNT] = [
    LazyLock::new(|| Schema::read(schema!("2024-11-05")).validators(LEGACY_RESULTS)),
    LazyLock::new(|| Schema::read(schema!("2025-03-26")).validators(LEGACY_RESULTS)),
    LazyLock::new(|| Schema::read(schema!("2025-06-18")).validators(LEGACY_RESULTS)),
    LazyLock::new(|| {
        let schema = Schema::read(schema!("2025-11-25"));
        let params = json!({"params": {"$ref": schema.reference("ElicitRequestFormParams")}});
        let members = ["jsonrpc", "id", "method", "params"];
        let asked = schema.closed("ElicitRequest", &members, params);
        let mut validators = schema.validators(LEGACY_RESULTS);
        validators.insert(Kind::Request("elicitation/create"), asked);
        validators
    }),
    LazyLock::new(|| {
        let schema = Schema::read(schema!("2026-07-28"));
        let members = ["jsonrpc", "id", "error"];
        let unsupported = schema.closed("UnsupportedProtocolVersionError", &members, json!({}));
        let mut validators = schema.validators(MODERN_RESULTS);
        validators.extend(schema.notifications(ACKNOWLEDGED));
        validators.insert(Kind::UnsupportedVersion, unsupported);
        validators
    }),
];

/// What is wrong with `message`; `None` if the revision does not have it at all.
pub(super) fn complaints(
    revision: Revision,
    kind: Kind<'_>,
    message: &Value,
) -> Option<Vec<String>> {
    let validators: &HashMap<Kind<'_>, Validator> = &VALIDATORS[revision.index()];
    let errors = validators.get(&kind)?.iter_errors(message);
    Some(errors.map(|error| format!("{}: {error}", error.instance_path())).collect())
}

/// What is wrong with a value by a tool's own schema.
pub(super) fn complaints_by(schema: &Value, value: &Value) -> Vec<String> {
    match jsonschema::draft202012::new(schema) {
        Ok(validator) => validator
            .iter_errors(value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect(),
        Err(error) => vec![format!("not a schema of 2020-12: {error}")],
    }
}

/// An official schema.
struct Schema {
    /// The member with the definitions.
    key: &'static str,
    definitions: Value,
}

impl Schema {
    fn read(text: &str) -> Self {
        let mut all: Value = serde_json::from_str(text).unwrap();
        let key = if all.get("$defs").is_some() { "$defs" } else { "definitions" };
        let mut definitions = all[key].take();
        for part in PARTS {
            definitions.get_mut(part).into_iter().for_each(close);
        }
        // Older schemas have no definitions of params.
        for (_, definition, _) in NOTIFICATIONS {
            definitions[definition]["properties"].get_mut("params").into_iter().for_each(close);
        }
        Self { key, definitions }
    }

    fn reference(&self, definition: &str) -> String {
        format!("#/{}/{definition}", self.key)
    }

    /// The first of the names that the schema has.
    fn named<'a>(&self, names: [&'a str; 2]) -> &'a str {
        names.into_iter().find(|name| self.definitions.get(name).is_some()).unwrap()
    }

    fn validators(&self, results: &[(&'static str, &str)]) -> Validators {
        let response = self.named(["JSONRPCResultResponse", "JSONRPCResponse"]);
        let error = self.named(["JSONRPCErrorResponse", "JSONRPCError"]);
        let mut validators = self.notifications(NOTIFICATIONS);
        for (method, definition) in results {
            let result =
                json!({"$ref": self.reference(definition), "unevaluatedProperties": false});
            let members = ["jsonrpc", "id", "result"];
            let validator = self.closed(response, &members, json!({"result": result}));
            validators.insert(Kind::Result(method), validator);
        }
        let error = self.closed(error, &["jsonrpc", "id", "error"], json!({}));
        validators.insert(Kind::Error, error);
        validators
    }

    fn notifications(&self, all: &[(&'static str, &str, &str)]) -> Validators {
        let validator = |(method, definition, params): &(&'static str, &str, &str)| {
            let params = match self.definitions.get(params) {
                Some(_) => {
                    json!({"$ref": self.reference(params), "unevaluatedProperties": false})
                }
                None => json!(true),
            };
            let members = ["jsonrpc", "method", "params"];
            let validator = self.closed(definition, &members, json!({"params": params}));
            (Kind::Notification(method), validator)
        };
        all.iter().map(validator).collect()
    }

    /// A definition made strict: no members but those, as some clients drop a message that has
    /// others, and `more` holds too.
    fn closed(&self, definition: &str, members: &[&str], more: Value) -> Validator {
        let mut properties: Map<String, Value> =
            members.iter().map(|name| ((*name).to_owned(), json!(true))).collect();
        properties.extend(more.as_object().unwrap().clone());
        let mut strict = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "allOf": [{"$ref": self.reference(definition)}],
            "properties": properties,
            "additionalProperties": false,
        });
        strict[self.key] = self.definitions.clone();
        jsonschema::draft202012::options()
            .should_validate_formats(true)
            .should_ignore_unknown_formats(true)
            .build(&strict)
            .unwrap()
    }
}

/// Refuses the members that an object of this definition is not said to have.
fn close(definition: &mut Value) {
    let Some(object) = definition.as_object_mut() else { return };
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        let closed = properties.iter_mut().filter(|(name, _)| !name.ends_with("Schema"));
        closed.for_each(|(_, property)| close(property));
        object.entry("additionalProperties").or_insert(json!(false));
    }
}

fn verdict(revision: Revision, kind: Kind<'_>, message: Value) -> Vec<String> {
    complaints(revision, kind, &message).unwrap()
}

fn response(result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "result": result})
}

#[test]
fn the_judges_know_a_good_message() {
    let text = json!([{"type": "text", "text": "4"}]);
    let call = Kind::Result("tools/call");
    assert_eq!(verdict(Revision::V2025_11_25, call, response(json!({"content": text}))), [""; 0]);
    assert_eq!(
        verdict(
            Revision::V2026_07_28,
            call,
            response(json!({"resultType": "complete", "content": text, "structuredContent": [1]}))
        ),
        [""; 0]
    );
}

#[test]
fn the_judges_know_a_bad_message() {
    let text = json!([{"type": "text", "text": "4"}]);
    let call = Kind::Result("tools/call");
    let list = Kind::Result("tools/list");
    let listed = |member: &str, value: Value| {
        let mut tool = json!({"name": "a", "inputSchema": {"type": "object"}});
        tool[member] = value;
        response(json!({"tools": [tool]}))
    };
    let progress = Kind::Notification("notifications/progress");
    let half = json!({"progressToken": 1, "progress": 1, "message": "half"});
    let half = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": half});
    let audio = json!([{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]);
    let link = json!([{"type": "resource_link", "uri": "file:///a", "name": "a"}]);
    let dated = json!([{"type": "text", "text": "4", "annotations": {"lastModified": "2026"}}]);
    let icon = json!([{"src": "data:,x"}]);
    let booleans = json!({"type": "object", "properties": {"a": true}});
    let bad = [
        (Revision::V2024_11_05, call, response(json!({"content": audio}))),
        (Revision::V2024_11_05, progress, half),
        (Revision::V2024_11_05, list, listed("annotations", json!({}))),
        (Revision::V2025_03_26, call, response(json!({"content": link}))),
        (Revision::V2025_03_26, call, response(json!({"content": dated}))),
        (Revision::V2025_03_26, call, response(json!({"content": [], "structuredContent": {}}))),
        (Revision::V2025_03_26, list, listed("title", json!("A"))),
        (Revision::V2025_03_26, list, listed("_meta", json!({}))),
        (Revision::V2025_06_18, list, listed("icons", icon)),
        (Revision::V2025_06_18, list, listed("inputSchema", booleans.clone())),
        (Revision::V2025_11_25, list, listed("inputSchema", booleans)),
        (Revision::V2025_11_25, call, response(json!({}))),
        (Revision::V2025_11_25, call, response(json!({"content": [{"type": "txt", "text": "4"}]}))),
        (Revision::V2025_11_25, call, response(json!({"content": text, "structuredContent": [1]}))),
        (Revision::V2025_11_25, call, response(json!({"content": text, "isError": null}))),
        (Revision::V2025_11_25, call, response(json!({"content": text, "resultType": "complete"}))),
        (
            Revision::V2025_11_25,
            call,
            json!({"jsonrpc": "2.0", "id": 1, "result": {"content": text}, "extra": 1}),
        ),
        (
            Revision::V2025_11_25,
            call,
            json!({"jsonrpc": "2.0", "id": null, "result": {"content": text}}),
        ),
        (
            Revision::V2025_11_25,
            call,
            json!({"jsonrpc": "2.0", "id": 1.5, "result": {"content": text}}),
        ),
        (Revision::V2026_07_28, call, response(json!({"content": text}))),
        (
            Revision::V2026_07_28,
            Kind::Result("tools/list"),
            response(json!({"resultType": "complete", "tools": []})),
        ),
        (
            Revision::V2025_11_25,
            Kind::Result("tools/list"),
            response(json!({"tools": [{"name": "a", "inputSchema": {"type": "array"}}]})),
        ),
        (
            Revision::V2025_11_25,
            Kind::Result("tools/list"),
            response(
                json!({"tools": [{"name": "a", "inputSchema": {"type": "object"}, "title": null}]}),
            ),
        ),
        (
            Revision::V2026_07_28,
            Kind::Result("subscriptions/listen"),
            response(json!({"resultType": "complete"})),
        ),
        (
            Revision::V2026_07_28,
            Kind::Error,
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": "-32600", "message": "no"}}),
        ),
        (
            Revision::V2026_07_28,
            Kind::UnsupportedVersion,
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32022, "message": "no"}}),
        ),
        (
            Revision::V2025_11_25,
            Kind::Notification("notifications/progress"),
            json!({"jsonrpc": "2.0", "method": "notifications/progress"}),
        ),
    ];
    for (revision, kind, message) in bad {
        assert_ne!(
            verdict(revision, kind, message.clone()),
            [""; 0],
            "{revision:?} {kind:?}: {message}"
        );
    }
    assert_eq!(complaints(Revision::V2026_07_28, Kind::Result("ping"), &response(json!({}))), None);
    assert_eq!(
        complaints(Revision::V2025_11_25, Kind::Result("server/discover"), &response(json!({}))),
        None
    );
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
