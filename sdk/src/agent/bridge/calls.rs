//! Messages to in-process servers, and the tool calls that come of them: started without the run's
//! lock, run as tasks or on threads, answered by the id of the control request that brought them.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::task::AbortHandle;

use crate::agent::core::{Active, Core, State};
use crate::mcp::{Call, Done, Kind, Run, Started, Step};

impl Core {
    /// Gives a message to its server. A tool call comes back, to be started without the lock; all
    /// else is answered here.
    pub(in crate::agent) fn mcp_message<'a>(
        &self,
        state: &mut State,
        id: &str,
        server: &str,
        message: &'a str,
    ) -> Option<(usize, Call<'a>)> {
        let Some(number) = state.bridge.find(server) else {
            let State { control, out, .. } = state;
            control.refuse(id, &format!("SDK MCP server not found: {server}"), None, out);
            return None;
        };
        let mut step = Step::Idle;
        let is_answered = state
            .speak(number, Some(id), |bridge, said| step = bridge.receive(number, message, said));
        match step {
            Step::Call(call) => {
                state.active.entry(id.to_owned()).or_default().call =
                    Some((number, call.id().clone()));
                return Some((number, call));
            }
            Step::Cancel(call) => {
                let request = state.active.iter().find(|(_, active)| {
                    active.call.as_ref().is_some_and(|(at, other)| *at == number && *other == call)
                });
                if let Some(request) = request.map(|(request, _)| request.clone()) {
                    state.control.forget(&request);
                    state.active.remove(&request).into_iter().for_each(Active::stop);
                }
            }
            Step::Idle => {}
        }
        if !is_answered {
            let State { control, out, .. } = state;
            control.answer(
                id,
                |out| {
                    out.extend_from_slice(
                        b"{\"mcp_response\":{\"jsonrpc\":\"2.0\",\"result\":{},\"id\":0}}",
                    )
                },
                out,
            );
        }
        None
    }

    /// Decodes a call's arguments and runs it: plain functions on a thread, all else as a task.
    pub(in crate::agent) fn begin_call(&self, id: &str, server: usize, call: Call<'_>) {
        let mut run = match call.start() {
            Started::Run(run) => run,
            Started::Done(done) => return self.finish_call(id, server, done),
        };
        let Some(core) = self.this() else { return };
        let mut state = self.state();
        // It may have been cancelled while its arguments were decoded.
        let Some(active) = state.active.get_mut(id) else { return };
        active.cancel = run.cancel_token().cloned();
        active.timer = run.timeout().map(|limit| self.arm(id.to_owned(), server, &run, limit));
        let id = id.to_owned();
        match run.kind() {
            Kind::Sync => {
                drop(state);
                let job = Box::new(move || {
                    // It may have been cancelled while it waited for a thread.
                    if !core.state().active.contains_key(&id) {
                        return;
                    }
                    let _context = core.runtime.enter();
                    // A plain function has no point at which it could wait: one poll is all of it.
                    if let Poll::Ready(done) =
                        Pin::new(&mut run).poll(&mut Context::from_waker(Waker::noop()))
                    {
                        core.finish_call(&id, server, done);
                    }
                });
                if let Some(job) = self.threads.execute(job) {
                    self.runtime.spawn(async move { job() });
                }
            }
            _ => {
                let task = self.runtime.spawn(async move {
                    let done = run.await;
                    core.finish_call(&id, server, done);
                });
                active.task = Some(task.abort_handle());
            }
        }
    }

    fn finish_call(&self, id: &str, server: usize, done: Done) {
        let mut state = self.state();
        let active = state.active.remove(id);
        if !state.speak(server, Some(id), |bridge, said| bridge.finish(server, done, said)) {
            state.control.forget(id);
        }
        drop(state);
        active.and_then(|active| active.timer).iter().for_each(AbortHandle::abort);
        self.to_write.notify_one();
    }

    fn arm(&self, id: String, server: usize, run: &Run, limit: Duration) -> AbortHandle {
        let (core, call) = (self.this(), run.id().clone());
        let timer = self.runtime.spawn(async move {
            tokio::time::sleep(limit).await;
            let Some(core) = core else { return };
            let mut state = core.state();
            let active = state.active.remove(&id);
            state.speak(server, Some(&id), |bridge, said| bridge.time_out(server, &call, said));
            drop(state);
            if let Some(mut active) = active {
                // The timer is the task that is running this.
                active.timer = None;
                active.stop();
            }
            core.to_write.notify_one();
        });
        timer.abort_handle()
    }
}
