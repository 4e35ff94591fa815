//! Which place a parameter gets.
//!
//! [`by_value`] and [`by_ref`] alone ask that a type can be an argument. Of what they return the
//! compiler picks a place by autoref: a slot for an argument, and for what is none, and was told of
//! there, something that gives no further errors.

use std::fmt;
use std::marker::PhantomData;

use super::slot::{Fill, Lend, Place, RefSlot, Slot};
use super::{BadArguments, Input, Param, RefParam, Source};
use crate::mcp::schema::Signature;

/// A parameter that is taken by value.
#[doc(hidden)]
pub struct ByValue<T>(PhantomData<T>);

/// A parameter `&X`.
#[doc(hidden)]
pub struct ByRef<X: ?Sized>(PhantomData<X>);

/// The place of what is no argument. Nothing that has one compiles.
#[doc(hidden)]
pub struct Nowhere<P>(PhantomData<P>);

/// A parameter that is taken by value.
#[doc(hidden)]
pub fn by_value<T: Param<K>, K>() -> ByValue<T> {
    ByValue(PhantomData)
}

/// A parameter `&X`.
#[doc(hidden)]
pub fn by_ref<X: RefParam<K> + ?Sized, K>() -> ByRef<X> {
    ByRef(PhantomData)
}

/// Arguments have a place.
#[doc(hidden)]
pub trait HasPlace<K> {
    /// The place.
    type Place;
    /// An empty one.
    fn place(&self) -> Self::Place;
}

impl<T: Param<K>, K> HasPlace<K> for ByValue<T> {
    type Place = Slot<T, K>;

    fn place(&self) -> Slot<T, K> {
        Slot::new()
    }
}

impl<X: RefParam<K> + ?Sized, K> HasPlace<K> for ByRef<X> {
    type Place = RefSlot<X, K>;

    fn place(&self) -> RefSlot<X, K> {
        RefSlot::new()
    }
}

/// All else has none.
#[doc(hidden)]
pub trait HasNoPlace: Sized {
    /// Nowhere.
    fn place(&self) -> Nowhere<Self> {
        Nowhere(PhantomData)
    }
}

impl<T> HasNoPlace for &ByValue<T> {}

impl<X: ?Sized> HasNoPlace for &ByRef<X> {}

impl<T> Place for Nowhere<&ByValue<T>> {
    type Value = T;

    fn take(self) -> Result<T, BadArguments> {
        Err(BadArguments::unfilled())
    }
}

impl<X: ?Sized> Place for Nowhere<&ByRef<X>> {
    type Value = Self;

    fn take(self) -> Result<Self, BadArguments> {
        Err(BadArguments::unfilled())
    }
}

impl<X: ?Sized> Lend<X> for Nowhere<&ByRef<X>> {
    fn lend(&self) -> &X {
        unreachable!("nothing is taken from nowhere")
    }
}

impl<P> Fill for Nowhere<P> {
    fn source(&self) -> Source {
        Source::Call
    }

    fn describe(&self, _: &'static str, _: &'static str, _: &mut Signature) {}

    fn is_filled(&self) -> bool {
        false
    }

    fn read(&mut self, _: &str) -> serde_json::Result<usize> {
        Ok(0)
    }

    fn absent(&mut self, _: &Input<'_>) -> bool {
        false
    }
}

impl<T> fmt::Debug for ByValue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByValue")
    }
}

impl<X: ?Sized> fmt::Debug for ByRef<X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByRef")
    }
}

impl<P> fmt::Debug for Nowhere<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Nowhere")
    }
}
