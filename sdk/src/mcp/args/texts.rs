//! Arguments that are texts by their names: those of prompts, and the variables of URI templates.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use super::expected::Expected;
use super::explain::BadArguments;
use super::input::Input;
use super::refusal::Refusal;
use crate::mcp::schema::{Problem, step};
use crate::mcp::words::begin_member;
use crate::scan::{self, Members, unescape};

/// The arguments without unknown and null ones, which clients may send. All others must be strings.
#[inline]
pub(crate) fn known<'a>(
    expected: Expected<'_>,
    arguments: &'a str,
) -> Result<Cow<'a, str>, BadArguments> {
    let properties = expected.schema.and_then(|schema| schema.get("properties"));
    let is_known = |name: &str| properties.is_some_and(|known| known.get(name).is_some());
    let (mut kept, mut is_changed, mut problems) = (String::from("{"), false, Vec::new());
    let Ok(mut members) = Members::of(arguments) else { return Ok(arguments.into()) };
    while let Ok(Some(key)) = members.key() {
        let Ok(value) = members.value() else { break };
        let name = unescape(key);
        if !is_known(&name) || value == "null" {
            is_changed = true;
        } else if value.starts_with('"') {
            begin_member(&mut kept, key);
            kept.push_str(value);
        } else {
            let text = "must be a string: every argument is given as text".into();
            problems.push(Problem { pointer: step(&name), text });
        }
    }
    match problems.is_empty() {
        false => Err(BadArguments::out_of_bounds(expected, problems)),
        true if is_changed => Ok((kept + "}").into()),
        true => Ok(arguments.into()),
    }
}

/// All arguments, for a function that takes them by name, once the required ones are there.
#[inline]
pub(crate) fn all(input: &Input<'_>) -> Result<HashMap<String, String>, BadArguments> {
    let (expected, text) = (input.expected, input.arguments);
    let (mut all, mut problems) = (HashMap::new(), Vec::new());
    if let Ok(mut members) = Members::of(text) {
        while let Ok(Some(key)) = members.key() {
            let Ok(value) = members.value() else { break };
            let name = unescape(key).into_owned();
            match scan::string(value) {
                Some(value) => drop(all.insert(name, value.into_owned())),
                // The line is JSON, so nothing else keeps a string from being decoded.
                None => {
                    let text = "has half of a surrogate pair".into();
                    problems.push(Problem { pointer: step(&name), text });
                }
            }
        }
    }
    let required = expected.schema.and_then(|schema| schema.get("required")?.as_array());
    let missing = required.into_iter().flatten().filter_map(Value::as_str);
    let missing = missing.filter(|name| !all.contains_key(*name)).map(Refusal::new);
    let missing: Vec<_> = missing.collect();
    match missing.is_empty() && problems.is_empty() {
        true => Ok(all),
        false => Err(BadArguments::explain(expected, text, &[], problems, &missing)),
    }
}
