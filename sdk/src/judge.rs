//! Judges what a server writes by the official schemas. The tests of other packages include this
//! file too, so it names nothing of this one.

use std::collections::HashMap;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// A kind of message that this server may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind<'a> {
    /// The answer to a request of this method.
    Result(&'a str),
    Notification(&'a str),
    Request(&'a str),
    Error,
    UnsupportedVersion,
    /// The schema of a form.
    Form,
    /// A notification of the server's own, whose name begins with [`CUSTOM`].
    Custom,
}

const CUSTOM: &str = "notifications/toy/";
/// With this begin the methods of requests outside of the protocol; it stands for all of them.
const CUSTOM_REQUEST: &str = "toy/";

type Validators = HashMap<Kind<'static>, Validator>;

/// Methods, and the definitions of their results.
const LEGACY_RESULTS: &[(&str, &str)] = &[
    ("initialize", "InitializeResult"),
    ("ping", "EmptyResult"),
    ("logging/setLevel", "EmptyResult"),
    ("tools/list", "ListToolsResult"),
    ("tools/call", "CallToolResult"),
    ("prompts/list", "ListPromptsResult"),
    ("prompts/get", "GetPromptResult"),
    ("resources/list", "ListResourcesResult"),
    ("resources/templates/list", "ListResourceTemplatesResult"),
    ("resources/read", "ReadResourceResult"),
    ("resources/subscribe", "EmptyResult"),
    ("resources/unsubscribe", "EmptyResult"),
    ("completion/complete", "CompleteResult"),
];
const MODERN_RESULTS: &[(&str, &str)] = &[
    ("server/discover", "DiscoverResult"),
    ("tools/list", "ListToolsResult"),
    ("tools/call", "CallToolResult"),
    ("prompts/list", "ListPromptsResult"),
    ("prompts/get", "GetPromptResult"),
    ("resources/list", "ListResourcesResult"),
    ("resources/templates/list", "ListResourceTemplatesResult"),
    ("resources/read", "ReadResourceResult"),
    ("completion/complete", "CompleteResult"),
    ("subscriptions/listen", "SubscriptionsListenResult"),
    (ASKS, "InputRequiredResult"),
];
/// Stands for the method of a request whose result asks for more input.
const ASKS: &str = "input_required";
/// Requests of servers, in the legacy era.
const REQUESTS: &[(&str, &str)] = &[
    ("elicitation/create", "ElicitRequest"),
    ("sampling/createMessage", "CreateMessageRequest"),
    ("roots/list", "ListRootsRequest"),
];
/// Methods, their definitions, and the definitions of their params.
const NOTIFICATIONS: &[(&str, &str, &str)] = &[
    ("notifications/progress", "ProgressNotification", "ProgressNotificationParams"),
    ("notifications/message", "LoggingMessageNotification", "LoggingMessageNotificationParams"),
    ("notifications/tools/list_changed", "ToolListChangedNotification", "NotificationParams"),
    ("notifications/prompts/list_changed", "PromptListChangedNotification", "NotificationParams"),
    (
        "notifications/resources/list_changed",
        "ResourceListChangedNotification",
        "NotificationParams",
    ),
    (
        "notifications/resources/updated",
        "ResourceUpdatedNotification",
        "ResourceUpdatedNotificationParams",
    ),
    ("notifications/cancelled", "CancelledNotification", "CancelledNotificationParams"),
];
const ACKNOWLEDGED: &[(&str, &str, &str)] = &[(
    "notifications/subscriptions/acknowledged",
    "SubscriptionsAcknowledgedNotification",
    "SubscriptionsAcknowledgedNotificationParams",
)];

/// What a message consists of. As the schemas do, nothing else says which members these may have.
const PARTS: [&str; 17] = [
    "Annotations",
    "AudioContent",
    "BlobResourceContents",
    "EmbeddedResource",
    "Icon",
    "ImageContent",
    "Implementation",
    "Prompt",
    "PromptArgument",
    "PromptMessage",
    "Resource",
    "ResourceLink",
    "ResourceTemplate",
    "TextContent",
    "TextResourceContents",
    "Tool",
    "ToolAnnotations",
];

macro_rules! schema {
    ($version:literal) => {
        include_str!(concat!("../tests-data/mcp-schema/", $version, "/schema.json"))
    };
}

/// By revision.
static VALIDATORS: [(&str, LazyLock<Validators>); 5] = [
    (
        "2024-11-05",
        LazyLock::new(|| Schema::read(schema!("2024-11-05")).validators(LEGACY_RESULTS)),
    ),
    (
        "2025-03-26",
        LazyLock::new(|| Schema::read(schema!("2025-03-26")).validators(LEGACY_RESULTS)),
    ),
    (
        "2025-06-18",
        LazyLock::new(|| Schema::read(schema!("2025-06-18")).validators(LEGACY_RESULTS)),
    ),
    (
        "2025-11-25",
        LazyLock::new(|| Schema::read(schema!("2025-11-25")).validators(LEGACY_RESULTS)),
    ),
    (
        "2026-07-28",
        LazyLock::new(|| {
            let schema = Schema::read(schema!("2026-07-28"));
            let members = ["jsonrpc", "id", "error"];
            let unsupported = schema.closed("UnsupportedProtocolVersionError", &members, json!({}));
            let mut validators = schema.validators(MODERN_RESULTS);
            validators.extend(schema.notifications(ACKNOWLEDGED));
            validators.insert(Kind::UnsupportedVersion, unsupported);
            validators
        }),
    ),
];

/// What is wrong with `message`; `None` if the revision of this name does not have it at all.
pub(crate) fn complaints(version: &str, kind: Kind<'_>, message: &Value) -> Option<Vec<String>> {
    let (_, validators) = VALIDATORS.iter().find(|(name, _)| *name == version)?;
    let validators: &HashMap<Kind<'_>, Validator> = validators;
    let kind = match kind {
        Kind::Result(_) if message["result"]["resultType"] == ASKS => Kind::Result(ASKS),
        Kind::Result(method) if method.starts_with(CUSTOM_REQUEST) => Kind::Result(CUSTOM_REQUEST),
        Kind::Notification(method) if method.starts_with(CUSTOM) => Kind::Custom,
        kind => kind,
    };
    let errors = validators.get(&kind)?.iter_errors(message);
    Some(errors.map(|error| format!("{}: {error}", error.instance_path())).collect())
}

/// The test fails here if `message` is not valid in the revision of this name.
pub(crate) fn assert_valid(version: &str, kind: Kind<'_>, message: &Value) {
    match complaints(version, kind, message) {
        Some(complaints) => assert!(complaints.is_empty(), "{complaints:#?} in {message}"),
        None => panic!("{version} does not know {kind:?}: {message}"),
    }
    assert_no_null(message, message);
    if kind == Kind::Result("tools/list") {
        message["result"]["tools"].as_array().unwrap().iter().for_each(assert_schemas);
    }
}

/// What a result answers, by its members: where they do not tell, a ping.
pub(crate) fn kind_of(result: &Value) -> Kind<'static> {
    let has = |member: &str| result.get(member).is_some();
    Kind::Result(match () {
        () if has("content") => "tools/call",
        () if has("tools") => "tools/list",
        () if has("protocolVersion") => "initialize",
        () if has("supportedVersions") => "server/discover",
        () if has("resultType") => "subscriptions/listen",
        () => "ping",
    })
}

/// Checks an answer of an array, in the revision that has batches.
pub(crate) fn assert_valid_in_batch(answer: &Value) {
    let mut answer = answer.clone();
    let kind = answer.get("result").map_or(Kind::Error, kind_of);
    if kind == Kind::Error && answer.get("id").is_none() {
        // JSON-RPC demands this answer; the schema demands an id, of which there is none.
        answer["id"] = "none".into();
    }
    assert_valid("2025-03-26", kind, &answer);
}

fn assert_schemas(tool: &Value) {
    for schema in [tool.get("inputSchema"), tool.get("outputSchema")].into_iter().flatten() {
        if let Err(error) = jsonschema::draft202012::meta::validate(schema) {
            panic!("{error}: {tool}");
        }
    }
}

/// No absent member is written as null; only values of users may contain null.
fn assert_no_null(value: &Value, message: &Value) {
    const USERS: [&str; 5] = ["structuredContent", "_meta", "inputSchema", "outputSchema", "data"];
    match value {
        Value::Object(members) => {
            for (_, value) in members.iter().filter(|(key, _)| !USERS.contains(&key.as_str())) {
                assert!(!value.is_null(), "null is written in {message}");
                assert_no_null(value, message);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| assert_no_null(item, message)),
        _ => {}
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
        let custom = self.closed(response, &["jsonrpc", "id", "result"], json!({}));
        validators.insert(Kind::Result(CUSTOM_REQUEST), custom);
        let asked = REQUESTS.iter().filter(|(_, name)| self.definitions.get(name).is_some());
        for (method, definition) in asked {
            let validator =
                self.closed(definition, &["jsonrpc", "id", "method", "params"], json!({}));
            validators.insert(Kind::Request(method), validator);
        }
        if self.definitions.get("ElicitRequest").is_some() {
            validators.insert(Kind::Form, self.form());
        }
        let error = self.closed(error, &["jsonrpc", "id", "error"], json!({}));
        validators.insert(Kind::Error, error);
        let members = ["jsonrpc", "method", "params"];
        validators.insert(Kind::Custom, self.closed("JSONRPCNotification", &members, json!({})));
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

    /// The schema of a form made strict: clients drop the keywords that it does not name.
    fn form(&self) -> Validator {
        let mut definitions = self.definitions.clone();
        let named = definitions.as_object_mut().unwrap().iter_mut();
        named.filter(|(name, _)| name.ends_with("Schema")).for_each(|(_, it)| close(it));
        let params = match definitions.get("ElicitRequestFormParams") {
            Some(params) => params,
            None => &definitions["ElicitRequest"]["properties"]["params"],
        };
        let mut form = params["properties"]["requestedSchema"].clone();
        close(&mut form);
        form[self.key] = definitions;
        jsonschema::draft202012::new(&form).unwrap()
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
