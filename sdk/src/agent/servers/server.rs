//! One in-process server: a session whose client is the CLI.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio::sync::watch;

use super::questions::CAPABILITIES;
use super::route::Route;
use crate::ToolRegistry;
use crate::agent::control::ReceivedId;
use crate::agent::jobs::Jobs;
use crate::agent::run_ref::RunRef;
use crate::host::{Admission, Limits, Received, Runner, Shell, Threads};
use crate::mcp::{CallId, Host, Outbox, Session};

pub(super) struct Server {
    runner: Weak<Runner>,
    /// Until the run has ended. After that only calls that still run keep the runner.
    owned: Mutex<Option<Arc<Runner>>>,
    route: Arc<Route>,
    jobs: Arc<Jobs>,
}

/// The shell of a runner; `running` is dropped with that.
struct Wire {
    route: Arc<Route>,
    _running: Arc<watch::Sender<()>>,
}

impl Server {
    /// `running` is dropped once the server is closed and no call runs any more.
    pub(super) fn new(
        registry: &ToolRegistry,
        route: Arc<Route>,
        jobs: Arc<Jobs>,
        run: RunRef,
        running: Arc<watch::Sender<()>>,
    ) -> Self {
        let (outbox, limits) = (Outbox::labelled(), Limits::default());
        let wire = Wire { route: route.clone(), _running: running };
        let session = |link| {
            let mut session = Session::new(registry, Host::InProcess, link);
            session.assume_client(CAPABILITIES);
            session.extensions_mut().insert(run);
            session
        };
        let threads = Threads::new(limits.sync_threads);
        let runner =
            Runner::sharing(threads, Handle::current(), session, outbox, Box::new(wire), limits);
        let weak = Arc::downgrade(&runner);
        route.questions().answer_to(weak.clone());
        Self { runner: weak, owned: Mutex::new(Some(runner)), route, jobs }
    }

    pub(super) fn name(&self) -> &str {
        self.route.questions().server()
    }

    #[cfg(test)]
    pub(super) fn route(&self) -> &Route {
        &self.route
    }

    /// The CLI has switched it off: all calls stop.
    pub(super) fn switched_off(&self) {
        self.route.abandon("the server was switched off");
        self.route.flush();
    }

    /// Takes a message. All but calls are answered at once.
    pub(super) fn receive(&self, id: ReceivedId, message: &str) {
        let Some(runner) = self.runner.upgrade() else { return };
        self.route.abandon_before(message);
        self.route.begin(id);
        let received = runner.receive(message.as_bytes());
        match (received, self.route.end()) {
            (Received::Call(call), Some(id)) => {
                let number = call.id().number();
                self.route.listen(number, message);
                self.expect(number, &id, [call.id().clone()]);
                self.begin(runner, id, call);
            }
            (Received::Batch(batch), id) => {
                batch.cancelled.iter().for_each(|call| self.route.forget(call.number()));
                let Some(id) = id else { return };
                if batch.calls.is_empty() {
                    return self.route.acknowledge(&id);
                }
                let calls: Vec<_> = batch.calls.iter().map(|call| call.id().clone()).collect();
                self.expect(batch.number, &id, calls);
                for call in batch.calls {
                    self.begin(runner.clone(), id.clone(), call);
                }
            }
            (received, id) => {
                if let Received::Cancelled(call) = received {
                    self.route.forget(call.number());
                }
                // The CLI waits for an answer to notifications too.
                id.iter().for_each(|id| self.route.acknowledge(id));
            }
        }
    }

    /// The response to a call or a batch will answer the control request `id`. If that is cancelled
    /// first, these calls are.
    fn expect<I>(&self, number: u64, id: &ReceivedId, calls: I)
    where
        I: IntoIterator<Item = CallId> + Send + 'static,
    {
        let (runner, route) = (self.runner.clone(), Arc::downgrade(&self.route));
        self.route.expect(number, id.clone(), move || {
            if let (Some(route), Some(runner)) = (route.upgrade(), runner.upgrade()) {
                route.forget(number);
                for call in calls {
                    runner.cancel(&call);
                }
            }
        });
    }

    /// Begins a call that the control request `id` has brought.
    fn begin(&self, runner: Arc<Runner>, id: ReceivedId, call: Admission<'_>) {
        if let Some(mut run) = runner.begin(call) {
            let job = move |cx: &mut Context<'_>| match Pin::new(&mut run).poll(cx) {
                Poll::Ready(done) => runner.finish(done),
                Poll::Pending => runner.spawn(run),
            };
            self.jobs.add(id, Box::new(job));
        }
    }

    /// The run has ended: all calls stop, and the session is dropped.
    pub(super) fn close(&self) {
        let owned = self.owned.lock().unwrap_or_else(PoisonError::into_inner).take();
        owned.iter().for_each(|runner| runner.close());
    }
}

impl Shell for Wire {
    fn said(&self, outbox: &mut Outbox) {
        self.route.said(outbox);
    }

    fn flush(&self, _: &dyn Fn(Vec<u8>) -> Vec<u8>) {
        self.route.flush();
    }
}
