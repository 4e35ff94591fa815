//! Where what the SDK sends differs from the recording. Ids, times and what was redacted may.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value};

use crate::mcp::protocol::time::has_form;
use crate::scan::escape_pointer;
use crate::testing::recording::REDACTED;

#[cfg(test)]
mod tests;

/// How many characters of a text are shown.
const SHOWN: usize = 120;
/// So many of them come before the difference.
const BEFORE: usize = 30;

/// How a message differs; `None` if it does not. Both are of the same kind.
pub(super) fn difference(recorded: &Value, message: &Value) -> Option<String> {
    // The ids of requests and prompts, at the top.
    let is_id = |name: &str| name == "request_id" || name == "uuid";
    differs(recorded, message, String::new(), &|name| !is_id(name))
}

/// How arguments differ. Paths may: of temporary files, and of another checkout.
pub(super) fn difference_of_args(recorded: &[String], args: &[String]) -> Option<String> {
    let parts = |arg: &str| {
        let (flag, value) = arg.split_once('=').unwrap_or(("", arg));
        (flag.to_owned(), value.to_owned())
    };
    let differs = |(recorded, arg): (&String, &String)| {
        let ((flag, old), (new_flag, new)) = (parts(recorded), parts(arg));
        if flag == new_flag {
            if Path::new(&old).is_absolute() && Path::new(&new).is_absolute() {
                return None;
            }
            if let (Ok(old @ Value::Object(_)), Ok(new)) = (old.parse::<Value>(), new.parse()) {
                return differs(&old, &new, flag, &|_| true);
            }
            return (!same_text(&old, &new)).then(|| changed("", recorded, arg));
        }
        (!same_text(recorded, arg)).then(|| changed("", recorded, arg))
    };
    let found = recorded.iter().zip(args).find_map(differs);
    found.or_else(|| match recorded.len().cmp(&args.len()) {
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Less => Some(format!("the argument {} is new", args[recorded.len()])),
        std::cmp::Ordering::Greater => {
            Some(format!("the argument {} is missing", recorded[args.len()]))
        }
    })
}

/// The beginning of a message.
pub(super) fn excerpt(message: &Value) -> String {
    shorten(&message.to_string(), 0)
}

/// `counts` says which members count at this level.
fn differs(
    recorded: &Value,
    message: &Value,
    at: String,
    counts: &dyn Fn(&str) -> bool,
) -> Option<String> {
    match (recorded, message) {
        (Value::Object(old), Value::Object(new)) => {
            let names: BTreeSet<_> = old.keys().chain(new.keys()).collect();
            names.into_iter().filter(|name| counts(name)).find_map(|name| {
                let at = format!("{at}/{}", escape_pointer(name));
                match (old.get(name), new.get(name).or_else(|| redacted(name, old, new))) {
                    (Some(old), Some(new)) => differs(old, new, at, &|_| true),
                    (Some(old), None) => {
                        Some(format!("{at} is missing, recorded: {}", excerpt(old)))
                    }
                    (None, _) if old.keys().any(|old| is_redacted(old, name)) => None,
                    (None, new) => {
                        let new = new.map(excerpt).unwrap_or_default();
                        Some(format!("{at} is new: {new}"))
                    }
                }
            })
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            let mut pairs = old.iter().zip(new).zip(0..);
            pairs.find_map(|((old, new), index)| {
                differs(old, new, format!("{at}/{index}"), &|_| true)
            })
        }
        (Value::String(old), Value::String(new)) if same_text(old, new) => None,
        (old, new) if old == new => None,
        (old, new) => Some(changed(&at, &old.to_string(), &new.to_string())),
    }
}

/// The value whose key was redacted to this one. Of several the recording has the last.
fn redacted<'a>(
    name: &str,
    old: &Map<String, Value>,
    new: &'a Map<String, Value>,
) -> Option<&'a Value> {
    let is_this = |key: &String| !old.contains_key(key) && is_redacted(name, key);
    new.iter().rev().find(|(key, _)| is_this(key)).map(|(_, value)| value)
}

fn changed(at: &str, recorded: &str, now: &str) -> String {
    let same = recorded.chars().zip(now.chars()).take_while(|(old, new)| old == new).count();
    let at = if at.is_empty() { String::new() } else { format!("{at} is ") };
    format!("{at}{}, recorded: {}", shorten(now, same), shorten(recorded, same))
}

/// The part of a text around the character at which a difference begins, in one line.
fn shorten(text: &str, difference: usize) -> String {
    let from = if difference > SHOWN / 2 { difference - BEFORE } else { 0 };
    let shown: String = text.chars().skip(from).take(SHOWN).collect();
    let shown = shown.replace('\n', "\\n");
    let before = if from > 0 { "…" } else { "" };
    let after = if text.chars().count() > from + SHOWN { "…" } else { "" };
    format!("{before}{shown}{after}")
}

fn same_text(recorded: &str, now: &str) -> bool {
    const UUID: &str = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    const TIME: &str = "0000-00-00T00:00:00";
    let both = |form: &str, is_whole: bool| {
        let has_form = |text: &str| {
            has_form(text, form) && (text.len() == form.len() || !is_whole && text.len() < 40)
        };
        has_form(recorded) && has_form(now)
    };
    recorded == now || both(UUID, true) || both(TIME, false) || is_redacted(recorded, now)
}

/// Whether a text is what was recorded, with any texts in place of what was redacted.
fn is_redacted(recorded: &str, now: &str) -> bool {
    let Some((first, rest)) = recorded.split_once(REDACTED) else { return false };
    let Some(mut now) = now.strip_prefix(first) else { return false };
    let mut pieces: Vec<_> = rest.split(REDACTED).collect();
    let last = pieces.pop().unwrap_or_default();
    for piece in pieces {
        match now.find(piece) {
            Some(at) => now = &now[at + piece.len()..],
            None => return false,
        }
    }
    now.ends_with(last)
}
