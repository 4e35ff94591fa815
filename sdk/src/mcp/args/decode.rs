//! The one pass over the arguments that fills all slots.

use std::borrow::Cow;
use std::cell::RefCell;

use serde::de::DeserializeOwned;
use serde::de::value::{Error, UnitDeserializer};
use serde_json::Value;

use super::decoder::Cursor;
use super::expected::Expected;
use super::explain::BadArguments;
use super::input::Input;
use super::mend::mended;
use super::param::Source;
use super::parameter::Parameter;
use super::refusal::Refusal;
use super::siblings::{LARGEST, siblings};
use super::slot::Fill;
use super::trace::{self, Failure};
use crate::mcp::schema::{Argument, MOST, Problem, Signature};
use crate::scan::{Malformed, Members, member, unescape};

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
    match slots.iter_mut().find(|slot| slot.source() == Source::Whole) {
        Some(whole) => read_whole(input, &mut **whole, &mut refusals, &mut broken),
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
    refused(input, slots, refusals, broken)
}

/// The arguments as one value of a type, for handlers whose schema is not derived.
pub(crate) fn decode_whole<A: DeserializeOwned>(input: &Input<'_>) -> Result<A, BadArguments> {
    let (expected, text) = (input.expected, input.arguments);
    let mut args = None;
    let mut decode = |json: &mut Cursor<'_>| {
        args = Some(A::deserialize(json)?);
        Ok(())
    };
    let read = trace::read(text, &mut decode);
    let again = if read.is_err() { siblings(text, &mut decode) } else { Vec::new() };
    match (read, args) {
        (Ok(_), Some(args)) => Ok(args),
        (read, _) => {
            // No arguments are `()` or `None` too.
            if text == "{}"
                && let Ok(args) = A::deserialize(UnitDeserializer::<Error>::new())
            {
                return Ok(args);
            }
            let failure = read.err().unwrap_or_else(|| Failure::new(&"there is no value"));
            let refusal = Refusal { again, ..Refusal::by_type("", text, &failure) };
            Err(BadArguments::explain(expected, text, &[], Vec::new(), &[refusal]))
        }
    }
}

/// The key of a member, and the position of the parameter that it is for.
type Keyed<'a> = (Cow<'a, str>, Option<usize>);

/// Reads the value at the start of `json` and returns its length in bytes.
fn read(slot: &mut dyn Fill, json: &str) -> Result<usize, Failure> {
    trace::read(json, &mut |json| slot.decode(json))
}

#[cold]
fn refused(
    input: &Input<'_>,
    slots: &mut [&mut dyn Fill],
    mut refusals: Vec<Refusal>,
    mut broken: Vec<Problem>,
) -> Result<(), BadArguments> {
    let expected = input.expected;
    let mended = mended(expected, input.arguments, &refusals);
    if let Some(text) = &mended {
        read_mended(expected, text, slots, &mut refusals, &mut broken);
    }
    match (refusals.is_empty(), broken.is_empty()) {
        (true, true) => return Ok(()),
        (true, false) => return Err(BadArguments::out_of_bounds(expected, broken)),
        _ => {}
    }
    let text = mended.as_deref().unwrap_or(input.arguments);
    let mut taken = Vec::new();
    for (Parameter { name, is_secret, .. }, slot) in expected.parameters.iter().zip(slots) {
        if slot.is_filled() && !refusals.iter().any(|refusal| refusal.name == *name) {
            taken.push(*name);
            continue;
        }
        if text.len() > LARGEST || *is_secret {
            continue;
        }
        let (name, value) = match slot.source() {
            Source::Whole => ("", Some(text)),
            Source::Member => (*name, member(text, name)),
            Source::Call => continue,
        };
        let by_type = |it: &&mut Refusal| it.name == name && it.message().is_some();
        let refusal = refusals.iter_mut().find(by_type);
        if let (Some(refusal), Some(value)) = (refusal, value) {
            refusal.again = siblings(value, &mut |json| slot.decode(json));
        }
    }
    Err(BadArguments::explain(expected, text, &taken, broken, &refusals))
}

