//! The place of a parameter's value.
//!
//! Only [`by_value`] and [`by_ref`] demand that a type can be an argument. From what they return
//! the compiler selects a place by autoref: a slot for an argument. Any other type has failed at
//! these functions already; it gets [`Nowhere`], which causes no further errors.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::param::{Param, RefParam, kind};
use super::shaped::{AsList, AsOption};
use super::slot::{Fill, Lend, Place, RefSlot, Slot};

/// A parameter that is taken by value.
#[doc(hidden)]
#[derive(Debug)]
pub struct ByValue<T>(PhantomData<T>);

/// A parameter `&X`.
#[doc(hidden)]
#[derive(Debug)]
pub struct ByRef<X: ?Sized>(PhantomData<X>);

/// The place of a type that cannot be an argument. Code that uses it does not compile.
#[doc(hidden)]
#[derive(Debug)]
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
    /// An empty place.
    fn place(&self) -> Self::Place;
}

impl<T: Param<K>, K> HasPlace<K> for ByValue<T> {
    type Place = Slot<T, K>;

    fn place(&self) -> Slot<T, K> {
        Slot::new()
    }
}

// A method of the type itself comes before that of the trait.
impl<T: DeserializeOwned + JsonSchema + Send> ByValue<Option<T>> {
    /// An empty place.
    pub fn place(&self) -> Slot<Option<T>, kind::Named, AsOption> {
        Slot::new()
    }
}

impl<T: DeserializeOwned + JsonSchema + Send> ByValue<Vec<T>> {
    /// An empty place.
    pub fn place(&self) -> Slot<Vec<T>, kind::Named, AsList> {
        Slot::new()
    }
}

impl<X: RefParam<K> + ?Sized, K> HasPlace<K> for ByRef<X> {
    type Place = RefSlot<X, K>;

    fn place(&self) -> RefSlot<X, K> {
        RefSlot::new()
    }
}

/// Types that cannot be arguments have none.
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

    fn slot(&mut self) -> &mut dyn Fill {
        unreachable!("nothing is put nowhere")
    }

    fn take(self) -> T {
        unreachable!("nothing is taken from nowhere")
    }
}

impl<X: ?Sized> Place for Nowhere<&ByRef<X>> {
    type Value = Self;

    fn slot(&mut self) -> &mut dyn Fill {
        unreachable!("nothing is put nowhere")
    }

    fn take(self) -> Self {
        self
    }
}

impl<X: ?Sized> Lend<X> for Nowhere<&ByRef<X>> {
    fn lend(&self) -> &X {
        unreachable!("nothing is taken from nowhere")
    }
}
