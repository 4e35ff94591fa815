//! Questions that a user answers with yes or no.

use std::future::{Future, IntoFuture};
use std::pin::Pin;

use serde_json::{Map, Value};

use super::elicit::params;
use super::elicited::Elicited;
use crate::mcp::asking::Inquiry;
use crate::mcp::context::Context;
use crate::mcp::link::AskError;
use crate::mcp::protocol::Capability;

/// A question for the user, made by [`Context::confirm`]. It is sent when it is awaited.
#[derive(Debug)]
#[must_use = "a question is asked when it is awaited"]
pub struct Confirm<'a> {
    context: &'a Context,
    message: String,
    key: Option<String>,
    meta: Map<String, Value>,
}

impl Context {
    /// Asks the user to agree: true if the user accepts, false if the user declines or closes the
    /// question. See [`Asked`](crate::mcp::Asked) for an example, and [`Context::elicit`] for what
    /// a function that asks must observe.
    ///
    /// # Errors
    ///
    /// The client cannot be asked; see [`AskError`].
    pub fn confirm(&self, message: impl Into<String>) -> Confirm<'_> {
        Confirm { context: self, message: message.into(), key: None, meta: Map::new() }
    }
}

impl<'a> Confirm<'a> {
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

    async fn ask(self) -> Result<bool, AskError> {
        const NO_FIELDS: &str = r#"{"type":"object","properties":{}}"#;
        let profile = self.context.profile();
        let params =
            |problem: Option<&str>| params(profile, &self.message, problem, NO_FIELDS, &self.meta);
        let inquiry = Inquiry {
            needs: Capability::Elicitation,
            method: "elicitation/create",
            key: self.key.as_deref(),
            params: &params,
        };
        // What a client sends along with a yes is none of our business.
        let read = |result: &str| Elicited::read(result, |_| Ok(()));
        Ok(self.context.inquire(&inquiry, &read).await? == Elicited::Accepted(()))
    }
}

impl<'a> IntoFuture for Confirm<'a> {
    type Output = Result<bool, AskError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;

    #[inline]
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.ask())
    }
}
