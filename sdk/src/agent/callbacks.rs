//! The user's hooks and permission callback. Each call is a task of its own.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use super::channel::{Channel, Work};
use super::control::ReceivedId;
use super::hook::Hooks;
use super::permission::{self, PermissionCallback, PermissionRequest};
use super::wire::RawJson;
use crate::{CancelToken, panics};

/// The callbacks of a run.
pub(crate) struct Callbacks {
    channel: Arc<Channel>,
    /// `None` once the run has ended: callbacks often hold a handle of their own run, and would so
    /// keep the run and themselves in memory.
    given: Mutex<Option<Arc<Given>>>,
}

struct Given {
    hooks: Hooks,
    can_use_tool: Option<PermissionCallback>,
}

/// The result of a callback: the text of the response object, or an error.
type Outcome = Result<RawJson, String>;

impl Callbacks {
    pub(crate) fn new(
        channel: Arc<Channel>,
        hooks: Hooks,
        can_use_tool: Option<PermissionCallback>,
    ) -> Self {
        Self { channel, given: Mutex::new(Some(Arc::new(Given { hooks, can_use_tool }))) }
    }

    /// Asks the permission callback; `request` is the text of the whole request object.
    pub(crate) fn can_use_tool(&self, id: ReceivedId, request: &str) {
        let given = self.given();
        let Some(callback) = given.and_then(|given| given.can_use_tool.clone()) else {
            return self.channel.refuse(&id, "canUseTool callback is not provided", None);
        };
        let cancel = CancelToken::default();
        match PermissionRequest::read(request, cancel.clone()) {
            Ok(request) => {
                let answer = permission::ask(callback, request);
                self.spawn(id, cancel, Box::pin(async move { Ok(answer.await) }));
            }
            Err(error) => self.channel.refuse(
                &id,
                &format!("the permission request cannot be read: {error}"),
                None,
            ),
        }
    }

    /// Calls the hook that `initialize` gave the id `callback`.
    pub(crate) fn hook(
        &self,
        id: ReceivedId,
        callback: &str,
        input: &str,
        tool_use_id: Option<String>,
    ) {
        let cancel = CancelToken::default();
        let answer = self
            .given()
            .and_then(|given| given.hooks.call(callback, input, tool_use_id, cancel.clone()));
        match answer {
            Some(answer) => self.spawn(id, cancel, answer),
            None => {
                self.channel.refuse(&id, &format!("there is no hook callback {callback}"), None);
            }
        }
    }

    /// The run has ended.
    pub(crate) fn close(&self) {
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner).take();
        panics::discard(given);
    }

    fn given(&self) -> Option<Arc<Given>> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn spawn<F>(&self, id: ReceivedId, cancel: CancelToken, callback: F)
    where
        F: Future<Output = Outcome> + Send + Unpin + 'static,
    {
        let (channel, request) = (self.channel.clone(), id.clone());
        let task = tokio::spawn(async move {
            match Caught(Some(callback)).await {
                Ok(response) => channel.answer(&request, response.get()),
                Err(error) => channel.refuse(&request, &error, None),
            }
            channel.flush();
        });
        self.channel.attach(&id, Work::Task { task, cancel });
    }
}

/// A callback's future. A panic in it is an error, and a panic when it is dropped ends here.
struct Caught<F>(Option<F>);

impl<F: Future<Output = Outcome> + Unpin> Future for Caught<F> {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let Some(callback) = &mut self.0 else { return Poll::Pending };
        let outcome = match panics::catch(|| Pin::new(callback).poll(cx)) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(outcome)) => outcome,
            Err(panic) => {
                tracing::error!(panic, "a callback panicked");
                Err("the callback failed: an internal error stopped it".into())
            }
        };
        panics::discard(self.0.take());
        Poll::Ready(outcome)
    }
}

impl<F> Drop for Caught<F> {
    fn drop(&mut self) {
        panics::discard(self.0.take());
    }
}

#[cfg(test)]
mod tests;
