//! Converts what a function returns to the result that the model reads.

mod number;

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Display};

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::{DeserializeOwned, Error as _};
use serde_json::{Map, Value};

use number::number;

use super::protocol::{Audio, Content, EmbeddedResource, ErrorObject, Image, ResourceLink};
use super::schema;
use super::words::join;
use crate::scan::on_one_line;

/// The result of a tool: content for the model, structured content for programs, or an error that
/// the model can correct.
///
/// ```
/// use toolwright::{Image, ToolResult, tool};
///
/// #[tool]
/// async fn chart(title: &str) -> ToolResult {
///     match title {
///         "" => ToolResult::error("A chart needs a title."),
///         _ => ToolResult::text(title).with(Image::png(b"...")),
///     }
/// }
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolResult {
    /// The content blocks, in order.
    pub content: Vec<Content>,
    /// True if the tool failed; the content then describes the error.
    pub is_error: bool,
    /// `_meta` of the result.
    pub meta: Option<Box<Map<String, Value>>>,
    /// Compact JSON text on one line.
    structured: Option<Box<str>>,
    cause: Cause,
}

/// What has made an error result. Layers get such results, and the span of the call says why.
#[derive(Debug, Clone, Default)]
pub(crate) enum Cause {
    #[default]
    Tool,
    BadArguments,
    Panic,
    /// The call is answered by this error, with the text of the result as its message.
    Protocol(Box<ErrorObject>),
}

/// A structured result: `T` as JSON, with an output schema in the tool's list entry. Clients that
/// read only text get a copy as text. A `T` that is no object is `{"result": …}` for clients of
/// revisions before 2026-07-28, which have objects only, and so it is in the schema for them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Json<T>(pub T);

/// What a tool may return.
///
/// | type | what the model reads |
/// |---|---|
/// | `()` | nothing |
/// | `bool`, `char`, integers, floats | the value as text |
/// | `String`, `&str`, `Box<str>`, `Cow<str>` | the text |
/// | [`Json<T>`](Json), `T: Serialize + JsonSchema` | structured content, and a copy as text |
/// | `(C, Json<T>)`, where `C` is not [`Json`] | structured content, and `C` in place of the copy |
/// | [`Image`], [`Audio`], [`ResourceLink`], [`EmbeddedResource`] | this content block |
/// | [`Content`], `Vec<Content>` | these content blocks |
/// | [`ToolResult`] | exactly this result |
/// | `Option<T>` of these | `T`, or nothing |
/// | `Result<T, E>` of these, `E: Display` | `T`, or an error result with `E` and its causes |
/// | `Result<T, ErrorObject>` of these | `T`; the client gets the [`ErrorObject`] |
///
/// A tool has an output schema if it returns `Json<T>`, `(C, Json<T>)` or a `Result` of them, and
/// the schema of `T` says anything, which that of `Value` does not.
///
/// ```
/// use toolwright::{Json, ToolRegistry, data, json, tool, tools};
///
/// #[data]
/// #[derive(Debug, PartialEq)]
/// struct Point {
///     x: f64,
/// }
///
/// #[tool]
/// async fn point(x: f64) -> Json<Point> {
///     Json(Point { x })
/// }
///
/// /// The text is for clients that show no structured content.
/// #[tool]
/// async fn mirror(x: f64) -> (String, Json<Point>) {
///     (format!("It is at {}.", -x), Json(Point { x: -x }))
/// }
///
/// #[tool]
/// fn read(path: &str) -> std::io::Result<String> {
///     std::fs::read_to_string(path)
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = ToolRegistry::builder("all").tools(tools![point, mirror, read]).build()?;
/// let point = registry.call("point", json!({"x": 2.5})).await?;
/// assert_eq!(point.structured_content(), Some(r#"{"x":2.5}"#));
/// assert_eq!(point.decode::<Point>()?, Point { x: 2.5 });
/// assert!(registry.call("read", json!({"path": "/no/such/file"})).await?.is_error);
/// # Ok(())
/// # }
/// ```
///
/// The trait is sealed. For your own types return [`Json`], or make a [`ToolResult`]. `Kind`
/// distinguishes the implementations and is always inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "not a tool result",
    note = "return a list or a type of your own as `Json<T>`, and put `#[toolwright::data]` on the \
            type",
    note = "a tool also returns (), a string, a number, a bool, `Image`, `Audio`, `ResourceLink`, \
            `Content`, `Vec<Content>`, `ToolResult`, or an `Option` or `Result` of these"
)]
pub trait IntoOutput<Kind> {
    #[doc(hidden)]
    const SEALED: Sealed;

