//! The control protocol without I/O: requests both ways, told apart by their ids.

mod wire;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde::Serialize;
use serde_json::value::RawValue;

use crate::agent::error::ControlError;

pub(crate) use wire::{Control, Request};

/// One run's side of the control protocol. `W` is whoever waits for an answer.
pub(crate) struct ControlSession<W> {
    next: u64,
    pending: HashMap<String, Pending<W>>,
    /// Requests of the CLI that are not answered yet.
    open: HashSet<String>,
}

/// A request of ours that is not answered yet.
pub(crate) struct Pending<W> {
    pub(crate) subtype: Cow<'static, str>,
    pub(crate) waiter: W,
}

/// The answer to a request: the text of its `response` object, or the CLI's refusal.
pub(crate) type Answer = Result<Box<str>, ControlError>;

impl<W> ControlSession<W> {
    pub(crate) fn new() -> Self {
        Self { next: 1, pending: HashMap::new(), open: HashSet::new() }
    }

    /// Writes a request and gives its id. `body` has the members of the request beside `subtype`.
    pub(crate) fn request<T: Serialize + ?Sized>(
        &mut self,
        subtype: Cow<'static, str>,
        body: &T,
        waiter: W,
        out: &mut Vec<u8>,
    ) -> String {
        let id = format!("req_{}", self.next);
        self.next += 1;
        wire::write_request(out, &id, &subtype, body);
        self.pending.insert(id.clone(), Pending { subtype, waiter });
        id
    }

    /// Takes a request back: nobody waits for it any more.
    pub(crate) fn withdraw(&mut self, id: &str, out: &mut Vec<u8>) {
        if self.pending.remove(id).is_some() {
            wire::write_cancel(out, id);
        }
    }

    /// Takes an answer of the CLI's; gives who waited for it. An unknown id is a late answer to a
    /// request that was withdrawn.
    pub(crate) fn resolve(&mut self, id: &str) -> Option<Pending<W>> {
        self.pending.remove(id)
    }

    /// The run has ended: gives all who wait for answers that will not come.
    pub(crate) fn abandon(&mut self) -> Vec<Pending<W>> {
        self.open.clear();
        self.pending.drain().map(|(_, pending)| pending).collect()
    }

    /// Notes a request of the CLI's; false if its id is one that is still being answered, and the
    /// request so a repetition.
    pub(crate) fn open(&mut self, id: &str) -> bool {
        self.open.insert(id.to_owned())
    }

    /// The CLI no longer wants an answer; says whether one was open.
    pub(crate) fn forget(&mut self, id: &str) -> bool {
        self.open.remove(id)
    }

    /// Answers a request of the CLI's, unless it was cancelled or answered before; `write` writes
    /// the response object.
    pub(crate) fn answer(&mut self, id: &str, write: impl FnOnce(&mut Vec<u8>), out: &mut Vec<u8>) {
        if self.open.remove(id) {
            wire::write_success(out, id, write);
        }
    }

    /// Answers a request of the CLI's with an error, unless it was cancelled or answered before.
    pub(crate) fn refuse(&mut self, id: &str, error: &str, code: Option<&str>, out: &mut Vec<u8>) {
        if self.open.remove(id) {
            wire::write_error(out, id, error, code);
        }
    }
}

/// The members of an empty request.
#[derive(Serialize)]
pub(crate) struct Nothing {}

/// An answer as JSON text, for callers that decode it themselves.
pub(crate) fn decode<T: serde::de::DeserializeOwned>(
    subtype: &str,
    answer: &str,
) -> Result<T, ControlError> {
    serde_json::from_str(answer).map_err(|error| ControlError::Malformed {
        subtype: subtype.to_owned(),
        reason: error.to_string(),
    })
}

/// An answer as it came.
pub(crate) fn raw(subtype: &str, answer: Box<str>) -> Result<Box<RawValue>, ControlError> {
    RawValue::from_string(answer.into()).map_err(|error| ControlError::Malformed {
        subtype: subtype.to_owned(),
        reason: error.to_string(),
    })
}

#[cfg(test)]
mod tests;
