//! What the CLI asks of us: permissions, hooks, and messages to in-process servers. Each runs as a
//! task of its own and is answered by its request's id; the driver never waits for one.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use serde_json::value::RawValue;

use super::control::{Control, Request};
use super::core::{Active, Core, State, Waiter};
use super::permission::{self, PermissionRequest};
use crate::{CancelToken, panics};

/// What a callback came to: the text of the response object, or why there is none.
type Outcome = Result<Box<RawValue>, String>;

impl Core {
    /// Takes a control message.
    pub(super) fn control(&self, control: Control<'_>) {
        match control {
            Control::Request(id, request) => self.request(&id, request),
            Control::Response(id, answer) => {
                let pending = self.state().control.resolve(&id);
                match pending.map(|pending| pending.waiter) {
                    // A caller that is gone needs no answer.
                    Some(Waiter::Caller(caller)) => {
                        drop(caller.send(answer.map(Into::into).map_err(Into::into)))
                    }
                    Some(Waiter::Nobody) => {}
                    None => tracing::debug!(%id, "an answer to a request that is not open"),
                }
            }
            Control::Cancel(id) => self.cancelled(&id),
            Control::BadRequest(id, problem) => {
                let State { control, out, .. } = &mut *self.state();
                // Under the id of a request that is being answered it takes nothing from that.
                if control.open(&id) {
                    control.refuse(&id, problem, Some("invalid_request"), out);
                }
            }
            Control::Malformed => tracing::warn!("a control message without an id was dropped"),
        }
    }

    fn request(&self, id: &str, request: Request<'_>) {
        let mut state = self.state();
        if !state.control.open(id) {
            return tracing::warn!(id, "a control request came twice and is answered once");
        }
        match request {
            Request::Mcp { server, message } => {
                let call = self.mcp_message(&mut state, id, &server, message);
                drop(state);
                if let Some((server, call)) = call {
                    self.begin_call(id, server, call);
                }
            }
            Request::CanUseTool(request) => {
                let cancel = CancelToken::default();
                match (state.can_use_tool.clone(), PermissionRequest::read(request, cancel.clone()))
                {
                    (None, _) => refuse(&mut state, id, "canUseTool callback is not provided"),
                    (Some(_), Err(error)) => refuse(
                        &mut state,
                        id,
                        &format!("the permission request cannot be read: {error}"),
                    ),
                    (Some(callback), Ok(request)) => {
                        let answer = permission::ask(callback, request);
                        self.spawn(&mut state, id, cancel, async move { Ok(answer.await) });
                    }
                }
            }
            Request::Hook { callback, input, tool_use_id } => {
                let cancel = CancelToken::default();
                match state.hooks.call(
                    &callback,
                    input,
                    tool_use_id.map(Into::into),
                    cancel.clone(),
                ) {
                    Some(answer) => self.spawn(&mut state, id, cancel, answer),
                    None => {
                        refuse(&mut state, id, &format!("there is no hook callback {callback}"))
                    }
                }
            }
            Request::NotForUs => drop(state.control.forget(id)),
            Request::Unknown(subtype) if subtype == "elicitation" => {
                let State { control, out, .. } = &mut *state;
                control.answer(id, |out| out.extend_from_slice(b"{\"action\":\"decline\"}"), out);
            }
            Request::Unknown(subtype) => {
                let State { control, out, .. } = &mut *state;
                control.refuse(
                    id,
                    &format!("Unsupported control request subtype: {subtype}"),
                    Some("unsupported_request"),
                    out,
                );
            }
        }
    }

    /// The CLI no longer wants the answer to a request: what runs for it stops, and nothing is
    /// said.
    fn cancelled(&self, id: &str) {
        let mut state = self.state();
        if !state.control.forget(id) {
            return;
        }
        let active = state.active.remove(id);
        if let Some((server, call)) = active.as_ref().and_then(|active| active.call.as_ref()) {
            state.bridge.cancel(*server, call);
        }
        drop(state);
        active.into_iter().for_each(Active::stop);
    }

    /// Runs a callback of the user's; a panic in it is an answer too.
    fn spawn(
        &self,
        state: &mut State,
        id: &str,
        cancel: CancelToken,
        callback: impl Future<Output = Outcome> + Send + 'static,
    ) {
        let Some(core) = self.this() else { return };
        let request = id.to_owned();
        let task = self.runtime.spawn(async move {
            let outcome = Caught(Some(Box::pin(callback))).await;
            let mut state = core.state();
            state.active.remove(&request);
            let State { control, out, .. } = &mut *state;
            match outcome {
                Ok(response) => control.answer(
                    &request,
                    |out| out.extend_from_slice(response.get().as_bytes()),
                    out,
                ),
                Err(error) => control.refuse(&request, &error, None, out),
            }
            drop(state);
            core.to_write.notify_one();
        });
        state.active.insert(
            id.to_owned(),
            Active { task: Some(task.abort_handle()), cancel: Some(cancel), ..Active::default() },
        );
    }
}

fn refuse(state: &mut State, id: &str, error: &str) {
    let State { control, out, .. } = state;
    control.refuse(id, error, None, out);
}

/// A callback whose panic becomes an error.
struct Caught(Option<Pin<Box<dyn Future<Output = Outcome> + Send>>>);

impl Future for Caught {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let Some(callback) = &mut self.0 else { return Poll::Pending };
        let outcome = match panics::catch(|| callback.as_mut().poll(cx)) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(outcome)) => outcome,
            Err(panic) => {
                tracing::error!(panic, "a callback panicked");
                Err("the callback failed: an internal error stopped it".into())
            }
        };
        // What a callback leaves behind may panic when it is dropped, which takes nothing from its
        // answer.
        let callback = self.0.take();
        let _ = panics::catch(|| drop(callback));
        Poll::Ready(outcome)
    }
}

#[cfg(test)]
mod tests;