    /// The result that the model reads.
    fn into_output(self) -> ToolResult;

    /// The error that it has for the client itself.
    #[doc(hidden)]
    fn error_object(&self) -> Option<&ErrorObject>
    where
        Self: 'static,
    {
        None
    }

    /// The JSON Schema of the structured content, if every success has such content.
    fn output_schema() -> Option<Value> {
        None
    }
}

impl ToolResult {
    /// A success with one text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::from(Content::text(text))
    }

    /// An error result with one text block, which the model reads.
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }

    /// An error result that the tool has not made.
    pub(crate) fn caused(cause: Cause, text: String) -> Self {
        Self { cause, ..Self::error(text) }
    }

    /// `error.type` of an error result.
    pub(crate) fn error_type(&self) -> Option<&'static str> {
        self.is_error.then_some(match &self.cause {
            Cause::Tool => "tool_error",
            Cause::BadArguments => "invalid_arguments",
            Cause::Panic => "panic",
            Cause::Protocol(_) => "protocol_error",
        })
    }

    /// The error of the protocol that answers the call, if the tool has made one. A layer that
    /// changes the text of the result changes its message.
    pub fn error_object(&self) -> Option<&ErrorObject> {
        match &self.cause {
            Cause::Protocol(error) if self.is_error => Some(error),
            _ => None,
        }
    }

    /// Structured content, and a copy of it as text.
    ///
    /// # Errors
    ///
    /// If `value` cannot be serialised.
    pub fn structured<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<Self> {
        // JSON that is passed on unchanged may have line ends.
        let json = on_one_line(serde_json::to_string(value)?);
        Ok(Self { structured: Some(json.clone().into()), ..Self::text(json) })
    }

    /// Sets the structured content, which is compact JSON text.
    #[cfg(feature = "testing")]
    pub(crate) fn with_structured(self, structured: Option<String>) -> Self {
        Self { structured: structured.map(Into::into), ..self }
    }

    /// Adds a content block.
    pub fn with(mut self, content: impl Into<Content>) -> Self {
        self.content.push(content.into());
        self
    }

    /// Adds an entry of `_meta`.
    pub fn with_meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.get_or_insert_default().insert(key.into(), value.into());
        self
    }

    /// The text blocks, joined by line feeds.
    pub fn to_text(&self) -> String {
        let mut texts = Vec::new();
        for content in &self.content {
            if let Content::Text(text) = content {
                texts.push(text.text.as_str());
            }
        }
        join(&texts, "\n")
    }

    /// The structured content as JSON text, if there is any.
    pub fn structured_content(&self) -> Option<&str> {
        self.structured.as_deref()
    }

    /// The value that the tool has returned: the structured content, else the text, as a string or
    /// as JSON, else null.
    ///
    /// # Errors
    ///
    /// The tool has failed, or what it has returned is no `T`.
    pub fn decode<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        if self.is_error {
            let text = self.to_text();
            return Err(serde_json::Error::custom(format_args!("the tool has failed: {text}")));
        }
        if let Some(structured) = &self.structured {
            return serde_json::from_str(structured);
        }
        if self.content.is_empty() {
            return T::deserialize(Value::Null);
        }
        let text = self.to_text();
        T::deserialize(Value::String(text.clone())).or_else(|_| serde_json::from_str(&text))
    }
}

