//! The control protocol of a run: what is written to the CLI, and the requests of both sides that
//! are not answered yet.
//!
//! Each has a lock of its own, held for a line of bookkeeping. What may run code of the user's
//! (wakers, tasks that are dropped) is taken out and dropped after the lock is released.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use serde::Serialize;
use tokio::sync::oneshot;

use super::control::{
    Answer, Received, ReceivedId, Sent, SentId, write_cancel, write_error, write_mcp_message,
    write_request, write_success,
};
use super::error::ProcessExit;
use super::transport::Outgoing;
use super::writer::Writer;
use crate::CancelToken;

/// The control protocol of a run.
#[derive(Default)]
pub(crate) struct Channel {
    /// Also takes lines that are no control messages.
    pub(super) writer: Writer,
    sent: Mutex<Sent<Waiter>>,
    received: Mutex<Received<Work>>,
    ended: OnceLock<ProcessExit>,
}

/// Who waits for the answer to a request of ours.
struct Waiter {
    answer: oneshot::Sender<Answer>,
    is_withdrawn: bool,
}

/// How to stop what runs for a request of the CLI.
pub(crate) enum Work {
    /// A callback, which ends with its token.
    Callback(CancelToken),
    Call(Box<dyn FnOnce() + Send>),
}

/// The CLI has ended, or nothing more is written to it.
pub(crate) struct Closed;

impl Channel {
    /// Writes to the CLI until its input is closed.
    ///
    /// # Errors
    ///
    /// The CLI takes no more input.
    pub(crate) async fn run(self: Arc<Self>, outgoing: Box<dyn Outgoing>) -> io::Result<()> {
        self.writer.run(outgoing, || !lock(&self.received).is_empty()).await
    }

    /// How the CLI has ended.
    pub(crate) fn ended(&self) -> Option<&ProcessExit> {
        self.ended.get()
    }

    /// Sends a request. The answer is an error of the receiver if the CLI ends first.
    pub(crate) fn request<T: Serialize + ?Sized>(
        &self,
        subtype: &str,
        body: &T,
    ) -> Result<(SentId, oneshot::Receiver<Answer>), Closed> {
        let (sender, answer) = oneshot::channel();
        if self.writer.is_ended() {
            return Err(Closed);
        }
        let waiter = Waiter { answer: sender, is_withdrawn: false };
        let id = self.unless_ended(|sent| sent.open(waiter)).ok_or(Closed)?;
        self.writer.add(|out| write_request(out, id, subtype, body));
        self.writer.flush();
        Ok((id, answer))
    }

    /// Withdraws a request that nobody waits for any more, unless it was answered.
    pub(crate) fn withdraw(&self, id: SentId) {
        let waiter = lock(&self.sent).take(id);
        if waiter.is_some_and(|waiter| !waiter.is_withdrawn) {
            self.cancel_sent(id);
        }
    }

    /// Withdraws a request, unless it was answered, and waits for the answer all the same.
    pub(crate) fn retract(&self, id: SentId) {
        let is_news = {
            let mut sent = lock(&self.sent);
            let waiter = sent.waiter(id);
            waiter.is_some_and(|waiter| !std::mem::replace(&mut waiter.is_withdrawn, true))
        };
        if is_news {
            self.cancel_sent(id);
        }
    }

    fn cancel_sent(&self, id: SentId) {
        self.writer.add(|out| write_cancel(out, id));
        self.writer.flush();
    }

    /// Gives the CLI's answer to whoever waits for it.
    pub(crate) fn resolve(&self, id: &str, answer: Answer) {
        match SentId::read(id).and_then(|id| lock(&self.sent).take(id)) {
            // A caller that is gone needs no answer.
            Some(waiter) => drop(waiter.answer.send(answer)),
            None => tracing::debug!(%id, "an answer that nobody waits for"),
        }
    }

    /// Adds a message of an in-process server as a request of ours.
    pub(crate) fn send_mcp(&self, server: &str, message: &str) {
        if let Some(id) = self.unless_ended(Sent::unnoted) {
            self.writer.add(|out| write_mcp_message(out, id, server, message));
        }
    }

    /// Takes note of a request of the CLI, whose line has this length in bytes. True if so many are
    /// open that it must be refused. `None` if it is a repetition.
    pub(crate) fn open(&self, id: &str, length: usize) -> Option<(ReceivedId, bool)> {
        let mut received = lock(&self.received);
        received.open(id, length).map(|id| (id, received.is_overloaded()))
    }

    /// Keeps what runs for a request, so that it can be cancelled.
    pub(crate) fn attach(&self, id: &ReceivedId, work: Work) {
        let _late = { lock(&self.received).attach(id, work) };
    }

    /// Whether a request is neither answered nor cancelled.
    pub(crate) fn is_open(&self, id: &ReceivedId) -> bool {
        lock(&self.received).is_open(id)
    }

    /// Adds the answer to a request, unless it was cancelled: the JSON text of a response object.
    pub(crate) fn answer(&self, id: &ReceivedId, response: &str) {
        if self.forget(id) {
            self.writer.add(|out| write_success(out, id, &[response]));
        }
    }

    /// Adds the answer to a request that brought a message for an in-process server.
    pub(crate) fn answer_mcp(&self, id: &ReceivedId, message: &str) {
        if self.forget(id) {
            self.writer.add(|out| write_success(out, id, &["{\"mcp_response\":", message, "}"]));
        }
    }

    /// Adds an error as the answer to a request, unless it was cancelled.
    pub(crate) fn refuse(&self, id: &ReceivedId, error: &str, code: Option<&str>) {
        if self.forget(id) {
            self.writer.add(|out| write_error(out, id, error, code));
        }
    }

    /// Stops what runs for a request, and adds an error as the answer.
    pub(crate) fn abandon(&self, id: &ReceivedId, error: &str) {
        let work = lock(&self.received).take(id);
        if let Some(work) = work {
            self.writer.add(|out| write_error(out, id, error, None));
            work.into_iter().for_each(Work::stop);
        }
    }

    /// Closes a request without an answer. False if it was closed before.
    pub(crate) fn forget(&self, id: &ReceivedId) -> bool {
        let work = lock(&self.received).take(id);
        work.is_some()
    }

    /// The CLI has cancelled a request: stops what runs for it.
    pub(crate) fn cancel(&self, id: &str) {
        let work = lock(&self.received).cancel(id);
        work.into_iter().for_each(Work::stop);
    }

    /// The CLI has ended: requests of ours fail, and what runs for its requests is stopped.
    pub(crate) fn end(&self, exit: &ProcessExit) {
        // Before the requests are taken out, so that one that is added later is refused.
        let _ = self.ended.set(exit.clone());
        let waiters = lock(&self.sent).take_all();
        let works = lock(&self.received).take_all();
        drop(waiters);
        works.into_iter().for_each(Work::stop);
        self.writer.close();
    }

    fn unless_ended(&self, id: impl FnOnce(&mut Sent<Waiter>) -> SentId) -> Option<SentId> {
        let mut sent = lock(&self.sent);
        self.ended.get().is_none().then(|| id(&mut sent))
    }
}

impl Work {
    fn stop(self) {
        match self {
            Self::Callback(cancel) => cancel.cancel(),
            Self::Call(stop) => stop(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
