//! Batches of requests: the answers to one are one array.

use std::mem;

/// How many bytes of answers wait for other answers of their batches. Above it a batch is answered
/// with more than one array, or with errors.
const HELD: usize = 16 * 1024 * 1024;

/// The batches that are not answered yet.
#[derive(Debug, Default)]
pub(super) struct Batches {
    /// The batch whose messages the session takes now.
    present: Option<u64>,
    open: Vec<Batch>,
    /// The length of all answers that wait, in bytes.
    held: usize,
    /// The length of what answers the present batch already, in bytes.
    sent: usize,
    /// A batch is answered with one array.
    is_whole: bool,
}

#[derive(Debug, Default)]
struct Batch {
    number: u64,
    /// Each has a comma after it.
    answers: Vec<u8>,
    /// The numbers of the calls that are not answered, in increasing order.
    waits: Vec<u64>,
}

impl Batches {
    /// For a host that answers each batch with one array.
    #[cfg(feature = "http")]
    pub(super) fn whole() -> Self {
        Self { is_whole: true, ..Self::default() }
    }

    /// No answer can wait any more, and none can be sent before its batch is answered, or before
    /// the host has all messages of the present one.
    pub(super) fn is_full(&self) -> bool {
        self.is_whole && self.held > HELD || self.sent > HELD
    }

    #[cfg(feature = "http")]
    pub(super) fn has(&self, number: u64) -> bool {
        self.open.iter().any(|batch| batch.number == number)
    }

    /// The session takes the messages of this batch next.
    pub(super) fn begin(&mut self, number: u64) {
        self.present = Some(number);
        self.sent = 0;
        self.open.push(Batch { number, ..Batch::default() });
    }

    /// The present batch waits for the answer to a call.
    pub(super) fn wait_for(&mut self, call: u64) {
        if let Some(batch) = self.present.and_then(|number| self.batch(number)) {
            batch.waits.push(call);
        }
    }

    /// The session has taken the messages of the present batch.
    pub(super) fn end(&mut self) -> Option<u64> {
        self.sent = 0;
        self.present.take()
    }

    /// The batch that an answer belongs to. If it answers no call, it answers what the session
    /// takes now.
    pub(super) fn of(&mut self, call: Option<u64>) -> Option<u64> {
        let Some(call) = call else { return self.present };
        self.open.iter_mut().find_map(|batch| {
            let at = batch.waits.binary_search(&call).ok()?;
            batch.waits.remove(at);
            Some(batch.number)
        })
    }

    /// Keeps an answer until its batch is [due](Batches::due).
    pub(super) fn keep(&mut self, number: u64, answer: &[u8]) {
        let Some(batch) = self.batch(number) else { return };
        batch.answers.extend_from_slice(answer);
        batch.answers.push(b',');
        self.held += answer.len() + 1;
    }

    /// What to send for a batch now: the elements of an array, and whether it is the last one.
    pub(super) fn due(&mut self, number: u64) -> Option<(Vec<u8>, bool)> {
        let at = self.open.iter().position(|batch| batch.number == number)?;
        let batch = &mut self.open[at];
        let is_last = batch.waits.is_empty() && self.present != Some(number);
        if !is_last && (self.is_whole || self.held <= HELD) {
            return None;
        }
        let mut answers = mem::take(&mut batch.answers);
        self.held -= answers.len();
        if self.present == Some(number) {
            self.sent += answers.len();
        }
        if is_last {
            self.open.swap_remove(at);
        }
        // Without an answer there is no comma.
        answers.pop().map(|_| (answers, is_last))
    }

    fn batch(&mut self, number: u64) -> Option<&mut Batch> {
        self.open.iter_mut().find(|batch| batch.number == number)
    }
}
