//! A call: started, run, done. What it calls, a tool or something else, is behind [`Subject`],
//! [`Decoder`] and [`Reply`].

use std::any::Any;
use std::fmt;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;

use serde_json::{Map, Value};

use super::args::BadArguments;
use super::cancel::CancelToken;
use super::context::{Caller, Context, Seed};
use super::extensions::Extensions;
use super::link::{AskError, CallId};
use super::outbox::Outbox;
use super::protocol::{Capability, ErrorObject, Profile, Revision};
use super::rounds::{Owner, RoundEnd};
use super::tasks::{Permit, Tasks};
use super::words::split_first;
use crate::panics;

/// A request that calls something and has passed the checks so far. It borrows the line until
/// [`Call::start`] has decoded the arguments.
#[must_use = "every request is answered: start it and finish what comes of it"]
pub struct Call<'a>(Box<Unstarted<'a>>);

/// A started call, polled to its end for [`Session::finish`](super::Session::finish). It never
/// panics. Dropping it stops the work, which may run user code.
#[must_use = "every request is answered: run it and finish what comes of it"]
pub struct Run {
    call: CallId,
    revision: Revision,
    /// If the work uses it.
    context: Option<Context>,
    #[cfg_attr(not(feature = "host"), expect(dead_code, reason = "hosts make tasks"))]
    permit: Option<Box<Permit>>,
    work: Guarded,
}

/// The result of starting a call.
#[derive(Debug)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub enum Started {
    /// Run it.
    Run(Run),
    /// The arguments were refused, or the call has failed already.
    Done(Done),
}

/// The result of a call. It holds no user code.
#[derive(Debug)]
#[must_use = "every request is answered: finish it"]
pub struct Done {
    pub(crate) call: CallId,
    pub(crate) revision: Revision,
    pub(crate) result: CallResult,
}

/// Where the work of a call should run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// An `async` function: on the serving loop.
    Async,
    /// A plain function: on a thread of its own, as it may block.
    Sync,
    /// A plain function that is marked as quick: on the serving loop.
    Inline,
}

/// The work of a call that has begun. It owns all that it needs.
pub struct Work(pub(crate) Pin<Box<dyn Future<Output = Ended> + Send>>);

/// The end of the work of a call, for code outside of this crate, which only passes it on.
#[doc(hidden)]
#[derive(Debug)]
pub struct Ended(pub(crate) CallResult);

impl Ended {
    /// The end of work whose answer is an error of the protocol.
    pub(crate) fn refused(error: ErrorObject) -> Self {
        Self(Err(error.into()))
    }
}

/// How the work of a call ends.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// With a result.
    Complete(Box<dyn Reply>),
    /// It cannot continue without answers of the client: the result's members as JSON text.
    InputRequired(String),
    /// It continues as a task, whose result the client requests: its members as JSON text.
    #[cfg_attr(not(feature = "host"), expect(dead_code, reason = "hosts make tasks"))]
    Task(String),
}

/// The error is boxed, as it is larger than all else that a call carries.
pub(crate) type CallResult = Result<Outcome, Box<ErrorObject>>;

/// What a call calls. A session keeps it until the call is answered, so it holds no user code.
pub(crate) trait Subject: Send + Sync {
    /// Its name, for the log.
    fn name(&self) -> &str;

    fn kind(&self) -> Kind {
        Kind::Async
    }

    /// How long a call may take.
    fn timeout(&self) -> Option<Duration> {
        None
    }

    /// Checks a result before the session gets it.
    fn complete(&self, _: &mut dyn Reply) {}

    /// The work has ended with an error of the protocol.
    fn refused(&self) {}

    /// The work has ended with questions to the client, whose answers begin another round.
    fn asked(&self) {}

    /// The answer to a call that returns none itself.
    fn failure(&self, failure: Failure<'_>) -> CallResult;
}

/// Decodes the arguments of a call and begins its work. This is user code, and so is its
/// destructor.
pub(crate) trait Decoder: Send + Sync {
    /// What is called.
    fn subject(&self) -> &dyn Subject;

    fn decode(&self, arguments: Option<&str>, caller: &dyn Caller) -> Result<Begun, BadArguments>;
}

/// Work that has begun, and the context of its call if the work uses it.
pub(crate) struct Begun {
    pub(crate) work: Work,
    pub(crate) context: Option<Context>,
}

impl Begun {
    /// Work that has ended already, and used no context.
    pub(crate) fn ended(ended: Ended) -> Self {
        Self { work: Work(Box::pin(ready(ended))), context: None }
    }
}

/// The result of one kind of call.
pub(crate) trait Reply: Any + Send {
    /// Writes the members of the result, except `_meta`, in the form of a revision.
    fn write(&self, profile: &Profile, out: &mut Vec<u8>);

    /// Why the call has failed, if the result says that it has.
    fn error_type(&self) -> Option<&'static str> {
        None
    }

