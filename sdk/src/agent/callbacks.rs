//! The user's callbacks and hooks. A call that waits for something is a task of its own.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;
use tracing::Span;

use super::channel::{Channel, Work};
use super::control::ReceivedId;
use super::dialog::{self, DialogCallback};
use super::elicitation::{self, ElicitationCallback};
use super::hook::{HookContext, Hooks};
use super::jobs::Jobs;
use super::options::AgentOptions;
use super::permission::{self, PermissionCallback};
use super::run_ref::RunRef;
use super::trace;
use super::wire::RawJson;
use crate::{CancelToken, panics, spans};

/// The callbacks of a run.
pub(crate) struct Callbacks {
    channel: Arc<Channel>,
    jobs: Arc<Jobs>,
    /// `None` once the run has ended: callbacks often hold a handle of their own run, and would so
    /// keep the run and themselves in memory.
    given: Mutex<Option<Arc<Given>>>,
}

struct Given {
    hooks: Hooks,
    can_use_tool: Option<PermissionCallback>,
    on_elicitation: Option<ElicitationCallback>,
    dialogs: Option<(Vec<String>, DialogCallback)>,
    run: RunRef,
    running: Arc<watch::Sender<()>>,
}

/// How long a callback that was cancelled may clean up.
const CLEAN_UP: Duration = Duration::from_secs(1);

/// The result of a callback: the text of the response object, or an error.
pub(crate) type Outcome = Result<RawJson, String>;

impl Callbacks {
    /// `running` is dropped once the run has ended and no callback runs any more.
    pub(crate) fn new(
        channel: Arc<Channel>,
        jobs: Arc<Jobs>,
        options: &AgentOptions,
        run: RunRef,
        running: Arc<watch::Sender<()>>,
    ) -> Self {
        let given = Given {
            hooks: options.tools.hooks.clone(),
            can_use_tool: options.tools.can_use_tool.clone(),
            on_elicitation: options.tools.on_elicitation.clone(),
            dialogs: options.tools.dialogs.clone(),
            run,
            running,
        };
        Self { channel, jobs, given: Mutex::new(Some(Arc::new(given))) }
    }

    /// Asks the permission callback; `request` is the text of the whole request object.
    pub(crate) fn can_use_tool(&self, id: ReceivedId, request: &str) {
        let Some((given, callback)) = self.find(|given| given.can_use_tool.clone()) else {
            return self.channel.refuse(&id, "canUseTool callback is not provided", None);
        };
        let cancel = CancelToken::default();
        let run = given.run.clone();
        let answer = permission::ask(callback, request.into(), cancel.clone(), run);
        let span = trace::callback("permission", request, None);
        self.begin(id, cancel, given.caught(span, Box::pin(answer)));
    }

    /// Asks the elicitation callback; `request` is the text of the whole request object.
    pub(crate) fn elicit(&self, id: ReceivedId, request: &str) {
        let Some((given, callback)) = self.find(|given| given.on_elicitation.clone()) else {
            return self.channel.answer(&id, elicitation::CANCELLED);
        };
        let cancel = CancelToken::default();
        let run = given.run.clone();
        // The CLI takes an error for `cancel`.
        let answer = elicitation::ask(callback, request.into(), None, cancel.clone(), run);
        let span = trace::callback("elicitation", request, None);
        self.begin(id, cancel, given.caught(span, Box::pin(answer)));
    }

    /// Asks the callback for dialogs, if it knows this kind; `request` is the text of the whole
    /// request object. Another client may know the kind, so no answer is given otherwise.
    pub(crate) fn dialog(&self, id: ReceivedId, kind: &str, request: &str) {
        let found = self.find(|Given { dialogs, .. }| {
            let (kinds, callback) = dialogs.as_ref()?;
            kinds.iter().any(|known| known == kind).then(|| callback.clone())
        });
        let Some((given, callback)) = found else {
            let _ = self.channel.forget(&id);
            return;
        };
        let cancel = CancelToken::default();
        let answer = dialog::ask(callback, request.into(), cancel.clone());
        let span = trace::callback("dialog", request, None);
        let answer = given.caught(span, Box::pin(answer));
        // The CLI discards an error and would wait for ever.
        let answer = async { answer.await.or_else(|_| dialog::CANCELLED.encode()) };
        self.begin(id, cancel, Box::pin(answer));
    }

