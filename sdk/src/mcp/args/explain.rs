//! Saying what is wrong with arguments in a way a model can repair: every problem at once, up to a
//! bound, each with its JSON pointer.
//!
//! Nothing here runs for a call whose arguments are good.

use std::cell::OnceCell;
use std::fmt;

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::expected::Expected;
use super::input::Input;
use crate::mcp::schema::check::{MOST, Null, Problem};
use crate::scan::{self, Members, unescape};

/// What is wrong with the arguments of a call. Prints as the text that the model reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadArguments {
    tool: String,
    problems: Vec<Problem>,
    malformed: bool,
}

/// Why one argument was refused while it was decoded.
pub(super) struct Refusal {
    name: String,
    /// Below the argument.
    pointer: String,
    reason: Reason,
}

enum Reason {
    /// The schema words it.
    BySchema,
    Twice,
    Malformed,
    Decoding(String),
}

impl BadArguments {
    /// The text is not JSON at all, so that the answer is no tool's but the protocol's.
    pub(crate) fn is_malformed(&self) -> bool {
        self.malformed
    }

    /// For handlers whose arguments have no derived schema to word the problem by.
    pub(crate) fn from_decoding(input: &Input<'_>, error: serde_json::Error) -> Self {
        let refusal = Refusal::new("", input.arguments, error);
        Self::explain(input.expected, input.arguments, vec![refusal])
    }

    pub(super) fn unfilled() -> Self {
        Self { tool: String::new(), problems: Vec::new(), malformed: false }
    }

    pub(super) fn explain(expected: Expected<'_>, text: &str, refusals: Vec<Refusal>) -> Self {
        let malformed = serde_json::from_str::<IgnoredAny>(text).is_err();
        let (values, mut problems) = read_values(text);
        let values = Value::Object(values);
        let known = problems.iter().map(|problem| problem.pointer.clone()).collect::<Vec<_>>();
        problems.extend(
            expected.problems(&values, Null::Absence).into_iter().filter(|problem| {
                !known.iter().any(|pointer| is_within(&problem.pointer, pointer))
            }),
        );
        // Words for a null that a type did not take for absence. Any other type that refuses what
        // its schema allows has its own words.
        let strict = OnceCell::new();
        let strictly = || strict.get_or_init(|| expected.problems(&values, Null::Value));
        for (at, refusal) in refusals.iter().enumerate() {
            let top = match refusal.name.is_empty() {
                true => String::new(),
                false => format!("/{}", scan::escape_pointer(&refusal.name)),
            };
            let is_twice = |refusals: &[Refusal]| {
                refusals.iter().any(|other| {
                    matches!(other.reason, Reason::Twice) && other.name == refusal.name
                })
            };
            match &refusal.reason {
                Reason::Twice if is_twice(&refusals[..at]) => {}
                Reason::Twice => {
                    problems.push(Problem { pointer: top, text: "given more than once".into() })
                }
                // Which of the values was refused nobody can see.
                Reason::Decoding(_) if is_twice(&refusals) => {}
                Reason::Decoding(_)
                    if problems.iter().any(|problem| is_within(&problem.pointer, &top)) => {}
                Reason::Decoding(message) => {
                    let pointer = top + &refusal.pointer;
                    let strict = strictly().iter().find(|problem| problem.pointer == pointer);
                    let text = strict.map_or(message, |problem| &problem.text).clone();
                    problems.push(Problem { pointer, text });
                }
                Reason::BySchema | Reason::Malformed => {}
            }
        }
        // An answer that names thousands would be of no use to a model, and more than some clients
        // take.
        if problems.len() > MOST {
            problems.truncate(MOST);
            problems.push(Problem { pointer: String::new(), text: "and more".into() });
        }
        Self { tool: expected.name.to_owned(), problems, malformed }
    }
}

/// The arguments as values, and a problem for each that cannot be one: a lone surrogate, a number
/// beyond a double's range, 128 levels.
fn read_values(text: &str) -> (Map<String, Value>, Vec<Problem>) {
    let (mut values, mut problems) = (Map::new(), Vec::new());
    let Ok(mut members) = Members::of(text) else { return (values, problems) };
    while let Ok(Some(key)) = members.key() {
        let Ok(raw) = members.value() else { break };
        let key = unescape(key);
        let value = serde_json::from_str(raw).unwrap_or_else(|error: serde_json::Error| {
            if problems.len() <= MOST {
                let pointer = format!(
                    "/{}{}",
                    scan::escape_pointer(&key),
                    scan::pointer_at(raw, error.column().saturating_sub(1))
                );
                problems.push(Problem { pointer, text: words(&error) });
            }
            Value::Null
        });
        values.insert(key.into_owned(), value);
    }
    (values, problems)
}

fn is_within(pointer: &str, outer: &str) -> bool {
    pointer.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// serde_json's message without the position, which the pointer replaces.
fn words(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rfind(" at line ") {
        Some(end) => message[..end].to_owned(),
        None => message,
    }
}

impl Refusal {
    pub(super) fn new(name: &str, text: &str, error: serde_json::Error) -> Self {
        // serde_json counts columns from 1 and stands behind the token it did not like.
        let pointer = scan::pointer_at(text, error.column().saturating_sub(2));
        Self { name: name.to_owned(), pointer, reason: Reason::Decoding(words(&error)) }
    }

    pub(super) fn missing(name: &str) -> Self {
        Self::plain(name, Reason::BySchema)
    }

    pub(super) fn unknown(name: &str) -> Self {
        Self::plain(name, Reason::BySchema)
    }

    pub(super) fn twice(name: &str) -> Self {
        Self::plain(name, Reason::Twice)
    }

    pub(super) fn malformed() -> Self {
        Self::plain("", Reason::Malformed)
    }

    pub(super) fn concerns(&self, name: &str) -> bool {
        self.name == name
    }

    fn plain(name: &str, reason: Reason) -> Self {
        Self { name: name.to_owned(), pointer: String::new(), reason }
    }
}

impl fmt::Display for BadArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Invalid arguments for `{}`:", self.tool)?;
        for problem in &self.problems {
            write!(f, "\n- {problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for BadArguments {}

#[cfg(test)]
mod tests;
