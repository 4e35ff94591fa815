//! The folders that the client works in.

use std::future::{Future, IntoFuture};
use std::pin::Pin;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::meta::write_meta;
use crate::mcp::asking::Inquiry;
use crate::mcp::context::Context;
use crate::mcp::link::AskError;
use crate::mcp::protocol::{Capability, Root};

/// A question for the folders of the client, made by [`Context::roots`]. It is sent when it is
/// awaited.
#[derive(Debug)]
#[must_use = "a question is asked when it is awaited"]
pub struct ListRoots<'a> {
    context: &'a Context,
    key: Option<String>,
    meta: Map<String, Value>,
}

impl Context {
    /// The folders that the client works in. It is asked each time. See [`Context::elicit`] for
    /// what a function that asks must observe.
    ///
    /// ```
    /// use toolwright::{AskError, Context, tool};
    ///
    /// #[tool]
    /// async fn folders(cx: &Context) -> Result<String, AskError> {
    ///     let roots = cx.roots().await?;
    ///     Ok(roots.iter().map(|root| &*root.uri).collect::<Vec<_>>().join(" "))
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let cx = Context::detached().answering(|asked| asked.roots(["file:///home/ada"]));
    /// assert_eq!(folders(&cx).await.unwrap(), "file:///home/ada");
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The client cannot be asked; see [`AskError`].
    #[inline]
    pub fn roots(&self) -> ListRoots<'_> {
        ListRoots { context: self, key: None, meta: Map::new() }
    }

    /// True if the client tells the folders that it works in.
    #[inline]
    pub fn can_roots(&self) -> bool {
        self.can_ask(Capability::Roots)
    }
}

impl<'a> ListRoots<'a> {
    /// Names the question; see [`Elicit::key`](crate::mcp::Elicit::key).
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Adds an entry to `_meta` of the question.
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }

    async fn ask(self) -> Result<Vec<Root>, AskError> {
        #[derive(Deserialize)]
        struct Roots {
            roots: Vec<Root>,
        }
        let params = |_: Option<&str>| {
            let mut out = Vec::new();
            write_meta(&mut out, &self.meta);
            String::from_utf8(out).unwrap_or_default()
        };
        let inquiry = Inquiry {
            needs: Capability::Roots,
            method: "roots/list",
            key: self.key.as_deref(),
            params: &params,
        };
        let read = |result: &str| Ok(serde_json::from_str::<Roots>(result)?.roots);
        self.context.inquire(&inquiry, &read).await
    }
}

impl<'a> IntoFuture for ListRoots<'a> {
    type Output = Result<Vec<Root>, AskError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;

    #[inline]
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.ask())
    }
}
