//! Slots: where the values of parameters are kept while arguments are decoded.

use std::marker::PhantomData;

use schemars::SchemaGenerator;
use serde_json::Value;

use super::decoder::{Cursor, Error};
use super::input::Input;
use super::param::{Param, RefParam, Source};
use super::shaped::{ByType, Shaped};
use crate::mcp::output::Sealed;

/// Where a parameter's value is kept.
#[doc(hidden)]
pub trait Place {
    /// The value itself, or the owner that lends it.
    type Value;
    /// The slot that `decode` fills.
    fn slot(&mut self) -> &mut dyn Fill;
    /// The value; `decode` has checked that there is one.
    fn take(self) -> Self::Value;
}

/// A place that can be filled by hand.
#[doc(hidden)]
pub trait Keep: Place {
    /// What it keeps.
    type Kept;
    /// The slot.
    fn fill(&self) -> &dyn Fill;
    /// Fills it.
    fn put(&mut self, value: Self::Kept);
}

/// Lends a value to a parameter `&X`.
#[doc(hidden)]
pub trait Lend<X: ?Sized> {
    /// Lends it.
    fn lend(&self) -> &X;
}

/// A slot of any type. One `decode` serves them all, so that a tool adds little
/// code of its own.
#[doc(hidden)]
pub trait Fill {
    /// Where the value comes from.
    fn source(&self) -> Source;
    /// The schema of the value.
    fn schema(&self, generator: &mut SchemaGenerator) -> Value;
    /// True if the arguments may omit it.
    fn is_optional(&self) -> bool;
    /// True once the slot has its value.
    fn is_filled(&self) -> bool;
    /// Decodes the value. After an error the slot is empty.
    fn decode(&mut self, json: &mut Cursor<'_>) -> Result<(), Error>;
    /// Fills the slot without a value from the arguments. Returns whether that is possible.
    fn absent(&mut self, input: &Input<'_>) -> bool;
}

/// The place of a parameter that is taken by value. `S` is how its schema is made.
#[doc(hidden)]
#[derive(Debug)]
pub struct Slot<T, K, S = ByType> {
    value: Option<T>,
    kind: PhantomData<(K, S)>,
}

/// The place of a parameter `&X`: keeps what the call owns.
#[doc(hidden)]
#[derive(Debug)]
pub struct RefSlot<X: RefParam<K> + ?Sized, K>(Slot<X::Owned, X::By, X::Shaped>);

/// What a parameter `&X` borrows from.
#[doc(hidden)]
#[derive(Debug)]
pub struct Owned<X: RefParam<K> + ?Sized, K>(X::Owned);

impl<T, K, S> Slot<T, K, S> {
    pub(super) fn new() -> Self {
        Self { value: None, kind: PhantomData }
    }
}

impl<X: RefParam<K> + ?Sized, K> RefSlot<X, K> {
    pub(super) fn new() -> Self {
        Self(Slot::new())
    }
}

impl<T: Param<K>, K, S: Shaped<T, K>> Place for Slot<T, K, S> {
    type Value = T;

    fn slot(&mut self) -> &mut dyn Fill {
        self
    }

    // Inlined, it would be in the code of each tool, with a branch and a cleanup.
    #[inline(never)]
    fn take(self) -> T {
        self.value.unwrap_or_else(|| unfilled())
    }
}

impl<X: RefParam<K> + ?Sized, K> Place for RefSlot<X, K> {
    type Value = Owned<X, K>;

    fn slot(&mut self) -> &mut dyn Fill {
        &mut self.0
    }

    #[inline(never)]
    fn take(self) -> Owned<X, K> {
        Owned(self.0.take())
    }
}

impl<T: Param<K>, K, S: Shaped<T, K>> Keep for Slot<T, K, S> {
    type Kept = T;

    fn fill(&self) -> &dyn Fill {
        self
    }

    fn put(&mut self, value: T) {
        self.value = Some(value);
    }
}

impl<X: RefParam<K> + ?Sized, K> Keep for RefSlot<X, K> {
    type Kept = X::Owned;

    fn fill(&self) -> &dyn Fill {
        &self.0
    }

    fn put(&mut self, value: X::Owned) {
        self.0.put(value);
    }
}

impl<X: RefParam<K> + ?Sized, K> Lend<X> for Owned<X, K> {
    fn lend(&self) -> &X {
        X::lend(&self.0, Sealed)
    }
}

impl<T: Param<K>, K, S: Shaped<T, K>> Fill for Slot<T, K, S> {
    fn source(&self) -> Source {
        T::SOURCE
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Value {
        S::schema(generator)
    }

    fn is_optional(&self) -> bool {
        T::is_optional()
    }

    fn is_filled(&self) -> bool {
        self.value.is_some()
    }

    fn decode(&mut self, json: &mut Cursor<'_>) -> Result<(), Error> {
        let (value, decoded) = match T::decode(json) {
            Ok(value) => (Some(value), Ok(())),
            Err(error) => (None, Err(error)),
        };
        self.value = value;
        decoded
    }

    fn absent(&mut self, input: &Input<'_>) -> bool {
        self.value = T::absent(input);
        self.value.is_some()
    }
}

#[cold]
fn unfilled() -> ! {
    unreachable!("`decode` has filled every slot")
}
