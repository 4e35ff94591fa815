//! What follows from the method and the params of a request for its answer.

use serde_json::{Map, Value};

use super::oracle::{each, string};
use super::registry::{PROMPTS, RESOURCES, SCHEMES, TEMPLATE, TOOLS};

/// What an answer must be, unless the id is in use.
#[derive(Debug, PartialEq, Clone, Copy)]
pub(super) enum Rule {
    /// This error, even if the id is in use: no request can be read.
    Unread(i64),
    /// This error.
    Code(i64),
    /// A result, at once.
    Result,
    /// A result, at once or later; questions may come before it.
    Outcome,
    /// A result or an error that a call may have, at once or later.
    Call,
    /// A result, or an error as there are too many subscriptions.
    Subscribes,
    /// The same, once the subscription ends.
    Listens,
    /// Any of these: how the text is read is not certain.
    Any,
}

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const LEVELS: [&str; 8] =
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

const NOT_FOUND: Rule = Rule::Code(-32601);
const INVALID: Rule = Rule::Code(-32602);

impl Rule {
    /// True if a request may have this answer, with a code if it is an error.
    pub(super) fn allows(self, code: Option<i64>, is_in_use: bool, answer: &[u8]) -> bool {
        let is_of_form = matches!(code, Some(-32700 | -32600));
        match self {
            Self::Unread(due) => code == Some(due),
            _ if is_in_use => code == Some(-32600),
            Self::Code(due) => code == Some(due),
            Self::Result | Self::Outcome => code.is_none(),
            Self::Call => !is_of_form && code != Some(-32601),
            Self::Subscribes | Self::Listens => code.is_none() || is_about_subscriptions(answer),
            Self::Any => !is_of_form || is_about_subscriptions(answer),
        }
    }

    /// True if a request that waits may have this answer when it is stopped.
    pub(super) fn ends_with(self, code: Option<i64>) -> bool {
        match self {
            Self::Outcome | Self::Listens => code.is_none(),
            Self::Call | Self::Any => matches!(code, None | Some(-32603)),
            _ => false,
        }
    }
}

/// The members of an object; of those with the same key the last one counts.
struct Members<'a>(Vec<(String, &'a str)>);

impl<'a> Members<'a> {
    /// What is no object has no members.
    fn of(text: Option<&'a str>) -> Self {
        let mut members = Vec::new();
        let text = text.filter(|text| text.starts_with('{')).unwrap_or("{}");
        let add = |key: &str, value| members.push((key.to_owned(), value));
        let _ = each(&mut serde_json::Deserializer::from_str(text), add);
        Self(members)
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| *value)
    }

    fn object(&self, name: &str) -> Option<&'a str> {
        self.get(name).filter(|value| value.starts_with('{'))
    }

    fn string(&self, name: &str) -> Option<String> {
        self.get(name).and_then(string).map(Into::into)
    }

    /// The member is an object, null or absent.
    fn may_be_object(&self, name: &str) -> bool {
        self.get(name).is_none_or(|value| value == "null" || value.starts_with('{'))
    }
}

pub(super) fn rule(method: &str, params: Option<&str>) -> Rule {
    let params = Members::of(params);
    let meta = Members::of(params.get("_meta"));
    let names_revision = meta.get(VERSION).is_some() || meta.get(CAPABILITIES).is_some();
    if !names_revision && method != "server/discover" {
        return legacy(method, &params);
    }
    match (meta.string(VERSION).as_deref(), meta.object(CAPABILITIES)) {
        (Some("2026-07-28"), Some(capabilities)) => modern(method, &params, capabilities),
        (Some(_), Some(_)) => Rule::Code(-32022),
        _ => INVALID,
    }
}

fn legacy(method: &str, params: &Members<'_>) -> Rule {
    match method {
        "ping" => Rule::Result,
        "initialize" => due(params.string("protocolVersion").is_some()),
        "logging/setLevel" => {
            due(params.string("level").is_some_and(|level| LEVELS.contains(&&*level)))
        }
        "resources/subscribe" | "resources/unsubscribe" if params.string("uri").is_none() => {
            INVALID
        }
        "resources/subscribe" => Rule::Subscribes,
        "resources/unsubscribe" => Rule::Result,
        // Any other text could be another spelling of a URI.
        "resources/read" => match found(params) {
            Some(Found::Plain) => Rule::Result,
            Some(Found::Unknown) => Rule::Code(-32002),
            Some(Found::Uncertain) => Rule::Call,
            None => INVALID,
        },
        "tools/call" if is_call(params, &TOOLS) => Rule::Outcome,
        "completion/complete" => completion(params),
        _ => common(method, params),
    }
}

