//! Tools from closures.

use std::borrow::Cow;
use std::future::Future;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::definition::Definition;
use super::schema_text::IntoSchema;
use super::{Tool, ToolReply};
use crate::mcp::args::{
    Args, BadArguments, HasPlace, Input, Parameter, Place, by_value, decode, decode_whole,
};
use crate::mcp::call::{Ended, Work};
use crate::mcp::callee::Callee;
use crate::mcp::context::Context;
use crate::mcp::output::IntoOutput;

impl Tool {
    /// A tool from a closure or a function: the fields of `A` are its arguments, and its schemas
    /// are derived and enforced as those of [`#[tool]`](macro@crate::tool).
    ///
    /// ```
    /// use std::sync::Arc;
    /// use toolwright::{Context, Tool, ToolRegistry, data, json};
    ///
    /// #[data]
    /// struct Search {
    ///     /// Part of the note.
    ///     text: String,
    ///     #[serde(default)]
    ///     limit: Option<usize>,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let notes: Arc<[String]> = ["Buy milk".into(), "Call Ann".into()].into();
    /// let search = Tool::typed("search", "Search the notes", async move |search: Search, cx| {
    ///     cx.progress(0.5, "searching");
    ///     let found = notes.iter().filter(|note| note.contains(&search.text));
    ///     found.take(search.limit.unwrap_or(10)).cloned().collect::<Vec<_>>().join("\n")
    /// });
    /// let registry = ToolRegistry::builder("notes").tool(search).build()?;
    /// let found = registry.call("search", json!({"text": "milk"})).await?;
    /// assert_eq!(found.to_text(), "Buy milk");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Each call runs a clone of the handler, and an `async move` closure then owns what the clone
    /// has captured. So capture what is cheap to clone: an [`Arc`] of what the calls share. What a
    /// call changes in its clone, the next one does not see.
    pub fn typed<A, F, Fut, O, K>(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        handler: F,
    ) -> Self
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: FnOnce(A, Context) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = O> + Send + 'static,
        O: IntoOutput<K> + 'static,
        K: 'static,
    {
        let start = move |input: &Input<'_>| -> Result<Work, BadArguments> {
            input.returns::<O, K>();
            let mut args = by_value::<Args<A>, _>().place();
            decode(input, &mut [args.slot()])?;
            Ok(work(&handler, args.take().0, input.context()))
        };
        let mut callee = Callee::new(name.into(), description.into());
        callee.parameters = Parameter::WHOLE;
        Self::derived(Definition::new(callee), Arc::new(start))
    }

    /// A tool with a schema by hand, which clients get byte for byte and which is not enforced: the
    /// handler gets the arguments decoded into `A` (a [`Value`] or a type of your own) and must
    /// itself refuse wrong ones.
    ///
    /// The schema is JSON text, a [`Value`] or a [`RawValue`].
    /// [`ToolRegistry`](crate::ToolRegistry)'s `build` and `add` report what is wrong with the name
    /// and the schema.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use toolwright::{Context, Tool, Value, json};
    ///
    /// let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    /// let count = Arc::new(AtomicU64::new(0));
    /// let shout = async move |args: Value, _: Context| {
    ///     let text = args["text"].as_str().unwrap_or_default();
    ///     format!("{} {}", count.fetch_add(1, Ordering::Relaxed), text.to_uppercase())
    /// };
    /// let shout = Tool::new("shout", "Says it loudly", schema, shout);
    /// # let _ = shout;
    /// ```
    ///
    /// Each call runs a clone of the handler, as with [`Tool::typed`].
    ///
    /// [`Value`]: serde_json::Value
    /// [`RawValue`]: serde_json::value::RawValue
    pub fn new<A, F, Fut, O, K>(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        schema: impl IntoSchema,
        handler: F,
    ) -> Self
    where
        A: DeserializeOwned + Send + 'static,
        F: FnOnce(A, Context) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = O> + Send + 'static,
        O: IntoOutput<K> + 'static,
        K: 'static,
    {
        let start = move |input: &Input<'_>| -> Result<Work, BadArguments> {
            let args = decode_whole::<A>(input)?;
            Ok(work(&handler, args, input.context()))
        };
        let callee = Callee::new(name.into(), description.into());
        Self::by_hand(callee, schema.into_schema(), Arc::new(start))
    }
}

/// A call of a clone of the handler. A host decodes while it holds the line, so the handler's code
/// before its future also runs as part of the future.
fn work<A, F, Fut, K>(handler: &F, args: A, context: Context) -> Work
where
    A: Send + 'static,
    F: FnOnce(A, Context) -> Fut + Clone + Send + 'static,
    Fut: Future<Output: IntoOutput<K> + 'static> + Send + 'static,
{
    let handler = handler.clone();
    Work(Box::pin(async move {
        let returned = handler(args, context).await;
        match returned.error_object() {
            Some(error) => Ended::refused(error.clone()),
            None => ToolReply::ended(returned.into_output()),
        }
    }))
}

#[cfg(test)]
mod tests;
