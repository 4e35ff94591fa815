use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value, json};

/// Whose options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sdk {
    Ours,
    Python,
    TypeScript,
}

impl Sdk {
    /// The member of `rows.json`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::TypeScript => "typescript",
            Self::Ours => "ours",
        }
    }
}

/// What a CLI was started with, in one form for all SDKs.
#[derive(Debug, PartialEq)]
pub(super) struct Launched {
    /// By flag, variable or member: `--model`, `$HOME`, `title`. A list has the values in order.
    parts: BTreeMap<String, Value>,
}

/// One part that is not the same.
#[derive(Debug, PartialEq)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) ours: Option<Value>,
    pub(super) theirs: Option<Value>,
}

impl Launched {
    /// Reads a record of the stand-in.
    pub(super) fn of(sdk: Sdk, record: &Value) -> Self {
        let Some(heard) = record["heard"].as_array() else { panic!("{record}") };
        let mut parts = BTreeMap::new();
        arguments(record, &mut parts);
        for (name, value) in record["environment"].as_object().unwrap() {
            let is_inherited =
                std::env::var(name).is_ok_and(|own| value.as_str() == Some(own.as_str()));
            if !is_inherited && !name.starts_with("FAKE_CLI_") {
                parts.insert(format!("${name}"), value.clone());
            }
        }
        let is_initialize = |line: &&Value| line["request"]["subtype"] == "initialize";
        let request = heard.iter().find(is_initialize).unwrap();
        let mut members = request["request"].as_object().unwrap().clone();
        members.remove("subtype");
        members.retain(|_, value| !value.is_null());
        if sdk == Sdk::TypeScript {
            as_arguments(&mut members, &mut parts);
        }
        parts.extend(members);
        let prompt = heard.iter().find(|line| line["type"] == "user").unwrap();
        parts.insert("client_composed".into(), prompt["client_composed"].clone());
        parts.retain(|_, value| !value.is_null());
        Self { parts }
    }

    pub(super) fn differences(&self, theirs: &Self) -> Vec<Part> {
        let names =
            self.parts.keys().chain(theirs.parts.keys()).collect::<std::collections::BTreeSet<_>>();
        let part = |name: &String| Part {
            name: name.clone(),
            ours: self.parts.get(name).cloned(),
            theirs: theirs.parts.get(name).cloned(),
        };
        names.into_iter().map(part).filter(|part| part.ours != part.theirs).collect()
    }
}

/// Reads the arguments: `--flag=value`, `--flag value` and `--flag`.
fn arguments(record: &Value, parts: &mut BTreeMap<String, Value>) {
    let arguments = record["arguments"].as_array().unwrap();
    let mut arguments = arguments.iter().map(|argument| argument.as_str().unwrap()).peekable();
    while let Some(argument) = arguments.next() {
        let (flag, value) = match argument.split_once('=') {
            Some((flag, value)) => (flag, value.to_owned()),
            None => match arguments.next_if(|next| !next.starts_with("--")) {
                Some(value) => (argument, value.to_owned()),
                None => (argument, "(switch)".to_owned()),
            },
        };
        // A value of ours may be in a file.
        let text = record["files"][&value].as_str().map_or(value, str::to_owned);
        let value = match flag {
            "--settings" | "--mcp-config" | "--json-schema" | "--managed-settings" => {
                serde_json::from_str(&text).unwrap_or(Value::String(text))
            }
            _ => Value::String(text),
        };
        match parts.entry(flag.to_owned()).or_insert_with(|| json!([])) {
            Value::Array(list) => list.push(value),
            _ => unreachable!(),
        }
    }
}

/// What the TypeScript SDK sends in `initialize` and the others as arguments.
fn as_arguments(members: &mut Map<String, Value>, parts: &mut BTreeMap<String, Value>) {
    let mut moved = |name: &str, flag: &str, value: fn(Value) -> Option<Value>| {
        if let Some(value) = members.get(name).cloned().and_then(value) {
            members.remove(name);
            parts.insert(flag.to_owned(), json!([value]));
        }
    };
    moved("systemPrompt", "--system-prompt", |parts| match parts.as_array()?.as_slice() {
        [text] => Some(text.clone()),
        _ => None,
    });
    moved("appendSystemPrompt", "--append-system-prompt", Some);
    moved("jsonSchema", "--json-schema", Some);
    moved("sdkMcpServers", "--mcp-config", |names| {
        let servers = names.as_array()?.iter();
        let servers = servers
            .map(|name| Some((name.as_str()?.to_owned(), json!({"type": "sdk", "name": name}))));
        let servers: Map<_, _> = servers.collect::<Option<_>>()?;
        (!servers.is_empty()).then(|| json!({"mcpServers": servers}))
    });
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: &Option<Value>| value.as_ref().map_or("-".into(), Value::to_string);
        write!(f, "{}: ours {}, theirs {}", self.name, shown(&self.ours), shown(&self.theirs))
    }
}
