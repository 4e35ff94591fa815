//! What a runner has its runtimes do.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use super::runner::Runner;
use crate::mcp::Run;

/// All that runners spawn has this one type, as the code that tokio needs for each type takes long
/// to compile.
pub(super) enum Job {
    /// Runs a call to its end, and sends its answer. It needs no box.
    Call(Run, Arc<Runner>),
    Other(Pin<Box<dyn Future<Output = ()> + Send>>),
}

impl Job {
    pub(super) fn of(work: impl Future<Output = ()> + Send + 'static) -> Self {
        Self::Other(Box::pin(work))
    }
}

impl Future for Job {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        match self.get_mut() {
            Self::Call(run, runner) => {
                let done = ready!(Pin::new(run).poll(cx));
                runner.finish(done);
                runner.flush();
                Poll::Ready(())
            }
            Self::Other(work) => work.as_mut().poll(cx),
        }
    }
}
