//! The tool calls of a server: started outside of its lock, run as tasks or on threads, and
//! answered by the control request that brought them.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::server::Server;
use crate::CancelToken;
use crate::agent::control::ReceivedId;
use crate::mcp::{Call, CallId, Done, Kind, Started, Step};

/// A call that is not answered yet, and how to stop it.
pub(super) struct Running {
    call: CallId,
    cancel: Option<CancelToken>,
    task: Option<JoinHandle<()>>,
    timer: Option<JoinHandle<()>>,
}

impl Server {
    /// Takes a message. All but calls are answered at once.
    pub(super) fn receive(&self, id: ReceivedId, message: &str) {
        let step = self.speak(&mut self.state(), Some(&id), |session, said| {
            session.receive(message.as_bytes(), said)
        });
        match step {
            Some((Step::Call(call), _)) => return self.begin(id, call),
            Some((Step::Cancel(call), _)) => self.stop(|_, running| running.call == call),
            Some((Step::Idle, true)) | None => return,
            Some((Step::Idle, false)) => {}
        }
        // The CLI waits for an answer to notifications too.
        self.channel().answer_mcp(&id, "{\"jsonrpc\":\"2.0\",\"result\":{},\"id\":0}");
    }

    /// The CLI has cancelled a control request.
    pub(super) fn cancel(&self, id: &ReceivedId) {
        self.stop(|request, _| request == id);
    }

    fn stop(&self, is_meant: impl Fn(&ReceivedId, &Running) -> bool) {
        let stopped = {
            let state = &mut *self.state();
            let request = state.running.iter().find(|(id, running)| is_meant(id, running));
            let request = request.map(|(id, _)| id.clone());
            let stopped = request.and_then(|id| state.running.remove_entry(&id));
            if let Some((_, running)) = &stopped {
                self.speak(state, None, |session, _| session.cancel(&running.call));
            }
            stopped
        };
        if let Some((id, running)) = stopped {
            self.channel().forget(&id);
            running.stop();
        }
    }

    /// Decodes a call's arguments and runs it: a plain function on a thread, all else as a task.
    fn begin(&self, id: ReceivedId, call: Call<'_>) {
        let mut run = match call.start() {
            Started::Run(run) => run,
            Started::Done(done) => return self.finish(&id, done),
        };
        let Some(server) = self.this() else { return };
        // Before it runs, so that what ends it finds it.
        let running = Running {
            call: run.id().clone(),
            cancel: run.cancel_token().cloned(),
            task: None,
            timer: None,
        };
        self.state().running.insert(id.clone(), running);
        let timer = run.timeout().map(|limit| self.arm(id.clone(), run.id().clone(), limit));
        let request = id.clone();
        let task = match run.kind() {
            Kind::Sync => {
                let runtime = Handle::current();
                let job = Box::new(move || {
                    // It may have been cancelled while it waited for a thread.
                    if !server.state().running.contains_key(&request) {
                        return;
                    }
                    let _context = runtime.enter();
                    // A plain function has no point at which it could wait: one poll is all of it.
                    if let Poll::Ready(done) =
                        Pin::new(&mut run).poll(&mut Context::from_waker(Waker::noop()))
                    {
                        server.finish(&request, done);
                    }
                });
                self.threads().execute(job).map(|job| tokio::spawn(async move { job() }))
            }
            _ => Some(tokio::spawn(async move {
                let done = run.await;
                server.finish(&request, done);
            })),
        };
        match self.state().running.get_mut(&id) {
            Some(running) => (running.task, running.timer) = (task, timer),
            // It is done already.
            None => timer.iter().for_each(JoinHandle::abort),
        }
    }

    fn finish(&self, id: &ReceivedId, done: Done) {
        let running = {
            let state = &mut *self.state();
            self.speak(state, Some(id), |session, said| session.finish(done, said));
            state.running.remove(id)
        };
        // One that was cancelled has no answer.
        self.channel().forget(id);
        self.channel().flush();
        running.and_then(|running| running.timer).iter().for_each(JoinHandle::abort);
    }

    fn arm(&self, id: ReceivedId, call: CallId, limit: Duration) -> JoinHandle<()> {
        let server = self.this();
        tokio::spawn(async move {
            tokio::time::sleep(limit).await;
            let Some(server) = server else { return };
            let running = {
                let state = &mut *server.state();
                server.speak(state, Some(&id), |session, said| session.time_out(&call, said));
                state.running.remove(&id)
            };
            server.channel().flush();
            if let Some(mut running) = running {
                // The timer is the task that is running this.
                running.timer = None;
                running.stop();
            }
        })
    }
}

impl Running {
    pub(super) fn stop(self) {
        self.task.iter().chain(&self.timer).for_each(JoinHandle::abort);
        self.cancel.iter().for_each(CancelToken::cancel);
    }
}
