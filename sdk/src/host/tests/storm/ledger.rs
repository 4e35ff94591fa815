//! What became of each request.

use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde::de::IgnoredAny;
use toolwright::host::Shell;
use toolwright::mcp::Outbox;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    /// It was not answered yet. Not zero, so that the memory is used from the beginning.
    Open = 1,
    Answered,
    Cancelled,
}

#[derive(Clone)]
pub(super) struct Ledger(Arc<Mutex<Pages>>);

struct Pages {
    /// By the ids of the requests.
    fates: Vec<Fate>,
    /// The questions that are to be answered.
    questions: Vec<u64>,
    /// What must not happen.
    faults: Vec<String>,
    closed: usize,
}

#[derive(Deserialize)]
struct Said {
    id: Option<u64>,
    method: Option<IgnoredAny>,
}

impl Ledger {
    /// For requests with the ids below `count`.
    pub(super) fn new(count: usize) -> Self {
        let fates = vec![Fate::Open; count];
        let (questions, faults) = (Vec::new(), Vec::new());
        Self(Arc::new(Mutex::new(Pages { fates, questions, faults, closed: 0 })))
    }

    pub(super) fn cancelled(&self, id: u64) {
        self.0.lock().unwrap().close(id, Fate::Cancelled);
    }

    /// How many requests were answered or cancelled.
    pub(super) fn closed(&self) -> usize {
        self.0.lock().unwrap().closed
    }

    /// A question to answer.
    pub(super) fn question(&self) -> Option<u64> {
        self.0.lock().unwrap().questions.pop()
    }

    pub(super) fn assert_complete(&self) {
        let pages = self.0.lock().unwrap();
        assert!(pages.faults.is_empty(), "{:#?}", pages.faults);
        let open = pages.fates.iter().position(|fate| *fate == Fate::Open);
        assert_eq!(open, None, "this request was never answered");
    }
}

impl Pages {
    fn close(&mut self, id: u64, fate: Fate) {
        self.closed += 1;
        match &mut self.fates[id as usize] {
            open @ Fate::Open => *open = fate,
            before => self.faults.push(format!("{id}: {before:?}, then {fate:?}")),
        }
    }
}

impl Shell for Ledger {
    fn said(&self, outbox: &mut Outbox) {
        let mut pages = self.0.lock().unwrap();
        let bytes = outbox.take(Vec::new());
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            match serde_json::from_slice(line) {
                Ok(Said { id: Some(id), method: None }) => pages.close(id, Fate::Answered),
                Ok(Said { id: Some(id), method: Some(_) }) => pages.questions.push(id),
                Ok(Said { id: None, .. }) => {}
                Err(error) => pages.faults.push(format!("{error}: {}", line.escape_ascii())),
            }
        }
    }
}
