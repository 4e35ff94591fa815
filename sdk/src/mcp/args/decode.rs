//! The one pass over the arguments that fills all slots.

use serde::de::DeserializeOwned;

use super::explain::BadArguments;
use super::input::Input;
use super::param::Source;
use super::refusal::Refusal;
use super::slot::Fill;
use super::trace;
use crate::mcp::schema::{MOST, Problem, Signature};
use crate::scan::{Members, unescape};

/// A parameter: its name, its description, its slot.
#[doc(hidden)]
pub type Parameter<'a> = (&'static str, &'static str, &'a mut dyn Fill);

/// Fills every slot from the arguments, or returns what is wrong with them. Without a
/// call it describes the parameters to the signature, and fails.
#[doc(hidden)]
pub fn decode(input: &Input<'_>, parameters: &mut [Parameter<'_>]) -> Result<(), BadArguments> {
    if let Some(signature) = input.signature {
        describe(parameters, &mut signature.borrow_mut());
        return Err(BadArguments::unfilled());
    }
    let (mut refusals, mut broken) = (Vec::new(), Vec::new());
    let text = input.arguments;
    match parameters.iter_mut().find(|(_, _, slot)| slot.source() == Source::Whole) {
        Some((_, _, whole)) => match (whole.read(text), input.expected.bounds) {
            (Ok(_), None) => {}
            (Ok(_), Some(bounds)) => broken = bounds.arguments(text),
            (Err(failure), _) => refusals.push(Refusal::by_type("", text, &failure)),
        },
        None => read_members(input, parameters, &mut refusals, &mut broken),
    }
    for (name, _, slot) in parameters.iter_mut().filter(|(_, _, slot)| !slot.is_filled()) {
        let refused =
            refusals.iter().any(|refusal| refusal.name == *name) || slot.source() == Source::Whole;
        if !refused && !slot.absent(input) {
            refusals.push(Refusal::new(name));
        }
    }
    if refusals.is_empty() && broken.is_empty() {
        return Ok(());
    }
    Err(refused(input, parameters, refusals, broken))
}

/// The arguments as one value of a type, for handlers whose schema is not derived.
pub(crate) fn decode_whole<A: DeserializeOwned>(input: &Input<'_>) -> Result<A, BadArguments> {
    let (expected, text) = (input.expected, input.arguments);
    trace::read(text).map(|(args, _)| args).map_err(|failure| {
        let refusal = Refusal::by_type("", text, &failure);
        BadArguments::explain(expected, text, &[], Vec::new(), &[refusal])
    })
}

#[cold]
fn refused(
    input: &Input<'_>,
    parameters: &[Parameter<'_>],
    refusals: Vec<Refusal>,
    problems: Vec<Problem>,
) -> BadArguments {
    if refusals.is_empty() {
        return BadArguments::out_of_bounds(input.expected, problems);
    }
    let is_refused = |name: &str| refusals.iter().any(|refusal| refusal.name == name);
    let taken = parameters.iter().filter(|(name, _, slot)| slot.is_filled() && !is_refused(name));
    let taken: Vec<&str> = taken.map(|(name, _, _)| *name).collect();
    BadArguments::explain(input.expected, input.arguments, &taken, problems, &refusals)
}

fn describe(parameters: &[Parameter<'_>], signature: &mut Signature) {
    for (name, description, slot) in parameters {
        match slot.source() {
            Source::Member => {
                let is_optional = slot.is_optional();
                signature
                    .argument(name, description, is_optional, |generator| slot.schema(generator));
            }
            Source::Whole => signature.whole(|generator| slot.schema(generator)),
            Source::Call => {}
        }
    }
}

/// Fills the slots whose values are members of the arguments.
fn read_members(
    input: &Input<'_>,
    parameters: &mut [Parameter<'_>],
    refusals: &mut Vec<Refusal>,
    broken: &mut Vec<Problem>,
) {
    let text = input.arguments;
    let Ok(mut members) = Members::of(text) else {
        return refusals.push(Refusal::new(""));
    };
    // An answer names no more problems than these.
    while refusals.len() <= MOST {
        let key = match members.key() {
            Ok(Some(key)) => unescape(key),
            Ok(None) => return,
            Err(_) => return refusals.push(Refusal::new("")),
        };
        let parameter = parameters
            .iter_mut()
            .find(|(name, _, slot)| *name == key && slot.source() == Source::Member);
        let read = match parameter {
            None => Err(Refusal::new(&key)),
            Some((name, _, slot))
                if slot.is_filled() || refusals.iter().any(|refusal| refusal.name == *name) =>
            {
                Err(Refusal::twice(name))
            }
            Some((name, _, slot)) => {
                let rest = members.rest();
                let read = slot.read(rest);
                if let (Ok(length), Some(bounds)) = (&read, input.expected.bounds) {
                    broken.extend(bounds.argument(name, &rest[..*length]));
                }
                read.map_err(|failure| Refusal::by_type(name, rest, &failure))
            }
        };
        match read {
            Ok(length) => members.advance(length),
            Err(refusal) => {
                refusals.push(refusal);
                if members.value().is_err() {
                    return refusals.push(Refusal::new(""));
                }
            }
        }
    }
}
