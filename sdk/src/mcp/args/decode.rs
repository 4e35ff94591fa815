//! The one pass over the arguments that fills all slots.

use std::cell::RefCell;

use serde::de::DeserializeOwned;

use super::explain::BadArguments;
use super::input::Input;
use super::param::Source;
use super::parameter::Parameter;
use super::refusal::Refusal;
use super::slot::Fill;
use super::trace;
use crate::mcp::schema::{Argument, MOST, Problem, Signature};
use crate::scan::{Members, unescape};

/// Fills every slot from the arguments, or returns what is wrong with them. The slots are those of
/// the tool's parameters, in their order. Without a call it describes the parameters to the
/// signature, and fails.
#[doc(hidden)]
pub fn decode(input: &Input<'_>, slots: &mut [&mut dyn Fill]) -> Result<(), BadArguments> {
    let parameters = input.expected.parameters;
    if let Some(signature) = input.signature {
        describe(input, slots, signature);
        return Err(BadArguments::unfilled());
    }
    let (mut refusals, mut broken) = (Vec::new(), Vec::new());
    let text = input.arguments;
    match slots.iter_mut().find(|slot| slot.source() == Source::Whole) {
        Some(whole) => match (whole.read(text), input.expected.bounds) {
            (Ok(_), None) => {}
            (Ok(_), Some(bounds)) => broken = bounds.arguments(text),
            (Err(failure), _) => refusals.push(Refusal::by_type("", text, &failure)),
        },
        None => read_members(input, slots, &mut refusals, &mut broken),
    }
    for (Parameter { name, .. }, slot) in parameters.iter().zip(&mut *slots) {
        if slot.is_filled() {
            continue;
        }
        let refused =
            refusals.iter().any(|refusal| refusal.name == *name) || slot.source() == Source::Whole;
        if !refused && !slot.absent(input) {
            refusals.push(Refusal::new(name));
        }
    }
    if refusals.is_empty() && broken.is_empty() {
        return Ok(());
    }
    Err(refused(input, slots, refusals, broken))
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
    slots: &[&mut dyn Fill],
    refusals: Vec<Refusal>,
    problems: Vec<Problem>,
) -> BadArguments {
    if refusals.is_empty() {
        return BadArguments::out_of_bounds(input.expected, problems);
    }
    let names = input.expected.parameters.iter().map(|parameter| parameter.name);
    let is_refused = |name: &str| refusals.iter().any(|refusal| refusal.name == name);
    let taken = names.zip(slots).filter(|(name, slot)| slot.is_filled() && !is_refused(name));
    let taken: Vec<&str> = taken.map(|(name, _)| name).collect();
    BadArguments::explain(input.expected, input.arguments, &taken, problems, &refusals)
}

fn describe(input: &Input<'_>, slots: &mut [&mut dyn Fill], signature: &RefCell<Signature>) {
    for (parameter, slot) in input.expected.parameters.iter().zip(slots) {
        match slot.source() {
            Source::Member => {
                let rules = parameter.rules.iter().map(|rule| (rule.keyword, (rule.value)()));
                let argument = Argument {
                    name: parameter.name,
                    description: parameter.description,
                    is_optional: slot.is_optional(),
                    rules: rules.collect(),
                };
                let schema = |generator: &mut _| slot.schema(generator);
                signature.borrow_mut().argument(argument, schema);
            }
            Source::Whole => signature.borrow_mut().whole(|generator| slot.schema(generator)),
            // What the call would have to have is noted in the signature.
            Source::Call => {
                slot.absent(input);
            }
        }
    }
}

/// Fills the slots whose values are members of the arguments.
fn read_members(
    input: &Input<'_>,
    slots: &mut [&mut dyn Fill],
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
        let mut named = input.expected.parameters.iter().zip(&mut *slots);
        let parameter = named
            .find(|(parameter, slot)| parameter.name == key && slot.source() == Source::Member);
        let read = match parameter {
            None => Err(Refusal::new(&key)),
            Some((Parameter { name, .. }, slot))
                if slot.is_filled() || refusals.iter().any(|refusal| refusal.name == *name) =>
            {
                Err(Refusal::twice(name))
            }
            Some((Parameter { name, .. }, slot)) => {
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
