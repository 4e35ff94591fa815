//! The roles a parameter can have.

use std::path::{Path, PathBuf};

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::decoder::{Cursor, Error};
use super::input::Input;
use super::shaped::{AsList, ByType, Shaped};
use crate::mcp::cancel::CancelToken;
use crate::mcp::context::Context;
use crate::mcp::output::Sealed;
use crate::mcp::schema::{Absent, Shape};

/// The whole arguments object as one parameter: `Args(q): Args<Search>`. The fields of `T` are the
/// tool's arguments.
///
/// ```
/// use toolwright::{Args, data, tool};
///
/// #[data]
/// struct Search {
///     query: String,
///     #[serde(default)]
///     limit: u32,
/// }
///
/// #[tool]
/// async fn search(Args(search): Args<Search>) -> String {
///     format!("{} results for {}", search.limit, search.query)
/// }
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Args<T>(pub T);

/// What a tool may take by value.
///
/// | type | value |
/// |---|---|
/// | numbers, `bool`, `char`, `String`, [`Value`] | the argument of the parameter's name |
/// | sequences, tuples, maps | the same |
/// | structs and enums with [`#[data]`](macro@crate::data) | the same |
/// | every other `T: DeserializeOwned + JsonSchema + Send` | the same |
/// | `Option<T>` of these | the same; the argument may be absent or null |
/// | [`Args<T>`] | all arguments: the fields of `T` |
/// | [`State<T>`](crate::State), or an `Option` of it | the server's; clients see no argument |
/// | [`Context`], [`CancelToken`] | the call; clients see no argument |
///
/// ```
/// use toolwright::{CancelToken, ToolRegistry, data, json, tool, tools};
///
/// #[data]
/// enum Speed {
///     Slow,
///     Fast,
/// }
///
/// #[tool]
/// async fn send(to: Vec<String>, speed: Speed, limit: Option<usize>, stop: CancelToken) -> usize {
///     let sent = to.iter().take(limit.unwrap_or(10));
///     sent.take_while(|_| !stop.is_cancelled()).count()
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = ToolRegistry::builder("post").tools(tools![send]).build()?;
/// let sent = registry.call("send", json!({"to": ["ann"], "speed": "Fast"})).await?;
/// assert_eq!(sent.to_text(), "1");
/// # Ok(())
/// # }
/// ```
///
/// The trait is sealed: your own types become arguments by `Deserialize` and `JsonSchema`, which
/// `#[data]` derives. `Kind` distinguishes the implementations and is always inferred. [`RefParam`]
/// lists what may be borrowed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "not a tool argument",
    note = "an argument's type implements `Deserialize`, `JsonSchema` and `Send`: \
            put `#[toolwright::data]` on your own types",
    note = "types of uuid, chrono and url need toolwright's feature of the same name",
    note = "a value that calls share, such as an `Arc<Db>`, is a parameter `State<Db>`, \
            where `Db` is `Send` and `Sync`"
)]
pub trait Param<Kind>: Sized {
    /// Where the value comes from. It seals the trait, as other crates cannot name its type.
    #[doc(hidden)]
    const SOURCE: Source;

    /// The schema, where the value comes from the arguments.
    #[doc(hidden)]
    fn schema(_: &mut SchemaGenerator) -> Value {
        Value::Null
    }

    /// Decodes the value, where it comes from the arguments.
    #[doc(hidden)]
    fn decode(_: &mut Cursor<'_>) -> Result<Self, Error> {
        Err(serde::de::Error::custom("not an argument"))
    }

    /// True if the arguments may omit it.
    #[doc(hidden)]
    fn is_optional() -> bool {
        false
    }