    /// The answer of the elicitation callback to a question of an in-process server, whose `params`
    /// these are; `None` without a callback.
    pub(crate) fn elicited(
        &self,
        server: Arc<str>,
        params: Arc<str>,
        cancel: CancelToken,
    ) -> Option<impl Future<Output = Outcome> + Send + use<>> {
        let (given, callback) = self.find(|given| given.on_elicitation.clone())?;
        let span = trace::callback("elicitation", &params, None);
        let answer = elicitation::ask(callback, params, Some(server), cancel, given.run.clone());
        Some(given.caught(span, Box::pin(answer)))
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
        let call = tool_use_id.clone();
        let found = self.find(|given| {
            let (cancel, run) = (cancel.clone(), given.run.clone());
            let cx = HookContext { tool_use_id, cancel, run, ..HookContext::default() };
            given.hooks.call(callback, input, cx)
        });
        match found {
            Some((given, answer)) => {
                let span = trace::callback("hook", input, call.as_deref());
                self.begin(id, cancel, given.caught(span, answer));
            }
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

    /// What `of` finds among what was given, with all of that; `None` also once the run has ended.
    fn find<T>(&self, of: impl FnOnce(&Given) -> Option<T>) -> Option<(Arc<Given>, T)> {
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let found = of(&given)?;
        Some((given, found))
    }

    fn begin<F>(&self, id: ReceivedId, cancel: CancelToken, mut callback: F)
    where
        F: Future<Output = Outcome> + Send + Unpin + 'static,
    {
        self.channel.attach(&id, Work::Callback(cancel.clone()));
        let (channel, request) = (self.channel.clone(), id.clone());
        let job = move |cx: &mut Context<'_>| {
            if let Poll::Ready(outcome) = Pin::new(&mut callback).poll(cx) {
                return answer(&channel, &request, outcome);
            }
            tokio::spawn(async move {
                if let Some(outcome) = unless_cancelled(callback, &cancel).await {
                    answer(&channel, &request, outcome);
                    channel.writer.flush();
                }
            });
        };
        self.jobs.add(id, Box::new(job));
    }
}

impl Given {
    fn caught<F>(&self, span: Span, callback: F) -> Caught<F> {
        Caught { callback: Some(callback), span, _running: self.running.clone() }
    }
}

/// The outcome of a callback, or `None` if it is cancelled first. One that waits for its token may
/// clean up then, and is dropped if it takes too long; any other is dropped at once.
pub(crate) async fn unless_cancelled(
    callback: impl Future<Output = Outcome>,
    cancel: &CancelToken,
) -> Option<Outcome> {
    let mut callback = pin!(callback);
    {
        let mut cancelled = pin!(cancel.until_cancelled());
        let outcome = poll_fn(|cx| match cancelled.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(None),
            Poll::Pending => callback.as_mut().poll(cx).map(Some),
        });
        if let Some(outcome) = outcome.await {
            return Some(outcome);
        }
    }
    if cancel.is_awaited() {
        let _ = timeout(CLEAN_UP, callback).await;
    }
    None
}

fn answer(channel: &Channel, id: &ReceivedId, outcome: Outcome) {
    match outcome {
        Ok(response) => channel.answer(id, response.get()),
        Err(error) => channel.refuse(id, &error, None),
    }
}

/// A callback's future. A panic in it is an error, and a panic when it is dropped ends here.
struct Caught<F> {
    callback: Option<F>,
    span: Span,
    /// Dropped after the callback.
    _running: Arc<watch::Sender<()>>,
}

impl<F: Future<Output = Outcome> + Unpin> Future for Caught<F> {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let Self { callback, span, .. } = &mut *self;
        let Some(callback) = callback else { return Poll::Pending };
        let polled = panics::catch(|| {
            let _in = span.enter();
            let polled = Pin::new(callback).poll(cx);
            match &polled {
                Poll::Ready(Err(_)) => spans::fail(span, "callback_error"),
                Poll::Ready(Ok(response)) => trace::note_decision(span, response.get()),
                Poll::Pending => {}
            }
            polled
        });
        let outcome = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(outcome)) => outcome,
            Err(panic) => {
                spans::fail(&self.span, "panic");
                tracing::error!(panic, "a callback panicked");
                Err("the callback failed: an internal error stopped it".into())
            }
        };
        panics::discard(self.callback.take());
        Poll::Ready(outcome)
    }
}

impl<F> Drop for Caught<F> {
    fn drop(&mut self) {
        panics::discard(self.callback.take());
    }
}

#[cfg(test)]
mod tests;
