//! The answer to wrong arguments, from which a model can correct them. It names all problems at
//! once, up to a bound, each with its JSON pointer.
//!
//! Calls with correct arguments run none of this.

use std::fmt;

use serde_json::Value;

use super::expected::Expected;
use super::refusal::{Reason, Refusal};
use super::secret::hide;
use super::siblings::Sibling;
use crate::mcp::schema::check::{self, Aliases, Decoded, Part, Reading, Refused};
use crate::mcp::schema::{MOST, Problem, is_within, step};
use crate::scan;

/// What is wrong with the arguments of a call. Displays as the text that the model reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadArguments(Box<Explained>);

/// It is in a box, for the code of every tool passes it on.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Explained {
    tool: String,
    problems: Vec<Problem>,
    malformed: bool,
}

impl BadArguments {
    /// The text is not JSON at all, so the answer is a protocol error and not a tool's result.
    pub(crate) fn is_malformed(&self) -> bool {
        self.0.malformed
    }

    /// What is wrong, without the name of the tool.
    pub(crate) fn problems(&self) -> &[Problem] {
        &self.0.problems
    }

    /// Where nothing was decoded, as there is no call.
    pub(super) fn unfilled() -> Self {
        Self(Box::new(Explained { tool: String::new(), problems: Vec::new(), malformed: false }))
    }

    /// Arguments that decoded well, but break the bounds of their schema.
    pub(super) fn out_of_bounds(expected: Expected<'_>, problems: Vec<Problem>) -> Self {
        Self::new(expected, problems, false)
    }

    /// `taken` are the arguments that decoding took, and `problems` what is wrong with them.
    pub(super) fn explain(
        expected: Expected<'_>,
        text: &str,
        taken: &[&str],
        mut problems: Vec<Problem>,
        refusals: &[Refusal],
    ) -> Self {
        let malformed = !scan::is_json(text);
        let schema = expected.schema.filter(|_| !malformed);
        let mut refused = Vec::with_capacity(refusals.len());
        for refusal in refusals {
            let (name, parts, message) = (&*refusal.name, refusal.parts(), refusal.message());
            refused.push(Refused { name, parts, message });
        }
        let decoded = Decoded { taken, refused };
        let described = schema.and_then(|schema| Some((schema, Part::of(text, &decoded)?)));
        let wrapped = described.as_ref().and_then(|(schema, part)| check::wrapped(schema, part));
        if let Some(problem) = wrapped {
            return Self::new(expected, vec![problem], malformed);
        }
        let problems_as = |reading| match &described {
            Some((schema, part)) => check::problems(schema, part, reading, Aliases::Taken),
            None => Vec::new(),
        };
        problems.append(&mut problems_as(Reading::Lenient));
        let mut others = Vec::new();
        for refusal in refusals {
            if let Some(schema) = schema {
                others.append(&mut ask_again(schema, refusal, &mut problems));
            }
        }
        let is_twice = |name: &str, refusals: &[Refusal]| {
            let is_twice = |other: &Refusal| matches!(other.reason, Reason::Twice);
            refusals.iter().any(|other| is_twice(other) && other.name == name)
        };
        // A strict reading can describe a value that a type does not accept although its schema
        // does. What only the type refuses is described by the type's message.
        let mut strict = None;
        for (at, refusal) in refusals.iter().enumerate() {
            let Refusal { name, reason, .. } = refusal;
            let top = if name.is_empty() { String::new() } else { step(name) };
            match reason {
                Reason::Twice if !is_twice(name, &refusals[..at]) => {
                    problems.push(Problem { pointer: top, text: "given more than once".into() })
                }
                // If the name is there twice, it is unknown which of the values was refused.
                Reason::Type { pointer, message, .. } if !is_twice(name, refusals) => {
                    let pointer = top + pointer;
                    if is_known(&problems, &pointer) {
                        continue;
                    }
                    let strict = strict.get_or_insert_with(|| problems_as(Reading::Strict));
                    let text = said_of(strict, &pointer).unwrap_or(message).to_owned();
                    problems.push(Problem { pointer, text });
                }
                _ => {}
            }
        }
        // A type took what stands before the part that it refused. Bounds are checked once all of
        // an argument is decoded, so those of the former are not known yet.
        if let Some(bounds) = expected.bounds.filter(|_| !malformed) {
            others.append(&mut bounds.arguments(text));
        }
        for problem in others {
            if !is_known(&problems, &problem.pointer) {
                problems.push(problem);
            }
        }
        if described.is_some_and(|(_, part)| part.is_cut()) {
            problems.push(Problem::new("too large to check every part of it"));
        }
        Self::new(expected, problems, malformed)
    }

    fn new(expected: Expected<'_>, mut problems: Vec<Problem>, malformed: bool) -> Self {
        hide(expected.parameters, &mut problems);
        shorten(&mut problems);
        Self(Box::new(Explained { tool: expected.name.to_owned(), problems, malformed }))
    }
}

/// Removes the problems of what a type takes although its schema says less, and returns those of
/// what it refuses besides.
fn ask_again(
    schema: &Value,
    Refusal { name, again, .. }: &Refusal,
    problems: &mut Vec<Problem>,
) -> Vec<Problem> {
    let top = if name.is_empty() { String::new() } else { step(name) };
    let mut refused = Vec::new();
    for (at, Sibling { text, pointer, parts, message }) in again.iter().enumerate() {
        let whole = match name.is_empty() {
            true => text.clone(),
            false => format!("{{{}:{text}}}", Value::from(&**name)),
        };
        let refusal = Refused { name, parts, message: Some(message) };
        let decoded = Decoded { taken: &[], refused: vec![refusal] };
        let Some(part) = Part::of(&whole, &decoded) else { break };
        let found = check::problems(schema, &part, Reading::Lenient, Aliases::OfClosed);
        let pointer = format!("{top}{pointer}");
        let text = said_of(&found, &pointer).unwrap_or(message).to_owned();
        refused.push(Problem { pointer, text });
        // Only behind the last one nothing is left that the type might take.
        if at + 1 == again.len() && found.len() <= MOST {
            problems.retain(|known| {
                !is_within(&known.pointer, &top)
                    || is_known(&refused, &known.pointer)
                    || said_of(&found, &known.pointer).is_some()
            });
        }
    }
    refused.drain(..refused.len().min(1));
    refused
}

/// True if there is a problem of the value at `pointer`, of one around it or of one inside of it.
fn is_known(problems: &[Problem], pointer: &str) -> bool {
    let overlaps = |known: &str| is_within(known, pointer) || is_within(pointer, known);
    problems.iter().any(|known| overlaps(&known.pointer))
}

/// What the first problem of the value at `pointer` is.
fn said_of<'a>(problems: &'a [Problem], pointer: &str) -> Option<&'a str> {
    let problem = problems.iter().find(|problem| problem.pointer == pointer);
    problem.map(|problem| problem.text.as_str())
}

/// Thousands of problems are of no use to a model, and some clients refuse such a long text.
fn shorten(problems: &mut Vec<Problem>) {
    if problems.len() > MOST {
        problems.truncate(MOST);
        problems.push(Problem::new("and more"));
    }
}

impl fmt::Display for BadArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Invalid arguments for `{}`:", self.0.tool)?;
        for problem in &self.0.problems {
            write!(f, "\n- {problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for BadArguments {}

#[cfg(test)]
mod tests;
