//! A call on its way: started, run, done.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;

use super::args::{Input, Seed};
use super::cancel::CancelToken;
use super::link::CallId;
use super::output::ToolResult;
use super::protocol::{ErrorObject, Revision};
use super::tool::{Kind, Tool, Work};
use crate::panics;

/// A `tools/call` that was found good so far. It borrows the line; [`Call::start`] decodes the
/// arguments, after which the line may go.
#[derive(Debug)]
#[must_use = "every request is answered: start it and finish what comes of it"]
pub struct Call<'a> {
    pub(crate) tool: Tool,
    pub(crate) arguments: Option<&'a str>,
    pub(crate) seed: Seed<'a>,
    pub(crate) revision: Revision,
}

/// A started call. Polled to its end it gives what [`Session::finish`](super::Session::finish)
/// takes. It never panics; dropping it stops the tool.
#[derive(Debug)]
#[must_use = "every request is answered: run it and finish what comes of it"]
pub struct Run {
    call: CallId,
    revision: Revision,
    cancel: Option<CancelToken>,
    work: Guarded,
}

/// What starting a call comes to.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub enum Started {
    /// Run it.
    Run(Run),
    /// The tool refused the arguments, or failed already.
    Done(Done),
}

/// What came of a call.
#[derive(Debug)]
#[must_use = "every request is answered: finish it"]
pub struct Done {
    pub(crate) call: CallId,
    pub(crate) revision: Revision,
    pub(crate) wraps_result: Option<bool>,
    pub(crate) outcome: Result<ToolResult, ErrorObject>,
}

/// A tool's future that turns a panic into an error result.
#[derive(Debug)]
pub(crate) struct Guarded {
    tool: Tool,
    work: Option<Running>,
}

struct Running(Work);

impl Call<'_> {
    /// Which call it is.
    pub fn id(&self) -> &CallId {
        &self.seed.call
    }

    /// Decodes the arguments. Arguments that the tool refuses make the call done at once.
    pub fn start(self) -> Started {
        let Self { tool, arguments, seed, revision } = self;
        let input = Input::new(tool.definition().expected(), arguments, Some(&seed));
        let started = catch(tool.name(), || tool.start(&input));
        let cancel = input.into_context().map(|context| context.cancel_token().clone());
        let done = |tool: &Tool, outcome| Done {
            call: seed.call.clone(),
            revision,
            wraps_result: tool.definition().wraps_result(),
            outcome,
        };
        match started {
            Ok(Ok(work)) => Started::Run(Run {
                call: seed.call,
                revision,
                cancel,
                work: Guarded::new(tool, work),
            }),
            Ok(Err(bad)) if bad.is_malformed() => Started::Done(done(
                &tool,
                Err(ErrorObject::new(
                    ErrorObject::PARSE_ERROR,
                    "Parse error: the arguments are not valid JSON",
                )),
            )),
            Ok(Err(bad)) => Started::Done(done(&tool, Ok(ToolResult::error(bad.to_string())))),
            Err(result) => Started::Done(done(&tool, Ok(result))),
        }
    }
}

impl Run {
    /// Which call it is.
    pub fn id(&self) -> &CallId {
        &self.call
    }

    /// How it wants to be run.
    pub fn kind(&self) -> Kind {
        self.work.tool.kind()
    }

    /// How long it may take.
    pub fn timeout(&self) -> Option<Duration> {
        self.work.tool.definition().timeout
    }

    /// Tells the tool that its call is over while it still runs. A tool that took no interest has
    /// no token.
    pub fn cancel_token(&self) -> Option<&CancelToken> {
        self.cancel.as_ref()
    }

    fn done(&self, result: ToolResult) -> Done {
        let wraps_result = self.work.tool.definition().wraps_result();
        Done { call: self.call.clone(), revision: self.revision, wraps_result, outcome: Ok(result) }
    }
}

impl Future for Run {
    type Output = Done;

    fn poll(mut self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<Done> {
        let polled = Pin::new(&mut self.work).poll(cx);
        polled.map(|result| {
            self.cancel = None;
            self.done(result)
        })
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if let Some(cancel) = &self.cancel {
            cancel.cancel();
        }
    }
}

impl Done {
    /// Which call it is.
    pub fn id(&self) -> &CallId {
        &self.call
    }
}

impl Guarded {
    pub(crate) fn new(tool: Tool, work: Work) -> Self {
        Self { tool, work: Some(Running(work)) }
    }
}

impl Future for Guarded {
    type Output = ToolResult;

    fn poll(mut self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<ToolResult> {
        let Self { tool, work } = &mut *self;
        let Some(running) = work else { return Poll::Pending };
        let polled = catch(tool.name(), || running.0.as_mut().poll(cx));
        let result = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(result)) => result,
            Err(result) => result,
        };
        // What a tool leaves behind may panic when it is dropped; the result stands.
        let work = work.take();
        let _ = catch(tool.name(), || drop(work));
        Poll::Ready(result)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // What a tool drops may panic too, and nobody is left to answer for it.
        let work = self.work.take();
        let _ = catch(self.tool.name(), || drop(work));
    }
}

/// Runs code of the user's. A panic is told to the log in full and to the model in a plain
/// sentence.
pub(crate) fn catch<T>(tool: &str, f: impl FnOnce() -> T) -> Result<T, ToolResult> {
    panics::catch(f).map_err(|panic| {
        tracing::error!(tool, panic, "a tool panicked");
        ToolResult::error(format!("The tool `{tool}` failed: an internal error stopped it."))
    })
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Running")
    }
}
