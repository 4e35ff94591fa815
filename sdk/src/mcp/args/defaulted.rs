//! Parameters with `#[arg(default = …)]`.

use std::fmt;

use schemars::SchemaGenerator;
use serde::Serialize;
use serde_json::{Value, json};

use super::decoder::{Cursor, Error};
use super::input::Input;
use super::param::{Param, RefParam, Source};
use super::place::Nowhere;
use super::shaped::Shaped;
use super::slot::{Fill, Keep, Place, RefSlot, Slot};
use crate::mcp::protocol::shown;

/// A place that is filled with a default if the argument is absent or null.
#[doc(hidden)]
pub struct Defaulted<P: Keep, U> {
    place: P,
    default: fn() -> U,
    convert: fn(U) -> P::Kept,
    /// Its JSON, unless the parameter's rules have it.
    json: Option<ToJson<P::Kept>>,
}

type ToJson<T> = fn(&T) -> Option<Value>;

impl<T: Param<K>, K, S: Shaped<T, K>> Slot<T, K, S> {
    /// With a default of the parameter's type.
    pub fn or(self, default: fn() -> T) -> Defaulted<Self, T> {
        Defaulted { place: self, default, convert: |value| value, json: None }
    }

    /// With a default of a type that converts to the parameter's.
    pub fn or_from<U: IntoDefault<T>>(self, default: fn() -> U) -> Defaulted<Self, U> {
        Defaulted { place: self, default, convert: U::into_default, json: None }
    }
}

impl<X: RefParam<K> + ?Sized, K> RefSlot<X, K> {
    /// With a default of the type that the call owns.
    pub fn or(self, default: fn() -> X::Owned) -> Defaulted<Self, X::Owned> {
        Defaulted { place: self, default, convert: |value| value, json: None }
    }

    /// With a default of a type that converts to it.
    pub fn or_from<U: IntoDefault<X::Owned>>(self, default: fn() -> U) -> Defaulted<Self, U> {
        Defaulted { place: self, default, convert: U::into_default, json: None }
    }
}

impl<P> Nowhere<P> {
    /// Causes no second error.
    pub fn or<U>(self, _: U) -> Self {
        self
    }

    /// Causes no second error.
    pub fn or_from<U>(self, _: U) -> Self {
        self
    }
}

impl<P: Keep, U> Defaulted<P, U> {
    fn value(&self) -> P::Kept {
        (self.convert)((self.default)())
    }
}

impl<P: Keep, U> Place for Defaulted<P, U> {
    type Value = P::Value;

    fn slot(&mut self) -> &mut dyn Fill {
        self
    }

    fn take(self) -> P::Value {
        self.place.take()
    }
}

impl<P: Keep, U> Fill for Defaulted<P, U> {
    fn source(&self) -> Source {
        self.place.fill().source()
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Value {
        let mut schema = self.place.fill().schema(generator);
        let json = self.json.and_then(|json| json(&self.value()));
        if let Some(json) = json {
            // A type that takes any value has a boolean as its schema.
            if schema.is_boolean() {
                schema = json!({});
            }
            schema["default"] = json;
        }
        schema
    }

    fn is_optional(&self) -> bool {
        true
    }

    fn is_filled(&self) -> bool {
        self.place.fill().is_filled()
    }

    fn decode(&mut self, json: &mut Cursor<'_>) -> Result<(), Error> {
        let decoded = self.place.slot().decode(json);
        if decoded.is_err() && json.is_null() {
            self.place.put(self.value());
            return Ok(());
        }
        decoded
    }

    fn absent(&mut self, _: &Input<'_>) -> bool {
        self.place.put(self.value());
        true
    }
}

/// What converts to a default of type `T`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no default for an argument of type `{T}`",
    label = "write an expression of the type `{T}`"
)]
pub trait IntoDefault<T> {
    /// Converts it.
    fn into_default(self) -> T;
}

#[diagnostic::do_not_recommend]
impl<U: Into<T>, T> IntoDefault<T> for U {
    fn into_default(self) -> T {
        self.into()
    }
}

/// A default that can be part of the schema.
#[doc(hidden)]
pub trait HasJson {
    /// Makes it so.
    fn show(&mut self);
}

impl<P: Keep<Kept: Serialize>, U> HasJson for Defaulted<P, U> {
    fn show(&mut self) {
        self.json = Some(shown);
    }
}

/// Any other default. The compiler selects this trait by autoref where the other one does not
/// apply.
#[doc(hidden)]
pub trait HasNoJson {
    /// Does nothing.
    fn show(&mut self) {}
}

impl<P> HasNoJson for &mut P {}

impl<P: Keep, U> fmt::Debug for Defaulted<P, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Defaulted").finish_non_exhaustive()
    }
}
