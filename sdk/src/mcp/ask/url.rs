//! Pages that a user opens.

use std::future::{Future, IntoFuture};
use std::hash::{BuildHasher, RandomState};
use std::pin::Pin;

use serde_json::{Map, Value};

use super::elicited::Elicited;
use super::meta::write_meta;
use crate::mcp::asking::Inquiry;
use crate::mcp::context::Context;
use crate::mcp::link::AskError;
use crate::mcp::protocol::{Capability, write_json};

/// A page for the user, made by [`Context::elicit_url`]. The user is asked when it is awaited.
#[derive(Debug)]
#[must_use = "a question is asked when it is awaited"]
pub struct ElicitUrl<'a> {
    context: &'a Context,
    message: String,
    url: String,
    key: Option<String>,
    meta: Map<String, Value>,
}

impl Context {
    /// Asks the user to open a URL, for what must not go through the client, such as passwords and
    /// payments. That the user accepts means only that the page was opened: the tool learns what
    /// happened there from the page's server. MCP demands HTTPS,
    /// and a URL without credentials.
    ///
    /// ```
    /// use toolwright::{AskError, Context, tool};
    ///
    /// #[tool]
    /// async fn connect(cx: &Context) -> Result<&'static str, AskError> {
    ///     if !cx.can_elicit_url() {
    ///         return Ok("open https://example.com/login and try again");
    ///     }
    ///     cx.elicit_url("Log in", "https://example.com/login").await?.accepted()?;
    ///     Ok("the page is open")
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let cx = Context::detached().answering(|asked| asked.agree());
    /// assert_eq!(connect(&cx).await.unwrap(), "the page is open");
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The client cannot be asked; see [`AskError`].
    pub fn elicit_url(&self, message: impl Into<String>, url: impl Into<String>) -> ElicitUrl<'_> {
        let (message, url) = (message.into(), url.into());
        ElicitUrl { context: self, message, url, key: None, meta: Map::new() }
    }

    /// True if the client opens URLs for its user.
    #[inline]
    pub fn can_elicit_url(&self) -> bool {
        self.can_ask(Capability::ElicitationUrl)
    }
}

impl<'a> ElicitUrl<'a> {
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

    async fn ask(self) -> Result<Elicited<()>, AskError> {
        let has_id = !self.context.profile().has_rounds;
        let params = |_: Option<&str>| {
            let mut out = b"\"mode\":\"url\",\"message\":".to_vec();
            write_json(&mut out, &self.message);
            out.extend_from_slice(b",\"url\":");
            write_json(&mut out, &self.url);
            if has_id {
                // Nothing refers to it, as the tool sends no notification of completion.
                let id = RandomState::new().hash_one(&self.url);
                out.extend_from_slice(format!(",\"elicitationId\":\"{id:016x}\"").as_bytes());
            }
            write_meta(&mut out, &self.meta);
            String::from_utf8(out).unwrap_or_default()
        };
        let inquiry = Inquiry {
            needs: Capability::ElicitationUrl,
            method: "elicitation/create",
            key: self.key.as_deref(),
            params: &params,
        };
        let read = |result: &str| Elicited::read(result, |_| Ok(()));
        self.context.inquire(&inquiry, &read).await
    }
}

impl<'a> IntoFuture for ElicitUrl<'a> {
    type Output = Result<Elicited<()>, AskError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;

    #[inline]
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.ask())
    }
}