/// Two results are equal if they say the same.
impl PartialEq for Cause {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl From<Content> for ToolResult {
    fn from(content: Content) -> Self {
        Self { content: vec![content], ..Self::default() }
    }
}

/// The call is answered by this error of the protocol, which the client program gets. Whether the
/// model reads it is up to the client.
impl From<ErrorObject> for ToolResult {
    #[inline]
    fn from(error: ErrorObject) -> Self {
        let text = error.message.clone().into_owned();
        Self::caused(Cause::Protocol(error.into()), text)
    }
}

impl From<Vec<Content>> for ToolResult {
    #[inline]
    fn from(content: Vec<Content>) -> Self {
        Self { content, ..Self::default() }
    }
}

/// Kinds of [`IntoOutput`].
#[doc(hidden)]
#[allow(missing_docs, reason = "names that only type inference sees")]
pub mod kind {
    #[derive(Debug)]
    pub struct Plain;
    #[derive(Debug)]
    pub struct Structured;
    #[derive(Debug)]
    pub struct Optional<K>(K);
    #[derive(Debug)]
    pub struct Fallible<K>(K);
}

/// Seals traits: other crates cannot name it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Sealed;

macro_rules! plain_output {
    ($value:pat => $result:expr; $($type:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl IntoOutput<kind::Plain> for $type {
            const SEALED: Sealed = Sealed;

            #[inline]
            fn into_output(self) -> ToolResult {
                let $value = self;
                $result
            }
        }
    )*};
}

plain_output!(() => ToolResult::default(); ());
plain_output!(result => result; ToolResult);
plain_output!(content => content.into(); Content, Vec<Content>);
plain_output!(content => Content::from(content).into();
    Image, Audio, ResourceLink, EmbeddedResource, String, &str);
plain_output!(value => ToolResult::text(value.to_string());
    bool, char, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, Box<str>,
    Cow<'_, str>);
plain_output!(value => ToolResult::text(number(value)); f64);

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> IntoOutput<kind::Structured> for Json<T> {
    const SEALED: Sealed = Sealed;

    fn into_output(self) -> ToolResult {
        ToolResult::structured(&self.0).unwrap_or_else(|error| {
            ToolResult::error(format!("the result cannot be written as JSON: {error}"))
        })
    }

    fn output_schema() -> Option<Value> {
        // The schema of a `Value` says nothing: it promises nothing, and whether a result is an
        // object is seen by the result.
        Some(schema::output::<T>()).filter(|schema| schema != &Value::Object(Map::new()))
    }
}

#[diagnostic::do_not_recommend]
impl<C, T> IntoOutput<kind::Structured> for (C, Json<T>)
where
    C: IntoOutput<kind::Plain>,
    T: Serialize + JsonSchema,
{
    const SEALED: Sealed = Sealed;

    fn into_output(self) -> ToolResult {
        let (own, of_json) = (self.0.into_output(), self.1.into_output());
        match (own.is_error, of_json.is_error) {
            (false, false) => ToolResult { structured: of_json.structured, ..own },
            (true, _) => own,
            (false, true) => of_json,
        }
    }

    fn output_schema() -> Option<Value> {
        <Json<T> as IntoOutput<_>>::output_schema()
    }
}

impl<T: IntoOutput<K>, K> IntoOutput<kind::Optional<K>> for Option<T> {
    const SEALED: Sealed = Sealed;

    fn into_output(self) -> ToolResult {
        self.map(T::into_output).unwrap_or_default()
    }
}

impl<T: IntoOutput<K>, E: Display, K> IntoOutput<kind::Fallible<K>> for Result<T, E> {
    const SEALED: Sealed = Sealed;

    fn into_output(self) -> ToolResult {
        match self {
            Ok(value) => value.into_output(),
            // With alternate formatting anyhow and similar crates print their chain of causes.
            Err(error) => ToolResult::error(format!("{error:#}")),
        }
    }

    fn error_object(&self) -> Option<&ErrorObject>
    where
        Self: 'static,
    {
        self.as_ref().err().and_then(|error| ErrorObject::found_in(error))
    }

    fn output_schema() -> Option<Value> {
        T::output_schema()
    }
}

/// An error and the errors that caused it, on one line.
#[doc(hidden)]
#[derive(Debug)]
pub struct WithCauses<E>(pub E);

impl<E: Error> Display for WithCauses<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut said = self.0.to_string();
        f.write_str(&said)?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            let text = error.to_string();
            // Many error types already display their source.
            if !said.ends_with(&text) {
                write!(f, ": {text}")?;
            }
            said = text;
            cause = error.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