fn modern(method: &str, params: &Members<'_>, capabilities: &str) -> Rule {
    match method {
        "server/discover" => Rule::Result,
        "subscriptions/listen" => {
            let wanted = Members::of(params.get("notifications"));
            let is_list = |name| wanted.get(name).is_none_or(is_list_of_strings);
            match params.object("notifications").is_some()
                && is_list("resourceSubscriptions")
                && is_list("taskIds")
            {
                true => Rule::Listens,
                false => INVALID,
            }
        }
        "tasks/get" | "tasks/update" | "tasks/cancel" => {
            let extensions = Members::of(Some(capabilities)).get("extensions");
            let tasks = Members::of(extensions).object("io.modelcontextprotocol/tasks");
            // There are no tasks, as this host makes none.
            if tasks.is_some() { INVALID } else { Rule::Code(-32021) }
        }
        "resources/read" => match found(params) {
            Some(Found::Plain | Found::Uncertain) => Rule::Call,
            Some(Found::Unknown) | None => INVALID,
        },
        "tools/call" if is_call(params, &TOOLS) => Rule::Call,
        // The level of the log may be wrong too.
        "completion/complete" => match completion(params) {
            Rule::Result => Rule::Call,
            rule => rule,
        },
        _ => common(method, params),
    }
}

/// What is the same in both eras.
fn common(method: &str, params: &Members<'_>) -> Rule {
    match method {
        "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" => {
            // There is no second page.
            due(params.get("cursor").is_none_or(|cursor| cursor == "null"))
        }
        "prompts/get" if is_call(params, &PROMPTS) => Rule::Call,
        "tools/call" | "prompts/get" => INVALID,
        _ => NOT_FOUND,
    }
}

fn due(is_valid: bool) -> Rule {
    if is_valid { Rule::Result } else { INVALID }
}

fn is_call(params: &Members<'_>, names: &[&str]) -> bool {
    let is_known = params.string("name").is_some_and(|name| names.contains(&&*name));
    is_known && params.may_be_object("arguments")
}

enum Found {
    /// It can be read without a question.
    Plain,
    Unknown,
    Uncertain,
}

/// What a URI names; `None` if there is none.
fn found(params: &Members<'_>) -> Option<Found> {
    let uri = params.string("uri")?;
    Some(match RESOURCES.contains(&&*uri) {
        true => Found::Plain,
        false if has_scheme(&uri) => Found::Uncertain,
        false => Found::Unknown,
    })
}

fn has_scheme(uri: &str) -> bool {
    let uri = uri.to_ascii_lowercase();
    SCHEMES.iter().any(|scheme| uri.starts_with(scheme))
}

fn completion(params: &Members<'_>) -> Rule {
    let (of, argument) = (Members::of(params.get("ref")), Members::of(params.get("argument")));
    let context = Members::of(params.get("context"));
    let is_whole = argument.string("name").is_some()
        && argument.string("value").is_some()
        && params.may_be_object("context")
        && context.get("arguments").is_none_or(is_value_with_members);
    match (of.string("type").as_deref(), of.string("name"), of.string("uri")) {
        _ if !is_whole => INVALID,
        (Some("ref/prompt"), Some(name), _) => due(PROMPTS.contains(&&*name)),
        (Some("ref/resource"), _, Some(uri)) if uri == TEMPLATE => Rule::Result,
        (Some("ref/resource"), _, Some(uri)) if has_scheme(&uri) => Rule::Call,
        _ => INVALID,
    }
}

/// What is chosen already becomes a value, which has no room for `1e400` and for great depth.
fn is_value_with_members(text: &str) -> bool {
    serde_json::from_str::<Map<String, Value>>(text).is_ok()
}

fn is_list_of_strings(text: &str) -> bool {
    serde_json::from_str::<Vec<String>>(text).is_ok()
}

/// There are too many of them.
fn is_about_subscriptions(answer: &[u8]) -> bool {
    answer.windows(9).any(|part| part == b"subscript" || part == b"subscribe")
}
