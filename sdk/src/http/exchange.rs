//! One request and its response, with a session of their own.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};

use http::StatusCode;
use tokio::runtime::Handle;

use super::accept::Accepts;
use super::body::Body;
use super::gate::Era;
use super::open::{Admitted, Open, Place};
use super::options::Options;
use super::outlet::{self, Outlet, Part, Source};
use super::refusal::Refusal;
use super::respond::{Reply, respond};
use crate::ToolRegistry;
use crate::host::{Admission, Received, Runner, Shell, Threads};
use crate::mcp::protocol::{ErrorObject, Message};
use crate::mcp::rounds::Keeper;
use crate::mcp::{About, Extensions, Host, Label, Link, Outbox, Session};

/// What a service has for all its exchanges.
pub(super) struct Shared {
    pub(super) registry: ToolRegistry,
    pub(super) options: Options,
    pub(super) threads: Threads,
    pub(super) open: Arc<Open>,
    /// Keeps what calls have asked, in place of the registry.
    pub(super) keeper: Option<Arc<dyn Keeper>>,
}

/// A message that has passed the checks.
pub(super) struct Posted<'a, E> {
    pub(super) message: Message<'a>,
    /// The whole body.
    pub(super) text: &'a str,
    pub(super) accepts: Accepts,
    pub(super) extensions: E,
    pub(super) admitted: Admitted,
}

/// What an exchange takes up until its session ends: in the legacy era calls run on without a
/// client.
struct Output {
    outlet: Outlet,
    place: Place,
}

/// Sends the messages of a session that has one exchange.
struct Wire {
    output: Arc<Output>,
    is_listener: bool,
}

/// Reads what the session has sent, until the response ends.
struct Reading {
    runner: Arc<Runner>,
    output: Arc<Output>,
    /// A session that listens notes changes while its client does not read.
    is_listener: bool,
    /// In the modern era a client cancels its request by closing the response.
    cancels: bool,
}

impl Shared {
    /// A runner for a session of the service, on the current runtime.
    pub(super) fn runner(
        &self,
        session: impl FnOnce(Weak<dyn Link>) -> Session,
        shell: impl Shell,
    ) -> Arc<Runner> {
        let (threads, limits) = (self.threads.clone(), self.options.limits.clone());
        let (runtime, outbox) = (Handle::current(), Outbox::of_exchanges());
        Runner::sharing(threads, runtime, session, outbox, Box::new(shell), limits)
    }
}

/// Answers a request: a call is polled once, as most are done then.
pub(super) fn answer(
    shared: &Shared,
    era: Era,
    posted: Posted<'_, impl FnOnce(&mut Extensions)>,
) -> Result<Reply, Refusal> {
    let Posted { message, text, accepts, extensions, admitted } = posted;
    let options = &shared.options;
    let (id, method) = match &message {
        Message::Request(request) => (Some(request.id.clone()), &*request.method),
        Message::Batch => (None, ""),
        // There is no session that would miss it.
        _ => return Ok(Reply::Now(Body::none(StatusCode::ACCEPTED))),
    };
    let is_listen = method == "subscriptions/listen";
    // A cancellation is not undone when its client leaves, and those who listen hear of it.
    let cancels = era == Era::Modern && method != "tasks/cancel";
    if is_listen && (options.json_only || !accepts.stream) {
        let message = "Invalid request: a subscription is a stream of events, which the client or \
                       the server's option `json_only` excludes";
        let error = ErrorObject::invalid_request(message);
        return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, id.as_ref(), &error));
    }
    let session = |link| {
        let mut session = Session::new(&shared.registry, Host::Http, link);
        if let Era::Legacy(version) = era {
            session.assume(version);
        }
        // In the legacy era the session ends with its answer.
        if era != Era::Modern || options.json_only {
            session.be_brief();
        }
        session.be_alone();
        shared.keeper.iter().for_each(|keeper| session.keep_rounds_in(keeper));
        extensions(session.extensions_mut());
        session
    };
    let outlet = Outlet::new(options.max_unsent);
    let output = Arc::new(Output { outlet, place: Place::new(admitted) });
    let wire = Wire { output: output.clone(), is_listener: is_listen };
    let runner = shared.runner(session, wire);
    let is_modern = era == Era::Modern;
    let reading = Reading { runner, output, is_listener: is_listen, cancels };
    let output = &reading.output;
    let goes_on = begin(&reading.runner, message, text);
    if id.is_none() && !goes_on && !output.outlet.is_over() {
        // A batch of notifications.
        return Ok(Reply::Now(Body::none(StatusCode::ACCEPTED)));
    }
    // A call that has blocked may go on as a task, with which it is answered already.
    if goes_on || !output.outlet.is_over() {
        let waiting = shared.open.wait(&reading.runner, is_listen, options.max_listeners);
        let Some(waiting) = waiting else {
            let error = ErrorObject::internal("too many clients listen");
            return Err(Refusal::new(StatusCode::OK, id.as_ref(), &error));
        };
        output.place.wait(waiting);
    }
    respond(reading, is_modern, accepts, options)
}

/// Passes the message to the session, and polls its call once. Returns false if no call can go on.
fn begin(runner: &Arc<Runner>, message: Message<'_>, text: &str) -> bool {
    let receive =
        |session: &mut Session, outbox: &mut Outbox| session.receive_message(message, text, outbox);
    match runner.receive_by(None, text.len(), receive, |_, _| {}) {
        Received::Call(call) => run(runner, call),
        Received::Batch(batch) => {
            let has_calls = !batch.calls.is_empty();
            batch.calls.into_iter().for_each(|call| runner.run(call));
            has_calls
        }
        _ => false,
    }
}

/// Polls a call once. If it waits, its task polls it again with a waker of its own. Returns false
/// if the poll has ended it.
pub(super) fn run(runner: &Runner, call: Admission<'_>) -> bool {
    let Some(mut run) = runner.begin(call) else { return true };
    match Pin::new(&mut run).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => {
            runner.finish(done);
            false
        }
        Poll::Pending => {
            runner.spawn(run);
            true
        }
    }
}

impl Source for Reading {
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<outlet::Message>> {
        let next = self.output.outlet.poll_next(cx);
        if next.is_pending() && self.is_listener {
            // It has read everything, and what has changed meanwhile wakes it again.
            self.runner.resume();
        }
        next
    }
}

impl Shell for Wire {
    fn said(&self, outbox: &mut Outbox) {
        let outlet = &self.output.outlet;
        for (label, message) in outbox.drain() {
            match label {
                Label::Response { error, .. } => outlet.say(message, Part::Answer(error)),
                Label::Refusal { error, .. } => outlet.say(message, Part::Answer(Some(error))),
                Label::Batch { .. } => outlet.say(message, Part::Answer(None)),
                Label::Notification(About::Call(_)) => outlet.offer(message),
                Label::Notification(About::Subscription(_)) => outlet.say(message, Part::Before),
                // Without a session there is no stream for what belongs to no request.
                Label::Notification(About::Session | About::Custom) | Label::Request { .. } => {}
            }
        }
    }

    fn flush(&self, _: &dyn Fn(Vec<u8>) -> Vec<u8>) {
        self.output.outlet.wake();
    }

    /// A call ends with its answer, so that it need not wait for its client.
    fn is_behind(&self) -> bool {
        self.is_listener && self.output.outlet.is_behind()
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        if self.cancels && !self.output.outlet.is_over() {
            self.runner.close();
        }
    }
}
