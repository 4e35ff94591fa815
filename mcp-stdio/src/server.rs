//! One connection, from its start to its end.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use tokio::runtime::Handle;
use toolwright::host::Runner;
use toolwright::mcp::{Host, Outbox};
use toolwright::{AskError, ToolRegistry};
use toolwright_console::wire::Wire;

use crate::Options;
use crate::input::Input;
use crate::output::{Client, Output, PATIENCE};
use crate::reader::Reader;

/// A server that serves until it is dropped. Its futures need a runtime with a time driver.
pub(crate) struct Server {
    options: Options,
    runner: Arc<Runner>,
    output: Arc<Output>,
    reader: Arc<Reader>,
}

impl Server {
    /// Tools run on `runtime`; everything else that waits is on the current one.
    pub(crate) fn start(
        registry: &ToolRegistry,
        options: Options,
        wire: Wire,
        runtime: Handle,
    ) -> io::Result<Self> {
        let (limits, threads) = (options.limits.clone(), options.limits.sync_threads);
        let output = Arc::new(Output::new(wire.output, options.max_unsent));
        let client = Client(output.clone());
        let runner = Runner::on(runtime, registry, Host::Stdio, Outbox::new(), client, limits);
        let input = Input::new(wire.input, options.max_line);
        let reader = Reader::start(runner.clone(), output.clone(), input, threads)?;
        Ok(Self { options, runner, output, reader })
    }

    /// Serves until the client ends or `stop` is ready. Then running calls get their time of grace,
    /// and every request gets its answer.
    pub(crate) async fn run(self, stop: impl Future<Output = ()>) {
        if is_first(stop, self.serve()).await {
            self.end(false).await;
        }
    }

    /// A client that has closed its end is waited for as long as it reads. It answers no questions.
    async fn serve(&self) {
        is_first(self.output.ended.notified(), self.resumes()).await;
        self.runner.ask_no_more(&AskError::Closed);
        self.end(true).await;
    }

    /// Answers every request, and sends the answers.
    async fn end(&self, is_patient: bool) {
        tracing::debug!("no more is to come: ending");
        is_first(self.idle(is_patient), self.resumes()).await;
        self.runner.close();
        let limit = if is_patient { PATIENCE } else { self.options.grace / 2 };
        self.output.drain(limit, is_patient).await;
    }

    /// Starts the calls that wait for the client to read, each time that it has.
    async fn resumes(&self) {
        loop {
            self.output.caught_up.notified().await;
            self.runner.resume();
        }
    }

    /// Waits for the running calls during the grace. For a client that has closed its end,
    /// `is_patient`, it begins again as long as calls wait for the client to read, and it reads.
    async fn idle(&self, is_patient: bool) {
        loop {
            let writes = self.output.writes();
            let is_idle = tokio::time::timeout(self.options.grace, self.runner.idle()).await;
            let reads = is_patient && self.output.writes() != writes;
            if is_idle.is_ok() || !(reads && self.output.is_behind()) {
                return;
            }
        }
    }
}

/// Polls two futures until one of them is ready. Returns whether that is the first one.
async fn is_first(first: impl Future, other: impl Future) -> bool {
    let (mut first, mut other) = (pin!(first), pin!(other));
    poll_fn(|cx| match first.as_mut().poll(cx) {
        Poll::Ready(_) => Poll::Ready(true),
        Poll::Pending => other.as_mut().poll(cx).map(|_| false),
    })
    .await
}

/// A serve future that is dropped early must also stop reading and answering.
impl Drop for Server {
    fn drop(&mut self) {
        self.runner.close();
        self.output.close();
        self.reader.stop();
    }
}

#[cfg(test)]
mod tests;
