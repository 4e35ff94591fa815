//! Parameters with a reference inside of their type: `Option<&X>`, `Vec<&X>` and `&[&X]`.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::param::{Param, RefParam, kind};
use super::place::{HasNoPlace, HasPlace, Nowhere};
use super::shaped::{AsList, AsOption, Shaped};
use super::slot::{Fill, Place, Slot};
use crate::mcp::output::Sealed;

/// What a parameter may refer to inside of its type: of what [`RefParam`] lists, the arguments.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a reference to `{Self}` inside of another type cannot be a tool argument",
    label = "not a tool argument",
    note = "`str`, `Path`, `[T]` and types that implement `Deserialize` and `JsonSchema` can be \
            referred to: put `#[toolwright::data]` on your own types"
)]
pub trait RefArgument<Kind> {
    /// What the call owns.
    type Owner: DeserializeOwned + JsonSchema + Send + 'static;
    /// Borrows it.
    fn lend(owner: &Self::Owner) -> &Self;
}

#[diagnostic::do_not_recommend]
impl<X: RefParam<K> + ?Sized, K> RefArgument<K> for X
where
    X::Owned: DeserializeOwned + JsonSchema,
{
    type Owner = X::Owned;

    fn lend(owner: &X::Owned) -> &X {
        X::lend(owner, Sealed)
    }
}

/// A parameter `Option<&X>`.
#[doc(hidden)]
#[derive(Debug)]
pub struct ByOption<X: ?Sized>(PhantomData<X>);

/// A parameter `Vec<&X>` or `&[&X]`.
#[doc(hidden)]
#[derive(Debug)]
pub struct ByList<X: ?Sized>(PhantomData<X>);

/// The place of such a parameter: keeps the same type with the owners of its references.
#[doc(hidden)]
#[derive(Debug)]
pub struct LentSlot<T, X: ?Sized, K, S> {
    slot: Slot<T, kind::Named, S>,
    kind: PhantomData<K>,
    lent: PhantomData<X>,
}

/// What such a parameter borrows from.
#[doc(hidden)]
#[derive(Debug)]
pub struct Owners<T, X: ?Sized, K> {
    owners: T,
    kind: PhantomData<K>,
    lent: PhantomData<X>,
}

/// A parameter `Option<&X>`.
#[doc(hidden)]
pub fn by_option<X: RefArgument<K> + ?Sized, K>() -> ByOption<X> {
    ByOption(PhantomData)
}

/// A parameter `Vec<&X>` or `&[&X]`.
#[doc(hidden)]
pub fn by_list<X: RefArgument<K> + ?Sized, K>() -> ByList<X> {
    ByList(PhantomData)
}

impl<T, X: ?Sized, K, S> LentSlot<T, X, K, S> {
    fn new() -> Self {
        Self { slot: Slot::new(), kind: PhantomData, lent: PhantomData }
    }
}

impl<T, X, K, S> Place for LentSlot<T, X, K, S>
where
    T: Param<kind::Named>,
    X: ?Sized,
    S: Shaped<T, kind::Named>,
{
    type Value = Owners<T, X, K>;

    fn slot(&mut self) -> &mut dyn Fill {
        &mut self.slot
    }

    fn take(self) -> Owners<T, X, K> {
        Owners { owners: self.slot.take(), kind: PhantomData, lent: PhantomData }
    }
}

impl<X: RefArgument<K> + ?Sized, K> Owners<Option<X::Owner>, X, K> {
    /// Lends the value, if there is one.
    pub fn lend(&self) -> Option<&X> {
        self.owners.as_ref().map(X::lend)
    }
}

impl<X: RefArgument<K> + ?Sized, K> Owners<Vec<X::Owner>, X, K> {
    /// Lends all values.
    pub fn lend(&self) -> Vec<&X> {
        self.owners.iter().map(X::lend).collect()
    }
}

macro_rules! places {
    ($($by:ident, $owners:ident, $shaped:ident, $lent:ty;)*) => {$(
        impl<X: RefArgument<K> + ?Sized, K> HasPlace<K> for $by<X> {
            type Place = LentSlot<$owners<X::Owner>, X, K, $shaped>;

            fn place(&self) -> Self::Place {
                LentSlot::new()
            }
        }

        impl<X: ?Sized> HasNoPlace for &$by<X> {}

        impl<X: ?Sized> Place for Nowhere<&$by<X>> {
            type Value = Self;

            fn slot(&mut self) -> &mut dyn Fill {
                unreachable!("nothing is put nowhere")
            }

            fn take(self) -> Self {
                self
            }
        }

        impl<'a, X: ?Sized> Nowhere<&'a $by<X>> {
            /// Never runs.
            pub fn lend<'b>(&'b self) -> $lent
            where
                X: 'b,
                'a: 'b,
            {
                unreachable!("nothing is taken from nowhere")
            }
        }
    )*};
}

places! {
    ByOption, Option, AsOption, Option<&'b X>;
    ByList, Vec, AsList, Vec<&'b X>;
}
