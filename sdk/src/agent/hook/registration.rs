//! A hook without the types of its event.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use super::context::HookContext;
use super::event::HookEvent;
use super::matcher::{HookMatcher, OnFailure};
use super::output::HookOutput;
use crate::agent::callback_output::{CallbackOutput, checked};
use crate::agent::wire::RawJson;

/// The future of an output: JSON, or why there is none.
pub type HookFuture = Pin<Box<dyn Future<Output = Result<RawJson, String>> + Send>>;

/// A hook's function, from JSON to JSON.
pub type HookCallback = Arc<dyn Fn(RawJson, HookContext) -> HookFuture + Send + Sync>;

/// A function, and when it is called.
#[derive(Clone)]
pub struct Hook {
    pub(super) event: String,
    pub(crate) matcher: Option<String>,
    pub(crate) timeout: Option<Duration>,
    pub(super) on_failure: Option<OnFailure>,
    pub(super) callback: HookCallback,
}

impl Hook {
    /// Calls a clone of `callback` at each event that `matcher` names. Hooks of one event run at
    /// the same time. It returns a [`HookOutput`], or a `Result` of one; an error is as
    /// [`HookOutput::failed`].
    ///
    /// When the CLI no longer waits for the hook, its future is dropped, unless it waits for
    /// [`HookContext::cancel`].
    pub fn new<E, F, Fut>(matcher: HookMatcher<E>, callback: F) -> Self
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
                let output = callback(E::Input::from(input), cx);
                checked(output.await)?.encode(&event)
            })
        };
        Self { event, matcher, timeout, on_failure, callback: Arc::new(call) }
    }

    /// The event's name.
    pub fn event(&self) -> &str {
        &self.event
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