    /// What the client reads of a failure, if the result says that the call has failed.
    fn failure(&self) -> Option<String> {
        None
    }

    /// `_meta` of the result.
    fn meta(&self) -> Option<&Map<String, Value>> {
        None
    }
}

/// Why a call returns no answer itself.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Failure<'a> {
    BadArguments(&'a BadArguments),
    Panicked,
    TimedOut,
    /// Too many calls wait already.
    Overloaded,
    /// It has asked its client too often.
    TooManyRounds,
    ShutDown,
    /// Its session has ended, and the server goes on.
    #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "other hosts end with it"))]
    SessionEnded,
}

/// What a call carries until it starts. It is behind one pointer, as a call is moved several times,
/// and a processor waits where it copies what was just written in smaller parts.
struct Unstarted<'a> {
    decoder: Arc<dyn Decoder>,
    seed: Seed<'a>,
}

/// The work of a call; a panic in it becomes an answer.
pub(crate) struct Guarded(Option<(Work, Arc<dyn Decoder>)>);

impl<'a> Call<'a> {
    pub(crate) fn new(decoder: Arc<dyn Decoder>, seed: Seed<'a>) -> Self {
        Self(Box::new(Unstarted { decoder, seed }))
    }

    /// Identifies the call in its session.
    pub fn id(&self) -> &CallId {
        &self.0.seed.call
    }

    /// Values that the call's tool finds through its context.
    pub fn extensions_mut(&mut self) -> &mut Extensions {
        &mut self.0.seed.extensions
    }

    /// Lets the call go on as a task.
    pub(crate) fn permit(&mut self, tasks: Arc<dyn Tasks>) {
        let owner = self.0.seed.extensions.get::<Owner>().cloned();
        self.0.seed.permit = Some(Box::new(Permit { tasks, owner }));
    }

    /// Ends the call before it has begun. What it holds is user code.
    pub(crate) fn discard(self, out: &mut Outbox) {
        let Unstarted { decoder, seed } = *self.0;
        let Seed { connection, extensions, .. } = seed;
        out.later(move || drop((decoder, connection, extensions)));
    }

    /// Decodes the arguments, which runs user code. If they are refused, the call is done.
    pub fn start(self) -> Started {
        let mut this = self.0;
        let (decoder, seed) = (this.decoder, &mut this.seed);
        let begun = match seed.resume() {
            Ok(()) => begin(decoder, seed.asking.arguments, seed),
            Err(error) => {
                panics::discard(decoder);
                Err(Err(error.into()))
            }
        };
        let Seed { call, revision, permit, .. } = this.seed;
        match begun {
            Ok((work, context)) => Started::Run(Run { call, revision, context, permit, work }),
            Err(result) => Started::Done(Done { call, revision, result }),
        }
    }
}

/// Begins the work of a call, or returns the answer if it cannot begin.
pub(crate) fn begin(
    decoder: Arc<dyn Decoder>,
    arguments: Option<&str>,
    caller: &dyn Caller,
) -> Result<(Guarded, Option<Context>), CallResult> {
    let result = match catch(decoder.subject(), || decoder.decode(arguments, caller)) {
        Ok(Ok(Begun { work, context })) => return Ok((Guarded::new(work, decoder), context)),
        Ok(Err(bad)) if bad.is_malformed() => {
            let message = "Parse error: the arguments are not valid JSON";
            Err(ErrorObject::parse_error(message).into())
        }
        Ok(Err(bad)) => decoder.subject().failure(Failure::BadArguments(&bad)),
        Err(panicked) => panicked,
    };
    // If the tool was removed meanwhile, this drops what it has captured.
    panics::discard(decoder);
    Err(result)
}

impl Run {
    /// Identifies the call in its session.
    pub fn id(&self) -> &CallId {
        &self.call
    }

    /// Where it should run.
    pub fn kind(&self) -> Kind {
        self.work.subject().map_or(Kind::Async, Subject::kind)
    }

    /// How long it may take; `None` means no limit.
    pub fn timeout(&self) -> Option<Duration> {
        self.work.subject().and_then(Subject::timeout)
    }

    /// Cancelled by the host, it tells running work that its call is over. `None` if the work does
    /// not check for that.
    pub fn cancel_token(&self) -> Option<&CancelToken> {
        self.context.as_ref().map(Context::cancel_token)
    }

    /// What lets the call go on as a task, and the context of its questions.
    #[cfg(feature = "host")]
    pub(crate) fn permit(&self) -> Option<(&Permit, Option<&Context>)> {
        self.permit.as_deref().map(|permit| (permit, self.context.as_ref()))
    }

    /// Ends the call without running it, because too many calls wait already.
    pub fn overloaded(self) -> Done {
        let result = self.work.failure(Failure::Overloaded);
        Done { call: self.call.clone(), revision: self.revision, result }
    }
}

impl Future for Run {
    type Output = Done;

