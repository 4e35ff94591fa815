use std::collections::{HashMap, HashSet};

use anyhow::{Context, Result, bail, ensure};

use crate::{KINDS, Kind, Mix, Requests, Verdict, check};

/// What was called.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Counts {
    /// In the order of [`KINDS`].
    pub calls: [u64; KINDS.len()],
}

/// The calls that are open, on a connection that takes lines in both directions.
#[derive(Debug)]
pub struct Book {
    requests: Requests,
    window: usize,
    next: u64,
    end: u64,
    /// Whether the retry of a call that asked was sent.
    open: HashMap<u64, bool>,
    /// The cancelled calls that were answered.
    refused: HashSet<u64>,
    pub counts: Counts,
}

impl Book {
    /// At most `window` calls are open at once.
    pub fn new(mix: Mix, window: usize) -> Self {
        Self {
            requests: Requests::new(mix),
            window,
            next: 0,
            end: 0,
            open: HashMap::new(),
            refused: HashSet::new(),
            counts: Counts::default(),
        }
    }

    /// Allows so many calls more.
    pub fn extend(&mut self, calls: u64) {
        self.end += calls;
    }

    /// Appends what may be sent now, a line for each message.
    pub fn send(&mut self, out: &mut Vec<u8>) {
        while self.next < self.end && self.open.len() < self.window {
            let id = self.next;
            self.next += 1;
            self.requests.call(id, out);
            out.push(b'\n');
            let kind = self.requests.mix.kind(id);
            self.counts.add(kind);
            if kind == Kind::Cancelled {
                self.requests.cancellation(id, out);
                out.push(b'\n');
            } else {
                self.open.insert(id, false);
            }
        }
    }

    /// Takes an answer, and appends the retry if it asks.
    pub fn take(&mut self, line: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let (id, verdict) = check(self.requests.mix, line)?;
        if self.requests.mix.kind(id) == Kind::Cancelled {
            ensure!(id < self.next, "an answer to call {id}, which nobody made");
            ensure!(self.refused.insert(id), "a second answer to call {id}");
            return Ok(());
        }
        let is_retried = self.open.get_mut(&id);
        let is_retried = is_retried.with_context(|| format!("an answer to call {id} too many"))?;
        match (verdict, &is_retried) {
            (Verdict::Done, _) => {
                self.open.remove(&id);
            }
            (Verdict::Asks(_), true) => bail!("call {id} asks twice"),
            (Verdict::Asks(state), false) => {
                *is_retried = true;
                self.requests.retry(id, state.as_deref(), out);
                out.push(b'\n');
            }
        }
        Ok(())
    }

    /// True once every call that is allowed was made and answered.
    pub fn is_done(&self) -> bool {
        self.next == self.end && self.open.is_empty()
    }

    /// How many cancelled calls were answered with an error, which MCP leaves open.
    pub fn refused(&self) -> u64 {
        self.refused.len() as u64
    }

    /// The calls that wait for an answer, for a report.
    pub fn waiting(&self) -> Vec<(u64, Kind)> {
        let mut open: Vec<_> =
            self.open.keys().map(|id| (*id, self.requests.mix.kind(*id))).collect();
        open.sort_unstable_by_key(|(id, _)| *id);
        open
    }
}

impl Counts {
    pub fn add(&mut self, kind: Kind) {
        let at = KINDS.iter().position(|(it, ..)| *it == kind);
        at.into_iter().for_each(|at| self.calls[at] += 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIX: Mix = Mix { seed: 1 };

    /// A book with open calls up to the first one of a kind, whose id it gives.
    fn open(kind: Kind) -> (Book, u64) {
        let mut book = Book::new(MIX, 10_000);
        let id = (0..).find(|id| MIX.kind(*id) == kind).expect("every kind comes");
        book.extend(id + 1);
        book.send(&mut Vec::new());
        (book, id)
    }

    fn text(id: u64, is_error: bool, text: &str) -> Vec<u8> {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}],"isError":{is_error}}}}}"#
        )
        .into()
    }

    #[test]
    fn each_call_is_answered_once() {
        let (mut book, id) = open(Kind::Good);
        let right = text(id, false, &format!("{id}.5"));
        book.take(&right, &mut Vec::new()).expect("the right answer");
        assert!(book.take(&right, &mut Vec::new()).is_err(), "a second one");
        assert!(book.take(&text(id + 1, false, "ok"), &mut Vec::new()).is_err(), "to nobody");
    }

    #[test]
    fn another_kind_of_answer_is_noticed() {
        for (kind, is_error, wrong) in [
            (Kind::Good, false, "0.7"),
            (Kind::Plain, true, "ok"),
            (Kind::Failed, false, "failure 0"),
            (Kind::Panicked, true, "well"),
            (Kind::TimedOut, false, "ok"),
            (Kind::Large, false, "short"),
            (Kind::Asked, false, "Hello!"),
            (Kind::Cancelled, false, "ok"),
        ] {
            let (mut book, id) = open(kind);
            let taken = book.take(&text(id, is_error, wrong), &mut Vec::new());
            assert!(taken.is_err(), "{kind:?}");
        }
    }

    #[test]
    fn a_question_is_answered_once() {
        let (mut book, id) = open(Kind::Asked);
        let asks = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"input_required","inputRequests":{{"user_name":{{"method":"elicitation/create"}}}},"requestState":"s"}}}}"#
        );
        let mut out = Vec::new();
        book.take(asks.as_bytes(), &mut out).expect("a question");
        let retry = String::from_utf8(out).expect("a line");
        assert!(retry.contains(r#""requestState":"s""#), "{retry}");
        assert!(book.take(asks.as_bytes(), &mut Vec::new()).is_err(), "it asks again");
    }
}