/// Reads again what a type refused.
fn read_mended(
    expected: Expected<'_>,
    text: &str,
    slots: &mut [&mut dyn Fill],
    refusals: &mut Vec<Refusal>,
    broken: &mut Vec<Problem>,
) {
    refusals.retain_mut(|refusal| {
        if refusal.message().is_none() {
            return true;
        }
        let mut named = expected.parameters.iter().zip(&mut *slots);
        let named = named.find(|(parameter, slot)| match slot.source() {
            Source::Whole => refusal.name.is_empty(),
            Source::Member => refusal.name == parameter.name,
            Source::Call => false,
        });
        let Some((parameter, slot)) = named else { return true };
        let value = match slot.source() {
            Source::Whole => Some(text),
            _ => member(text, parameter.name),
        };
        let Some(value) = value else { return true };
        match read(&mut **slot, value) {
            Ok(length) => {
                if let Some(bounds) = expected.bounds {
                    broken.append(&mut match slot.source() {
                        Source::Whole => bounds.arguments(text),
                        _ => bounds.argument(parameter.name, &value[..length]),
                    });
                }
                false
            }
            Err(failure) => {
                *refusal = match slot.source() {
                    Source::Whole => Refusal::by_type("", value, &failure),
                    _ => Refusal::of_member(parameter, value, &failure),
                };
                true
            }
        }
    });
}

#[cold]
fn describe(input: &Input<'_>, slots: &mut [&mut dyn Fill], signature: &RefCell<Signature>) {
    for (parameter, slot) in input.expected.parameters.iter().zip(slots) {
        match slot.source() {
            Source::Member => {
                let mut rules = Vec::new();
                for rule in parameter.rules {
                    rules.push((rule.keyword, (rule.value)()));
                }
                if parameter.is_secret {
                    rules.push(("writeOnly", Value::Bool(true)));
                }
                let argument = Argument {
                    name: parameter.name,
                    description: parameter.description,
                    is_optional: slot.is_optional(),
                    rules,
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

/// Fills the slot whose value is all of the arguments.
#[inline(never)]
fn read_whole(
    input: &Input<'_>,
    slot: &mut dyn Fill,
    refusals: &mut Vec<Refusal>,
    broken: &mut Vec<Problem>,
) {
    let text = input.arguments;
    match (read(slot, text), input.expected.bounds) {
        (Ok(_), None) => {}
        (Ok(_), Some(bounds)) => *broken = bounds.arguments(text),
        (Err(failure), _) => refusals.push(Refusal::by_type("", text, &failure)),
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
    let parameters = input.expected.parameters;
    let mut next = 0;
    // An answer names no more problems than `MOST`. Mending solves one of each parameter at most,
    // so that some are left whenever not all members were read.
    while refusals.len() <= MOST + parameters.len() {
        let (key, at) = match next_key(&mut members, parameters, slots, next) {
            Ok(Some(found)) => found,
            Ok(None) => return,
            Err(Malformed) => return refusals.push(Refusal::new("")),
        };
        let named = at.and_then(|at| Some((parameters.get(at)?, slots.get_mut(at)?)));
        next = at.map_or(next, |at| at + 1);
        let read = match named {
            None => Err(Refusal::new(&key)),
            Some((Parameter { name, .. }, slot))
                if slot.is_filled() || refusals.iter().any(|refusal| refusal.name == *name) =>
            {
                Err(Refusal::twice(name))
            }
            Some((parameter, slot)) => {
                let rest = members.rest();
                let read = read(&mut **slot, rest);
                if let (Ok(length), Some(bounds)) = (&read, input.expected.bounds) {
                    broken.extend(bounds.argument(parameter.name, &rest[..*length]));
                }
                read.map_err(|failure| Refusal::of_member(parameter, rest, &failure))
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

/// Moves to the value of the next member; `None` at the end. Most clients write the members in the
/// order of the schema, so that it is for the parameter at `likely`.
#[inline]
fn next_key<'a>(
    members: &mut Members<'a>,
    parameters: &'a [Parameter],
    slots: &[&mut dyn Fill],
    likely: usize,
) -> Result<Option<Keyed<'a>>, Malformed> {
    let is_member = |slot: &&mut dyn Fill| slot.source() == Source::Member;
    if let Some(Parameter { name, .. }) = parameters.get(likely)
        && slots.get(likely).is_some_and(is_member)
        && members.skip_key(name)
    {
        return Ok(Some(((*name).into(), Some(likely))));
    }
    let Some(key) = members.key()?.map(unescape) else { return Ok(None) };
    let mut named = parameters.iter().zip(slots);
    let at = named.position(|(parameter, slot)| parameter.name == key && is_member(slot));
    Ok(Some((key, at)))
}
