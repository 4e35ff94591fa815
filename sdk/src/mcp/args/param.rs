//! The roles a parameter can have.

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::{DeserializeOwned, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};
use serde_json::Value;

use super::input::Input;
use crate::mcp::cancel::CancelToken;
use crate::mcp::context::Context;

/// The whole arguments object as one parameter: `Args(q): Args<Search>`. The fields of `T` are the
/// tool's arguments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Args<T>(pub T);

/// What a tool may take by value. `Kind` tells the implementations apart and is always inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "not a tool argument",
    note = "an argument's type implements `Deserialize` and `JsonSchema`: put `#[toolwright::data]` on your own types",
    note = "`Args<T>`, `Context` and `CancelToken` have roles of their own"
)]
pub trait Param<Kind>: Sized {
    /// Where the value comes from.
    #[doc(hidden)]
    const SOURCE: Source;

    /// The schema, for those that come from the arguments.
    #[doc(hidden)]
    fn schema(_: &mut SchemaGenerator) -> Value {
        Value::Null
    }

    /// Reads the value at the start of `json`; says how many bytes it took.
    #[doc(hidden)]
    fn read(json: &str) -> serde_json::Result<(Self, usize)> {
        let _ = json;
        Err(serde::de::Error::custom("not an argument"))
    }

    /// Whether the arguments may do without it.
    #[doc(hidden)]
    fn is_optional() -> bool {
        false
    }

    /// The value when the arguments do not have it.
    #[doc(hidden)]
    fn absent(input: &Input<'_>) -> Option<Self>;
}

/// What a tool may take by reference, for `X` in `&X`: the call owns a value and lends it to the
/// function.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be a tool argument",
    label = "not a tool argument",
    note = "`&str`, `&[T]`, `&Context` and references to types that implement `Deserialize` and `JsonSchema` can"
)]
pub trait RefParam<Kind> {
    /// What the call owns.
    #[doc(hidden)]
    type Owned: Param<Self::By> + Send + 'static;
    /// The kind of [`RefParam::Owned`].
    #[doc(hidden)]
    type By;

    /// Borrows what the call owns.
    #[doc(hidden)]
    fn lend(owned: &Self::Owned) -> &Self;
}

/// Where the value of a parameter comes from.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The member of the arguments that has the parameter's name.
    Member,
    /// All of the arguments.
    Whole,
    /// The call.
    Call,
}

/// Kinds of [`Param`] and [`RefParam`].
#[doc(hidden)]
#[allow(missing_docs, reason = "names that only type inference sees")]
pub mod kind {
    #[derive(Debug)]
    pub struct Named;
    #[derive(Debug)]
    pub struct Whole;
    #[derive(Debug)]
    pub struct Injected;
    #[derive(Debug)]
    pub struct Unsized;
}

// Of this and the next ones the compiler shall not tell what `serde` or `schemars` lack, but what
// is written at the trait.
#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Param<kind::Named> for T {
    const SOURCE: Source = Source::Member;

    fn schema(generator: &mut SchemaGenerator) -> Value {
        generator.subschema_for::<T>().to_value()
    }

    fn read(json: &str) -> serde_json::Result<(Self, usize)> {
        read_one(json)
    }

    fn is_optional() -> bool {
        T::deserialize(Absent).is_ok()
    }

    fn absent(_: &Input<'_>) -> Option<Self> {
        T::deserialize(Absent).ok()
    }
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Param<kind::Whole> for Args<T> {
    const SOURCE: Source = Source::Whole;

    fn schema(generator: &mut SchemaGenerator) -> Value {
        generator.root_schema_for::<T>().to_value()
    }

    fn read(json: &str) -> serde_json::Result<(Self, usize)> {
        read_one(json).map(|(value, length)| (Self(value), length))
    }

    fn absent(_: &Input<'_>) -> Option<Self> {
        None
    }
}

#[diagnostic::do_not_recommend]
impl Param<kind::Injected> for Context {
    const SOURCE: Source = Source::Call;

    fn absent(input: &Input<'_>) -> Option<Self> {
        Some(input.context())
    }
}

#[diagnostic::do_not_recommend]
impl Param<kind::Injected> for CancelToken {
    const SOURCE: Source = Source::Call;

    fn absent(input: &Input<'_>) -> Option<Self> {
        Some(input.context().cancel_token().clone())
    }
}

#[diagnostic::do_not_recommend]
impl RefParam<kind::Unsized> for str {
    type Owned = String;
    type By = kind::Named;

    fn lend(owned: &String) -> &str {
        owned
    }
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> RefParam<kind::Unsized> for [T] {
    type Owned = Vec<T>;
    type By = kind::Named;

    fn lend(owned: &Vec<T>) -> &[T] {
        owned
    }
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> RefParam<kind::Named> for T {
    type Owned = T;
    type By = kind::Named;

    fn lend(owned: &T) -> &T {
        owned
    }
}

#[diagnostic::do_not_recommend]
impl RefParam<kind::Injected> for Context {
    type Owned = Context;
    type By = kind::Injected;

    fn lend(owned: &Context) -> &Context {
        owned
    }
}

#[diagnostic::do_not_recommend]
impl RefParam<kind::Injected> for CancelToken {
    type Owned = CancelToken;
    type By = kind::Injected;

    fn lend(owned: &CancelToken) -> &CancelToken {
        owned
    }
}

/// Decodes the value at the start of `json` and finds its end, so that the arguments are walked
/// once.
fn read_one<T: DeserializeOwned>(json: &str) -> serde_json::Result<(T, usize)> {
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<T>();
    match values.next() {
        Some(value) => Ok((value?, values.byte_offset())),
        None => Err(serde::de::Error::custom("a value is missing")),
    }
}

/// Reads as nothing: `Option` and what behaves like it take that, all else refuses.
struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(serde::de::Error::custom(format_args!("missing")))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}
