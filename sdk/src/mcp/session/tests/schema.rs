//! Checks what the session writes by the official schemas.

use std::collections::HashMap;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// The era of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Era {
    Legacy,
    Modern,
}

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

static LEGACY: LazyLock<Validators> = LazyLock::new(|| {
    let schema = include_str!("../../../../tests-data/mcp-schema/2025-11-25/schema.json");
    let mut validators = validators(schema, LEGACY_RESULTS, &[NOTIFICATIONS]);
    let params = json!({"params": {"$ref": reference("ElicitRequestFormParams")}});
    validators.insert(
        Kind::Request("elicitation/create"),
        closed(schema, "ElicitRequest", &["jsonrpc", "id", "method", "params"], params),
    );
    validators
});
static MODERN: LazyLock<Validators> = LazyLock::new(|| {
    let schema = include_str!("../../../../tests-data/mcp-schema/2026-07-28/schema.json");
    let mut validators = validators(schema, MODERN_RESULTS, &[NOTIFICATIONS, ACKNOWLEDGED]);
    validators.insert(
        Kind::UnsupportedVersion,
        closed(schema, "UnsupportedProtocolVersionError", &["jsonrpc", "id", "error"], json!({})),
    );
    validators
});

/// What is wrong with `message`; `None` if the era does not have it at all.
pub(super) fn complaints(era: Era, kind: Kind<'_>, message: &Value) -> Option<Vec<String>> {
    let validators: &HashMap<Kind<'_>, Validator> = match era {
        Era::Legacy => &LEGACY,
        Era::Modern => &MODERN,
    };
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

fn validators(
    schema: &str,
    results: &[(&'static str, &str)],
    notifications: &[&[(&'static str, &str, &str)]],
) -> Validators {
    let mut validators = Validators::new();
    for (method, definition) in results {
        let result =
            json!({"result": {"$ref": reference(definition), "unevaluatedProperties": false}});
        let validator =
            closed(schema, "JSONRPCResultResponse", &["jsonrpc", "id", "result"], result);
        validators.insert(Kind::Result(method), validator);
    }
    for (method, definition, params) in notifications.concat() {
        let params = json!({"params": {"$ref": reference(params), "unevaluatedProperties": false}});
        validators.insert(
            Kind::Notification(method),
            closed(schema, definition, &["jsonrpc", "method", "params"], params),
        );
    }
    validators.insert(
        Kind::Error,
        closed(schema, "JSONRPCErrorResponse", &["jsonrpc", "id", "error"], json!({})),
    );
    validators
}

fn reference(definition: &str) -> String {
    format!("#/$defs/{definition}")
}

/// A definition made strict: no members but those, as some clients drop a message that has others,
/// and `more` holds too.
fn closed(schema: &str, definition: &str, members: &[&str], more: Value) -> Validator {
    let all: Value = serde_json::from_str(schema).unwrap();
    let mut properties: Map<String, Value> =
        members.iter().map(|name| ((*name).to_owned(), json!(true))).collect();
    properties.extend(more.as_object().unwrap().clone());
    let strict = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "allOf": [{"$ref": reference(definition)}],
        "properties": properties,
        "additionalProperties": false,
        "$defs": all["$defs"],
    });
    jsonschema::draft202012::options()
        .should_validate_formats(true)
        .should_ignore_unknown_formats(true)
        .build(&strict)
        .unwrap()
}

fn verdict(era: Era, kind: Kind<'_>, message: Value) -> Vec<String> {
    complaints(era, kind, &message).unwrap()
}

fn response(result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "result": result})
}

#[test]
fn the_judges_know_a_good_message() {
    let text = json!([{"type": "text", "text": "4"}]);
    let call = Kind::Result("tools/call");
    assert_eq!(verdict(Era::Legacy, call, response(json!({"content": text}))), [""; 0]);
    assert_eq!(
        verdict(
            Era::Modern,
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
    let bad = [
        (Era::Legacy, call, response(json!({}))),
        (Era::Legacy, call, response(json!({"content": [{"type": "txt", "text": "4"}]}))),
        (Era::Legacy, call, response(json!({"content": text, "structuredContent": [1]}))),
        (Era::Legacy, call, response(json!({"content": text, "isError": null}))),
        (Era::Legacy, call, response(json!({"content": text, "resultType": "complete"}))),
        (
            Era::Legacy,
            call,
            json!({"jsonrpc": "2.0", "id": 1, "result": {"content": text}, "extra": 1}),
        ),
        (Era::Legacy, call, json!({"jsonrpc": "2.0", "id": null, "result": {"content": text}})),
        (Era::Legacy, call, json!({"jsonrpc": "2.0", "id": 1.5, "result": {"content": text}})),
        (Era::Modern, call, response(json!({"content": text}))),
        (
            Era::Modern,
            Kind::Result("tools/list"),
            response(json!({"resultType": "complete", "tools": []})),
        ),
        (
            Era::Legacy,
            Kind::Result("tools/list"),
            response(json!({"tools": [{"name": "a", "inputSchema": {"type": "array"}}]})),
        ),
        (
            Era::Legacy,
            Kind::Result("tools/list"),
            response(
                json!({"tools": [{"name": "a", "inputSchema": {"type": "object"}, "title": null}]}),
            ),
        ),
        (
            Era::Modern,
            Kind::Result("subscriptions/listen"),
            response(json!({"resultType": "complete"})),
        ),
        (
            Era::Modern,
            Kind::Error,
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": "-32600", "message": "no"}}),
        ),
        (
            Era::Modern,
            Kind::UnsupportedVersion,
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32022, "message": "no"}}),
        ),
        (
            Era::Legacy,
            Kind::Notification("notifications/progress"),
            json!({"jsonrpc": "2.0", "method": "notifications/progress"}),
        ),
    ];
    for (era, kind, message) in bad {
        assert_ne!(verdict(era, kind, message.clone()), [""; 0], "{era:?} {kind:?} took {message}");
    }
    assert_eq!(complaints(Era::Modern, Kind::Result("ping"), &response(json!({}))), None);
    assert_eq!(
        complaints(Era::Legacy, Kind::Result("server/discover"), &response(json!({}))),
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