    /// The value if the arguments omit it.
    #[doc(hidden)]
    fn absent(input: &Input<'_>) -> Option<Self>;
}

/// What a tool may take by reference: `X` in a parameter `&X`. The call owns a value and lends it
/// to the function.
///
/// | type | the call owns |
/// |---|---|
/// | `&str`, `&Path` | a `String`, a `PathBuf` |
/// | `&[T]` with `T: DeserializeOwned + JsonSchema` | a `Vec<T>` |
/// | `&T` with `T: DeserializeOwned + JsonSchema`, `&Option<T>` included | a `T` |
/// | [`&State<T>`](crate::State), [`&Context`](Context), [`&CancelToken`](CancelToken) | its own |
///
/// ```
/// use toolwright::{Context, ToolRegistry, json, tool, tools};
///
/// /// Count words.
/// #[tool]
/// async fn count(text: &str, skip: &[String], cx: &Context) -> usize {
///     cx.progress(0.5, "counting");
///     text.split_whitespace().filter(|word| !skip.iter().any(|skipped| skipped == word)).count()
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = ToolRegistry::builder("words").tools(tools![count]).build()?;
/// let counted = registry.call("count", json!({"text": "an ant", "skip": ["ant"]})).await?;
/// assert_eq!(counted.to_text(), "1");
/// # Ok(())
/// # }
/// ```
///
/// `Option<&X>`, `Vec<&X>` and `&[&X]` work for the same `X`, if it is an argument. References
/// inside of any other type cannot be lent: take `HashMap<String, u8>`, not `HashMap<&str, u8>`.
/// The trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be a tool argument",
    label = "not a tool argument",
    note = "`&T` is lent where `T` is `str`, `Path`, `[T]`, `Context` or a type that implements \
            `Deserialize`, `JsonSchema` and `Send`: put `#[toolwright::data]` on your own types",
    note = "types of uuid, chrono and url need toolwright's feature of the same name",
    note = "a value that calls share is a parameter `State<Db>`, where `Db` is `Send` and `Sync`"
)]
pub trait RefParam<Kind> {
    /// What the call owns.
    #[doc(hidden)]
    type Owned: Param<Self::By> + Send + 'static;
    /// The kind of [`RefParam::Owned`].
    #[doc(hidden)]
    type By;
    /// How its schema is made.
    #[doc(hidden)]
    type Shaped: Shaped<Self::Owned, Self::By>;

    /// Borrows what the call owns.
    #[doc(hidden)]
    fn lend(owned: &Self::Owned, sealed: Sealed) -> &Self;
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
    /// Of a type that cannot be a parameter.
    #[derive(Debug)]
    pub struct Unknown;
}

impl<T: Param<K>, K> Shaped<T, K> for ByType {
    fn schema(generator: &mut SchemaGenerator) -> Value {
        T::schema(generator)
    }
}

// If a type is refused, the compiler must print the message of the trait, and not which
// implementations of serde and schemars are missing.
#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send> Param<kind::Named> for T {
    const SOURCE: Source = Source::Member;

    fn schema(generator: &mut SchemaGenerator) -> Value {
        Shape::of::<T>().subschema(generator).to_value()
    }

    fn decode(json: &mut Cursor<'_>) -> Result<Self, Error> {
        T::deserialize(json)
    }

    fn is_optional() -> bool {
        T::deserialize(Absent::VALUE).is_ok()
    }

    fn absent(_: &Input<'_>) -> Option<Self> {
        T::deserialize(Absent::VALUE).ok()
    }
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send> Param<kind::Whole> for Args<T> {
    const SOURCE: Source = Source::Whole;

    fn schema(generator: &mut SchemaGenerator) -> Value {
        Shape::of::<T>().root(generator).to_value()
    }

    fn decode(json: &mut Cursor<'_>) -> Result<Self, Error> {
        T::deserialize(json).map(Self)
    }

    fn absent(_: &Input<'_>) -> Option<Self> {
        None
    }
}

#[diagnostic::do_not_recommend]
impl RefParam<kind::Unsized> for str {
    type Owned = String;
    type By = kind::Named;
    type Shaped = ByType;

    fn lend(owned: &String, _: Sealed) -> &str {
        owned
    }
}

#[diagnostic::do_not_recommend]
impl RefParam<kind::Unsized> for Path {
    type Owned = PathBuf;
    type By = kind::Named;
    type Shaped = ByType;

    fn lend(owned: &PathBuf, _: Sealed) -> &Path {
        owned
    }
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> RefParam<kind::Unsized> for [T] {
    type Owned = Vec<T>;
    type By = kind::Named;
    type Shaped = AsList;

    fn lend(owned: &Vec<T>, _: Sealed) -> &[T] {
        owned
    }
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> RefParam<kind::Named> for T {
    type Owned = T;
    type By = kind::Named;
    type Shaped = ByType;

    fn lend(owned: &T, _: Sealed) -> &T {
        owned
    }
}

macro_rules! injected {
    ($($type:ty, $input:ident => $value:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Param<kind::Injected> for $type {
            const SOURCE: Source = Source::Call;

            #[inline]
            fn absent($input: &Input<'_>) -> Option<Self> {
                Some($value)
            }
        }

        #[diagnostic::do_not_recommend]
        impl RefParam<kind::Injected> for $type {
            type Owned = Self;
            type By = kind::Injected;
            type Shaped = ByType;

            fn lend(owned: &Self, _: Sealed) -> &Self {
                owned
            }
        }
    )*};
}

injected! {
    Context, input => input.context();
    CancelToken, input => input.context().cancel_token().clone();
}
