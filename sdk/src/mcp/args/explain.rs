//! The answer to wrong arguments, from which a model can correct them. It names all problems at
//! once, up to a bound, each with its JSON pointer.
//!
//! Calls with correct arguments run none of this.

use std::cell::OnceCell;
use std::fmt;

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::expected::Expected;
use super::input::Input;
use super::refusal::{Reason, Refusal, message};
use crate::mcp::schema::check::{MOST, Null, Problem};
use crate::scan::{self, Members, unescape};

/// What is wrong with the arguments of a call. Displays as the text that the model reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadArguments {
    tool: String,
    problems: Vec<Problem>,
    malformed: bool,
}

impl BadArguments {
    /// The text is not JSON at all, so the answer is a protocol error and not a tool's result.
    pub(crate) fn is_malformed(&self) -> bool {
        self.malformed
    }

    /// For handlers whose arguments have no derived schema.
    pub(crate) fn from_decoding(input: &Input<'_>, error: serde_json::Error) -> Self {
        let refusal = Refusal::by_type("", input.arguments, &error);
        Self::explain(input.expected, input.arguments, vec![refusal])
    }

    /// For code that never runs in a call.
    pub(super) fn unfilled() -> Self {
        Self { tool: String::new(), problems: Vec::new(), malformed: false }
    }

    pub(super) fn explain(expected: Expected<'_>, text: &str, refusals: Vec<Refusal>) -> Self {
        let malformed = serde_json::from_str::<IgnoredAny>(text).is_err();
        let (values, mut problems) = read_values(text);
        let values = Value::Object(values);
        let known = problems.iter().map(|problem| problem.pointer.clone()).collect::<Vec<_>>();
        let is_new =
            |problem: &Problem| !known.iter().any(|pointer| is_within(&problem.pointer, pointer));
        problems.extend(expected.problems(&values, Null::Absence).into_iter().filter(is_new));
        let is_twice = |name: &str, refusals: &[Refusal]| {
            let is_twice = |other: &Refusal| matches!(other.reason, Reason::Twice);
            refusals.iter().any(|other| is_twice(other) && other.name == name)
        };
        // With null as a value the schema can describe a null that a type does not accept as
        // absence. Other values that only the type refuses are described by the type's message.
        let strict = OnceCell::new();
        let strictly = || strict.get_or_init(|| expected.problems(&values, Null::Value));
        for (at, Refusal { name, reason }) in refusals.iter().enumerate() {
            let top = match name.is_empty() {
                true => String::new(),
                false => format!("/{}", scan::escape_pointer(name)),
            };
            match reason {
                Reason::Twice if !is_twice(name, &refusals[..at]) => {
                    problems.push(Problem { pointer: top, text: "given more than once".into() })
                }
                // If the name is there twice, it is unknown which of the values was refused.
                Reason::Type { pointer, message }
                    if !is_twice(name, &refusals)
                        && !problems.iter().any(|problem| is_within(&problem.pointer, &top)) =>
                {
                    let pointer = top + pointer;
                    let strict = strictly().iter().find(|problem| problem.pointer == pointer);
                    let text = strict.map_or(message, |problem| &problem.text).clone();
                    problems.push(Problem { pointer, text });
                }
                _ => {}
            }
        }
        // Thousands of problems are of no use to a model, and some clients refuse such a long text.
        if problems.len() > MOST {
            problems.truncate(MOST);
            problems.push(Problem { pointer: String::new(), text: "and more".into() });
        }
        Self { tool: expected.name.to_owned(), problems, malformed }
    }
}

/// The arguments as values. Each that cannot be a value is null and has a problem: a lone
/// surrogate, a number beyond the range of a double, 128 levels.
fn read_values(text: &str) -> (Map<String, Value>, Vec<Problem>) {
    let (mut values, mut problems) = (Map::new(), Vec::new());
    let Ok(mut members) = Members::of(text) else { return (values, problems) };
    while let Ok(Some(key)) = members.key() {
        let Ok(raw) = members.value() else { break };
        let key = unescape(key);
        let value = serde_json::from_str(raw).unwrap_or_else(|error: serde_json::Error| {
            if problems.len() <= MOST {
                let below = scan::pointer_at(raw, error.column().saturating_sub(1));
                let pointer = format!("/{}{below}", scan::escape_pointer(&key));
                problems.push(Problem { pointer, text: message(&error) });
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
