//! Forms that a user fills in.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;

use serde::Serialize;
use serde_json::{Map, Value};

use super::elicited::Elicited;
use super::meta::write_meta;
use crate::mcp::asking::{Inquiry, Misread};
use crate::mcp::context::Context;
use crate::mcp::form::{self, Form};
use crate::mcp::link::AskError;
use crate::mcp::protocol::{Capability, Profile, shown, write_json};

/// A form for the user, made by [`Context::elicit`]. It is sent when it is awaited.
#[must_use = "a question is asked when it is awaited"]
pub struct Elicit<'a, T> {
    context: &'a Context,
    message: String,
    key: Option<String>,
    meta: Map<String, Value>,
    default: Option<Value>,
    fields: Box<dyn Fields<T> + 'a>,
}

/// The fields of a form, and how its answer is read.
trait Fields<T>: Send + Sync {
    /// The JSON text of the schema.
    fn schema(&self, profile: &Profile, default: Option<&Value>) -> Box<str>;

    /// The answer from the JSON text of `content`, or its problems.
    fn read(&self, content: Option<&str>) -> Result<T, String>;
}

/// Those of a type.
struct Typed;

/// Those of a schema.
struct ByHand(Value);

impl Context {
    /// Asks the user for the fields of `T`.
    ///
    /// ```
    /// use toolwright::{AskError, Context, data, json, tool};
    ///
    /// #[data]
    /// struct Address {
    ///     /// Where the parcel goes.
    ///     city: String,
    ///     express: Option<bool>,
    /// }
    ///
    /// #[tool]
    /// async fn ship(order: u32, cx: &Context) -> Result<String, AskError> {
    ///     let to = cx.elicit::<Address>("Where to?").await?.accepted()?;
    ///     Ok(format!("{order} goes to {}", to.city))
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let cx = Context::detached().answering(|asked| asked.accept(json!({"city": "Bonn"})));
    /// assert_eq!(ship(7, &cx).await.unwrap(), "7 goes to Bonn");
    /// # }
    /// ```
    ///
    /// An answer that does not fit `T` is asked for once more, with the problem in the message.
    ///
    /// Clients of 2026-07-28 answer with the same request once more, which **runs the function
    /// again from its beginning**; a question that was answered returns the answer at once. So what
    /// stands before a question may run more than once: [`Context::once`] is for what must not.
    /// So may what stands behind the last one, if the client repeats its last request, as after a
    /// lost response: an effect that must happen once for each consent belongs in `once`, too.
    /// What is awaited beside a question, as in `join!`, is dropped at the end of the round.
    /// Questions that are awaited together, as with `try_join!`, go out together. A question must
    /// depend on the arguments and on earlier answers only: one that has changed since it was
    /// answered is asked again.
    ///
    /// Over HTTP clients of older revisions can be asked in sessions only
    /// (`http::Options::sessions`).
    ///
    /// # Errors
    ///
    /// The client cannot be asked, see [`AskError`], or the second answer did not fit either.
    /// Whether the user declines is no error, see [`Elicited`].
    ///
    /// [`AskError`]: crate::AskError
    pub fn elicit<T: Form>(&self, message: impl Into<String>) -> Elicit<'_, T> {
        Elicit::new(self, message.into(), Box::new(Typed))
    }

    /// Asks the user for the fields of a schema that is given by hand. It is sent as it is, and the
    /// answer, an object, is checked by it. A `default` in a property fills it in.
    ///
    /// # Errors
    ///
    /// Those of [`Context::elicit`].
    pub fn elicit_schema(&self, message: impl Into<String>, schema: Value) -> Elicit<'_, Value> {
        Elicit::new(self, message.into(), Box::new(ByHand(schema)))
    }

    /// True if the client shows forms to its user.
    #[inline]
    pub fn can_elicit(&self) -> bool {
        self.can_ask(Capability::Elicitation)
    }
}

impl<T: Form> Elicit<'_, T> {
    /// Fills in the form: the fields of this value, a `T` or a part of it.
    pub fn default(mut self, value: &(impl Serialize + ?Sized)) -> Self {
        self.default = shown(value);
        self
    }
}

impl<'a, T> Elicit<'a, T> {
    fn new(context: &'a Context, message: String, fields: Box<dyn Fields<T> + 'a>) -> Self {
        Self { context, message, key: None, meta: Map::new(), default: None, fields }
    }

    /// Names the question, as clients of 2026-07-28 see it; distinct from the call's other
    /// questions. Without it the name is the kind of the question and a number, in the order in
    /// which questions are first asked. Equal questions need names, unless they are asked in the
    /// same order in each round.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Adds an entry to `_meta` of the question.
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }

    async fn ask(self) -> Result<Elicited<T>, AskError> {
        let Self { context, message, key, meta, default, fields } = self;
        let profile = context.profile();
        let schema = fields.schema(profile, default.as_ref());
        let params = |problem: Option<&str>| params(profile, &message, problem, &schema, &meta);
        let inquiry = Inquiry {
            needs: Capability::Elicitation,
            method: "elicitation/create",
            key: key.as_deref(),
            params: &params,
        };
        let read_content = |content: Option<&str>| match content {
            Some(text) if !text.starts_with('{') => {
                Err(Misread::IllTyped("`content` must be an object".to_owned()))
            }
            _ => fields.read(content).map_err(Misread::Misfit),
        };
        let read = |result: &str| Elicited::read(result, read_content);
        context.inquire(&inquiry, &read).await
    }
}

impl<T: Form> Fields<T> for Typed {
    fn schema(&self, profile: &Profile, default: Option<&Value>) -> Box<str> {
        form::requested::<T>(profile, default)
    }

    fn read(&self, content: Option<&str>) -> Result<T, String> {
        form::accepted::<T>(content)
    }
}

impl Fields<Value> for ByHand {
    fn schema(&self, _: &Profile, _: Option<&Value>) -> Box<str> {
        self.0.to_string().into()
    }

    #[inline]
    fn read(&self, content: Option<&str>) -> Result<Value, String> {
        form::accepted_by(&self.0, content).map(Value::Object)
    }
}

impl<'a, T: Send + 'a> IntoFuture for Elicit<'a, T> {
    type Output = Result<Elicited<T>, AskError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.ask())
    }
}

/// The members of the parameters of a form.
#[inline]
pub(super) fn params(
    profile: &Profile,
    message: &str,
    problem: Option<&str>,
    schema: &str,
    meta: &Map<String, Value>,
) -> String {
    let message = match problem {
        None => message.to_owned(),
        Some(problem) => format!("{message}\n\nThe last answer did not fit. {problem}"),
    };
    let mut out = Vec::new();
    if profile.has_url_elicitation {
        out.extend_from_slice(b"\"mode\":\"form\",");
    }
    out.extend_from_slice(b"\"message\":");
    write_json(&mut out, &message);
    out.extend_from_slice(b",\"requestedSchema\":");
    out.extend_from_slice(schema.as_bytes());
    write_meta(&mut out, meta);
    String::from_utf8(out).unwrap_or_default()
}

impl<T> fmt::Debug for Elicit<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elicit").field("message", &self.message).finish_non_exhaustive()
    }
}