    fn poll(mut self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<Done> {
        let polled = Pin::new(&mut self.work).poll(cx);
        let result = match (polled, &self.context) {
            (Poll::Ready(result), None) => result,
            (Poll::Ready(result), Some(context)) => reviewed(result, context),
            (Poll::Pending, None) => return Poll::Pending,
            (Poll::Pending, Some(context)) => match context.end_of_round(cx.waker()) {
                Some(end) => {
                    // What the run has started elsewhere stops before the next round.
                    context.cancel_token().cancel();
                    self.work.end_with(end)
                }
                None => return Poll::Pending,
            },
        };
        if let Some(context) = self.context.take() {
            context.end();
            // It may be the last to hold values of the user.
            panics::discard(context);
        }
        Poll::Ready(Done { call: self.call.clone(), revision: self.revision, result })
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if let Some(context) = self.context.take() {
            context.cancel_token().cancel();
            context.end();
            panics::discard(context);
        }
    }
}

impl Done {
    /// Identifies the call in its session.
    pub fn id(&self) -> &CallId {
        &self.call
    }
}

impl Guarded {
    /// The work of a call of what `decoder` begins.
    pub(crate) fn new(work: Work, decoder: Arc<dyn Decoder>) -> Self {
        Self(Some((work, decoder)))
    }

    /// What is called, until the work has ended.
    fn subject(&self) -> Option<&dyn Subject> {
        self.0.as_ref().map(|(_, decoder)| decoder.subject())
    }

    /// The answer in place of one by the work.
    fn failure(&self, failure: Failure<'_>) -> CallResult {
        match self.subject() {
            Some(subject) => subject.failure(failure),
            None => Err(ErrorObject::invalid_params("the call has ended already").into()),
        }
    }

    /// Drops the work, which cannot continue in this round.
    fn end_with(&mut self, end: RoundEnd) -> CallResult {
        let result = match end {
            Ok(Some(members)) => {
                self.subject().into_iter().for_each(Subject::asked);
                Ok(Outcome::InputRequired(members))
            }
            Ok(None) => self.failure(Failure::TooManyRounds),
            Err(error) => {
                self.subject().into_iter().for_each(Subject::refused);
                Err(error.into())
            }
        };
        self.end();
        result
    }

    /// Drops the values that remain. A panic of their destructors changes no result.
    fn end(&mut self) {
        if let Some((work, decoder)) = self.0.take() {
            let _ = catch(decoder.subject(), || drop(work));
            panics::discard(decoder);
        }
    }
}

impl Future for Guarded {
    type Output = CallResult;

    fn poll(mut self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<CallResult> {
        let Some((work, decoder)) = &mut self.0 else { return Poll::Pending };
        let subject = decoder.subject();
        let polled = catch(subject, || work.0.as_mut().poll(cx));
        let result = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(Ended(mut result))) => {
                match &mut result {
                    Ok(Outcome::Complete(reply)) => subject.complete(&mut **reply),
                    Ok(_) => {}
                    Err(_) => subject.refused(),
                }
                result
            }
            Err(panicked) => panicked,
        };
        self.end();
        Poll::Ready(result)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.end();
    }
}

/// The result of a call. If it failed because its client does not support a question, clients of
/// 2026-07-28 are told which capability is missing.
fn reviewed(result: CallResult, context: &Context) -> CallResult {
    let lacking = context.lacking();
    if lacking.is_empty() {
        return result;
    }
    let failure = match &result {
        Ok(Outcome::Complete(reply)) => reply.failure(),
        Ok(_) => None,
        Err(error) => Some(error.message.clone().into_owned()),
    };
    // A function that has handled the error may fail for another reason.
    let unsupported = AskError::Unsupported.to_string();
    match failure.is_some_and(|text| split_first(&text, &unsupported).is_some()) {
        true => Err(Capability::missing(&lacking).into()),
        false => result,
    }
}

/// Runs user code. The message of a panic goes to the log, and not into the answer.
fn catch<T>(subject: &dyn Subject, f: impl FnOnce() -> T) -> Result<T, CallResult> {
    panics::catch(f).map_err(|panic| panicked(subject, &panic))
}

fn panicked(subject: &dyn Subject, panic: &str) -> CallResult {
    panics::trace(|| tracing::error!(name = subject.name(), panic, "a call panicked"));
    subject.failure(Failure::Panicked)
}

impl fmt::Debug for Call<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("id", self.id()).finish_non_exhaustive()
    }
}

impl fmt::Debug for dyn Subject + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for dyn Reply {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut members = Vec::new();
        self.write(Revision::LATEST.profile(), &mut members);
        f.write_str(&String::from_utf8_lossy(&members))
    }
}

impl fmt::Debug for Run {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = self.work.subject();
        f.debug_struct("Run").field("id", &self.call).field("of", &subject).finish_non_exhaustive()
    }
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Work")
    }
}
