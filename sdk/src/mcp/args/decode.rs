//! The one pass over the arguments that fills all slots.

use super::explain::BadArguments;
use super::input::Input;
use super::param::Source;
use super::refusal::Refusal;
use super::slot::Fill;
use crate::mcp::schema::Signature;
use crate::mcp::schema::check::MOST;
use crate::scan::{Members, unescape};

/// A parameter: its name, its description, its slot.
#[doc(hidden)]
pub type Parameter<'a> = (&'static str, &'static str, &'a mut dyn Fill);

/// Fills every slot from the arguments, or returns everything that is wrong with them. Without a
/// call it describes the parameters to the signature, and fails.
#[doc(hidden)]
pub fn decode(input: &Input<'_>, parameters: &mut [Parameter<'_>]) -> Result<(), BadArguments> {
    if let Some(signature) = input.signature {
        describe(parameters, &mut signature.borrow_mut());
        return Err(BadArguments::unfilled());
    }
    let mut refusals = Vec::new();
    let text = input.arguments;
    match parameters.iter_mut().find(|(_, _, slot)| slot.source() == Source::Whole) {
        Some((_, _, whole)) => {
            if let Err(error) = whole.read(text) {
                refusals.push(Refusal::by_type("", text, &error));
            }
        }
        None => read_members(text, parameters, &mut refusals),
    }
    for (name, _, slot) in parameters.iter_mut().filter(|(_, _, slot)| !slot.is_filled()) {
        let refused =
            refusals.iter().any(|refusal| refusal.name == *name) || slot.source() == Source::Whole;
        if !refused && !slot.absent(input) {
            refusals.push(Refusal::new(name));
        }
    }
    match refusals.is_empty() && !input.expected.breaks_constraints(text) {
        true => Ok(()),
        false => Err(BadArguments::explain(input.expected, text, refusals)),
    }
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
fn read_members(text: &str, parameters: &mut [Parameter<'_>], refusals: &mut Vec<Refusal>) {
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
                slot.read(rest).map_err(|error| Refusal::by_type(name, rest, &error))
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
