//! Compares what was heard on two stages.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::differences::{MEMBERS, MESSAGES, TEXTS};

/// Members whose values are ids.
const IDS: [&str; 17] = [
    "uuid",
    "session_id",
    "id",
    "tool_use_id",
    "parent_tool_use_id",
    "user_message_uuid",
    "user_message_uuids",
    "command_uuid",
    "message_uuid",
    "api_message_id",
    "refused_message_id",
    "refused_user_message_uuid",
    "agent_id",
    "task_id",
    "run_id",
    "prompt_id",
    "still_queued",
];

/// Replaces what is another in each run: ids by their order, and the texts of `names`. Leaves out
/// what cannot be the same.
pub(super) fn masked(messages: Vec<Value>, names: &[(String, &str)]) -> Vec<Value> {
    let mut ids = BTreeMap::new();
    let compared = messages.into_iter().filter_map(|message| {
        let kind = kind(&message);
        let is_left_out = MESSAGES.iter().any(|(name, _)| *name == kind);
        (!is_left_out).then(|| without(message, &kind))
    });
    let compared: Vec<_> = compared.collect();
    compared.into_iter().map(|message| mask(message, None, &mut ids, names)).collect()
}

/// The differences, a line each.
pub(super) fn differences(real: &[Value], scripted: &[Value]) -> Vec<String> {
    let kinds = |messages: &[Value]| messages.iter().map(kind).collect::<Vec<_>>();
    let (wanted, given) = (kinds(real), kinds(scripted));
    if wanted != given {
        return vec![format!("real:     {wanted:?}\nscripted: {given:?}")];
    }
    let mut found = Vec::new();
    for (at, (real, scripted)) in real.iter().zip(scripted).enumerate() {
        differ(&format!("{at} {}", wanted[at]), real, scripted, &mut found);
    }
    found
}

fn differ(at: &str, real: &Value, scripted: &Value, found: &mut Vec<String>) {
    match (real, scripted) {
        (Value::Object(real), Value::Object(scripted)) => {
            let new = scripted.keys().filter(|name| !real.contains_key(*name));
            for name in real.keys().chain(new) {
                let of = |members: &Map<String, Value>| members.get(name).cloned();
                match (of(real), of(scripted)) {
                    (Some(real), Some(scripted)) => {
                        differ(&format!("{at}/{name}"), &real, &scripted, found);
                    }
                    (real, scripted) => {
                        let show =
                            |it: Option<Value>| it.map_or("nothing".into(), |it| it.to_string());
                        found.push(format!("{at}/{name}: {} {}", show(real), show(scripted)));
                    }
                }
            }
        }
        (Value::Array(real), Value::Array(scripted)) if real.len() == scripted.len() => {
            for (index, (real, scripted)) in real.iter().zip(scripted).enumerate() {
                differ(&format!("{at}/{index}"), real, scripted, found);
            }
        }
        _ if real == scripted => {}
        _ => found.push(format!("{at}:\n  real:     {real}\n  scripted: {scripted}")),
    }
}

/// The type of a message, and the subtype of a system message.
fn kind(message: &Value) -> String {
    let text = |name: &str| message[name].as_str().unwrap_or_default();
    match text("type") {
        "system" => format!("system/{}", text("subtype")),
        "stream_event" => {
            format!("stream_event/{}", message["event"]["type"].as_str().unwrap_or_default())
        }
        "answer" => format!("answer/{}", text("subtype")),
        "user" if message["tool_use_result"]["agentType"].is_string() => "user/agent".to_owned(),
        "" if !text("hook_event_name").is_empty() => "hook".to_owned(),
        kind => kind.to_owned(),
    }
}

fn without(value: Value, kind: &str) -> Value {
    let is_left_out = |name: &str| {
        MEMBERS.iter().any(|(of, names, _)| (of.is_empty() || *of == kind) && names.contains(&name))
    };
    match value {
        Value::Object(members) => {
            let kept = members.into_iter().filter(|(name, _)| !is_left_out(name));
            Value::Object(kept.map(|(name, value)| (name, without(value, kind))).collect())
        }
        Value::Array(items) => items.into_iter().map(|item| without(item, kind)).collect(),
        other => other,
    }
}

fn mask(
    value: Value,
    name: Option<&str>,
    ids: &mut BTreeMap<String, String>,
    names: &[(String, &str)],
) -> Value {
    match value {
        Value::String(id) if name.is_some_and(|name| IDS.contains(&name)) => {
            let next = format!("id-{}", ids.len());
            ids.entry(id).or_insert(next).clone().into()
        }
        Value::String(text) => {
            let names = names.iter().map(|(text, name)| (text.as_str(), *name));
            let known = ids.iter().map(|(id, name)| (id.as_str(), name.as_str()));
            let text = TEXTS.iter().fold(text, |text, (start, _)| match text.split_once(start) {
                Some((before, _)) => format!("{before}{start}"),
                None => text,
            });
            names.chain(known).fold(text, |text, (of, name)| text.replace(of, name)).into()
        }
        Value::Array(items) => items.into_iter().map(|item| mask(item, name, ids, names)).collect(),
        Value::Object(members) => {
            // In an order that is the same on both stages, as ids are numbered.
            let sorted: BTreeMap<_, _> = members.into_iter().collect();
            let masked = sorted.into_iter().map(|(name, value)| {
                let value = mask(value, Some(&name), ids, names);
                (name, value)
            });
            Value::Object(masked.collect())
        }
        other => other,
    }
}
