//! A hook without the types of its event.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use super::context::HookContext;
use super::event::{self, HookEvent};
use super::matcher::{HookMatcher, OnFailure};
use super::output::HookOutput;
use crate::agent::callback_output::{CallbackOutput, checked};
use crate::agent::wire::RawJson;

/// The future of an output: JSON, or why there is none.
pub(super) type HookFuture = Pin<Box<dyn Future<Output = Result<RawJson, String>> + Send>>;

/// A hook's function, from JSON to JSON.
type HookCallback = Arc<dyn Fn(RawJson, HookContext) -> HookFuture + Send + Sync>;

/// A function, and when it is called.
#[derive(Clone)]
pub(crate) struct Hook {
    pub(crate) event: String,
    pub(crate) matcher: Option<String>,
    pub(crate) timeout: Option<Duration>,
    pub(super) on_failure: Option<OnFailure>,
    pub(super) callback: HookCallback,
}

impl Hook {
    /// What [`AgentOptionsBuilder::hook`](crate::agent::AgentOptionsBuilder::hook) adds.
    pub(crate) fn new<E, F, Fut>(matcher: HookMatcher<E>, callback: F) -> Self
    where
        E: HookEvent,
        F: FnOnce(E::Input, HookContext) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output: CallbackOutput<HookOutput<E>>> + Send + 'static,
    {
        let HookMatcher { event, matcher, timeout, on_failure, .. } = matcher;
        // The closure is cloned and called within the future, so that its panic is a panic of the
        // future, which the driver does not poll.
        let callback = Arc::new(callback);
        let call = move |input: RawJson, cx: HookContext| -> HookFuture {
            let callback = callback.clone();
            Box::pin(async move {
                let callback = F::clone(&callback);
                let event = cx.event.clone();
                let output = checked(callback(E::Input::from(input), cx).await)?;
                output.encode(&event).inspect_err(|why| tracing::error!("a hook failed: {why}"))
            })
        };
        Self { event, matcher, timeout, on_failure, callback: Arc::new(call) }
    }

    /// The matcher, if the CLI compares it with the name of a tool.
    pub(crate) fn tools(&self) -> Option<&str> {
        let is_of_tool = event::ALL.contains(&(&*self.event, "tool_name"));
        self.matcher.as_deref().filter(|_| is_of_tool)
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hook")
            .field("event", &self.event)
            .field("matcher", &self.matcher)
            .finish_non_exhaustive()
    }
}
