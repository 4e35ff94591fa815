//! One slot a parameter, and the one pass that fills them.

use std::fmt;
use std::marker::PhantomData;

use super::explain::{BadArguments, Refusal};
use super::{Input, Param, RefParam, Source};
use crate::mcp::schema::Signature;
use crate::mcp::schema::check::MOST;
use crate::scan::{Members, unescape};

/// The place of a parameter.
#[doc(hidden)]
pub trait Place: Fill {
    /// What comes of it: the value itself, or what can lend it.
    type Value;
    /// The value; [`decode`] saw to it that there is one.
    fn take(self) -> Result<Self::Value, BadArguments>;
}

/// What a call lends to a parameter `&X`.
#[doc(hidden)]
pub trait Lend<X: ?Sized> {
    /// Lends it.
    fn lend(&self) -> &X;
}

/// The place of a parameter that is taken by value.
#[doc(hidden)]
pub struct Slot<T, K> {
    value: Option<T>,
    kind: PhantomData<K>,
}

/// The place of a parameter `&X`: holds what the call owns.
#[doc(hidden)]
pub struct RefSlot<X: RefParam<K> + ?Sized, K> {
    owned: Slot<X::Owned, X::By>,
}

/// What a [`RefSlot`] lends from.
#[doc(hidden)]
pub struct Owned<X: RefParam<K> + ?Sized, K>(X::Owned);

impl<T, K> Slot<T, K> {
    pub(super) fn new() -> Self {
        Self { value: None, kind: PhantomData }
    }
}

impl<X: RefParam<K> + ?Sized, K> RefSlot<X, K> {
    pub(super) fn new() -> Self {
        Self { owned: Slot::new() }
    }
}

impl<T: Param<K>, K> Place for Slot<T, K> {
    type Value = T;

    fn take(self) -> Result<T, BadArguments> {
        self.value.ok_or_else(BadArguments::unfilled)
    }
}

impl<X: RefParam<K> + ?Sized, K> Place for RefSlot<X, K> {
    type Value = Owned<X, K>;

    fn take(self) -> Result<Owned<X, K>, BadArguments> {
        self.owned.take().map(Owned)
    }
}

impl<X: RefParam<K> + ?Sized, K> Lend<X> for Owned<X, K> {
    fn lend(&self) -> &X {
        X::lend(&self.0)
    }
}

/// A slot of any type. One [`decode`] serves them all, so that a tool adds little code of its own.
#[doc(hidden)]
pub trait Fill {
    /// Where the value comes from.
    fn source(&self) -> Source;
    /// Adds the parameter to the tool's signature.
    fn describe(&self, name: &'static str, description: &'static str, signature: &mut Signature);
    /// Whether it has come.
    fn is_filled(&self) -> bool;
    /// Reads it from the start of `json`; says how many bytes it took.
    fn read(&mut self, json: &str) -> serde_json::Result<usize>;
    /// Does without; says whether that is possible.
    fn absent(&mut self, input: &Input<'_>) -> bool;
}

impl<T: Param<K>, K> Fill for Slot<T, K> {
    fn source(&self) -> Source {
        T::SOURCE
    }

    fn describe(&self, name: &'static str, description: &'static str, signature: &mut Signature) {
        signature.param::<T, K>(name, description);
    }

    fn is_filled(&self) -> bool {
        self.value.is_some()
    }

    fn read(&mut self, json: &str) -> serde_json::Result<usize> {
        let (value, length) = T::read(json)?;
        self.value = Some(value);
        Ok(length)
    }

    fn absent(&mut self, input: &Input<'_>) -> bool {
        self.value = T::absent(input);
        self.value.is_some()
    }
}

impl<X: RefParam<K> + ?Sized, K> Fill for RefSlot<X, K> {
    fn source(&self) -> Source {
        self.owned.source()
    }

    fn describe(&self, name: &'static str, description: &'static str, signature: &mut Signature) {
        self.owned.describe(name, description, signature);
    }

    fn is_filled(&self) -> bool {
        self.owned.is_filled()
    }

    fn read(&mut self, json: &str) -> serde_json::Result<usize> {
        self.owned.read(json)
    }

    fn absent(&mut self, input: &Input<'_>) -> bool {
        self.owned.absent(input)
    }
}

/// A parameter: its name, its description, its slot.
#[doc(hidden)]
pub type Parameter<'a> = (&'static str, &'static str, &'a mut dyn Fill);

/// Fills every slot from the arguments, or says everything that is wrong with them.
#[doc(hidden)]
pub fn decode(input: &Input<'_>, parameters: &mut [Parameter<'_>]) -> Result<(), BadArguments> {
    if let Some(signature) = input.signature() {
        parameters.iter().for_each(|(name, description, slot)| {
            slot.describe(name, description, &mut signature.borrow_mut())
        });
        return Err(BadArguments::unfilled());
    }
    let mut refusals = Vec::new();
    let text = input.arguments.unwrap_or("{}");
    match parameters.iter_mut().find(|(_, _, slot)| slot.source() == Source::Whole) {
        Some((_, _, whole)) => {
            if let Err(error) = whole.read(text) {
                refusals.push(Refusal::new("", text, error));
            }
        }
        None => read_members(text, parameters, &mut refusals),
    }
    for (name, _, slot) in parameters.iter_mut().filter(|(_, _, slot)| !slot.is_filled()) {
        let refused =
            refusals.iter().any(|refusal| refusal.concerns(name)) || slot.source() == Source::Whole;
        if !refused && !slot.absent(input) {
            refusals.push(Refusal::missing(name));
        }
    }
    match refusals.is_empty() && !input.tool.breaks_constraints(text) {
        true => Ok(()),
        false => Err(BadArguments::explain(input.tool, text, refusals)),
    }
}

fn read_members(text: &str, parameters: &mut [Parameter<'_>], refusals: &mut Vec<Refusal>) {
    let Ok(mut members) = Members::of(text) else {
        return refusals.push(Refusal::malformed());
    };
    // The call is refused whatever comes after so many refusals.
    while refusals.len() <= MOST {
        let key = match members.key() {
            Ok(Some(key)) => unescape(key),
            Ok(None) => return,
            Err(_) => return refusals.push(Refusal::malformed()),
        };
        let parameter = parameters
            .iter_mut()
            .find(|(name, _, slot)| *name == key && slot.source() == Source::Member);
        let read = match parameter {
            None => Err(Refusal::unknown(&key)),
            Some((name, _, slot))
                if slot.is_filled() || refusals.iter().any(|refusal| refusal.concerns(name)) =>
            {
                Err(Refusal::twice(name))
            }
            Some((name, _, slot)) => {
                slot.read(members.rest()).map_err(|error| Refusal::new(name, members.rest(), error))
            }
        };
        match read {
            Ok(length) => members.advance(length),
            Err(refusal) => {
                refusals.push(refusal);
                if members.value().is_err() {
                    return refusals.push(Refusal::malformed());
                }
            }
        }
    }
}

impl<T, K> fmt::Debug for Slot<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Slot")
    }
}

impl<X: RefParam<K> + ?Sized, K> fmt::Debug for RefSlot<X, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RefSlot")
    }
}

impl<X: RefParam<K> + ?Sized, K> fmt::Debug for Owned<X, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Owned")
    }
}
