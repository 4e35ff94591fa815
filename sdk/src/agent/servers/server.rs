//! One in-process server: a session whose client is the CLI.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::route::Route;
use crate::ToolRegistry;
use crate::agent::channel::Channel;
use crate::agent::control::ReceivedId;
use crate::agent::jobs::Jobs;
use crate::host::{Limits, Received, Runner};
use crate::mcp::{Host, Outbox};

pub(super) struct Server {
    runner: Arc<Runner>,
    route: Arc<Route>,
    jobs: Arc<Jobs>,
}

impl Server {
    pub(super) fn new(registry: &ToolRegistry, channel: Arc<Channel>, jobs: Arc<Jobs>) -> Self {
        let route = Arc::new(Route::new(registry.name().to_owned(), channel));
        let (outbox, limits) = (Outbox::labelled(), Limits::default());
        let runner = Runner::new(registry, Host::InProcess, outbox, route.clone(), limits);
        Self { runner, route, jobs }
    }

    pub(super) fn name(&self) -> &str {
        self.route.name()
    }

    #[cfg(test)]
    pub(super) fn route(&self) -> &Route {
        &self.route
    }

    /// Takes a message. All but calls are answered at once.
    pub(super) fn receive(&self, id: ReceivedId, message: &str) {
        self.route.begin(id);
        let received = self.runner.receive(message.as_bytes());
        match (received, self.route.end()) {
            (Received::Call(call), Some(id)) => {
                let (runner, call_id) = (Arc::downgrade(&self.runner), call.id().clone());
                let route = Arc::downgrade(&self.route);
                self.route.expect(call_id.number(), id.clone(), move || {
                    if let (Some(route), Some(runner)) = (route.upgrade(), runner.upgrade()) {
                        route.forget(call_id.number());
                        runner.cancel(&call_id);
                    }
                });
                if let Some(mut run) = self.runner.begin(call) {
                    let runner = self.runner.clone();
                    let job = move |cx: &mut Context<'_>| match Pin::new(&mut run).poll(cx) {
                        Poll::Ready(done) => runner.finish(done),
                        Poll::Pending => runner.spawn(run),
                    };
                    self.jobs.add(id, Box::new(job));
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

    /// The run has ended: all calls stop, and the session is dropped.
    pub(super) fn close(&self) {
        self.runner.close();
    }
}
