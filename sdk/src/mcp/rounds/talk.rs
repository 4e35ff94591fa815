//! The questions of one run of a call.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use super::keeper::Keeper;
use super::log::Log;
use crate::mcp::protocol::{Capability, ErrorObject, write_json};
use crate::scan::{self, Members};

/// What a run asks, and what it was given by its request. A run of a call without a [`Context`]
/// has none.
///
/// [`Context`]: crate::Context
#[derive(Debug, Default)]
pub(crate) struct Talk(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    given: Given,
    /// The questions that wait for the end of the round.
    open: Vec<Question>,
    /// How many questions the run has asked, by their methods.
    asked: BTreeMap<&'static str, u32>,
    /// What the client would have to support for the questions that failed.
    lacking: Vec<Capability>,
    /// Ends the round.
    failure: Option<ErrorObject>,
    /// Of the run, while it waits.
    waker: Option<Waker>,
}

/// What the request of a run brings from earlier rounds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Given {
    pub(crate) log: Option<Arc<Log>>,
    /// The state that has led to the log, and its round; 0 in the first one.
    state: Option<Box<str>>,
    round: u32,
    /// The JSON texts of the answers, by the keys of the questions.
    answers: Arc<BTreeMap<String, Box<str>>>,
}

/// A question, or without parameters the wish for another round.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) key: String,
    /// Of its method and parameters.
    pub(crate) digest: u64,
    pub(crate) method: &'static str,
    /// The members of its parameters as JSON text.
    pub(crate) params: Option<String>,
}

/// What is known of a question.
pub(crate) enum Look {
    /// It was answered in an earlier round.
    Settled(Box<str>),
    /// This request answers it.
    Given(Box<str>),
    Unknown,
}

/// How a run ends that waits for its client: the members of a result that asks, or `None` in place
/// of them after too many rounds.
pub(crate) type RoundEnd = Result<Option<String>, ErrorObject>;

/// The most bytes that an answer may have.
pub(crate) const ANSWER: usize = 1024 * 1024;

impl Given {
    /// Reads what a request brings: the JSON texts of `inputResponses` and `requestState`. `request`
    /// returns its fingerprint.
    pub(crate) fn read(
        answers: Option<&str>,
        state: Option<&str>,
        keeper: &dyn Keeper,
        request: impl FnOnce() -> u64,
    ) -> Result<Self, ErrorObject> {
        let invalid = |message: &'static str| Err(ErrorObject::invalid_params(message));
        let mut given = Self::default();
        if let Some(state) = state {
            let Some(state) = scan::string(state) else {
                return invalid("`requestState` must be a string");
            };
            let found = keeper.find(&state).filter(|(log, _)| log.request == request());
            let Some((log, round)) = found else {
                return invalid("`requestState` is unknown or expired, or of another request");
            };
            given.log = Some(log);
            given.state = Some(state.into());
            given.round = round;
        }
        if let Some(answers) = answers {
            let Ok(mut members) = Members::of(answers) else {
                return invalid("`inputResponses` must be an object");
            };
            let mut read = BTreeMap::new();
            while let Ok(Some(key)) = members.key() {
                let Ok(answer) = members.value() else { break };
                if !answer.starts_with('{') {
                    return invalid("each of `inputResponses` must be an object");
                }
                if answer.len() > ANSWER {
                    return invalid("an answer in `inputResponses` has more than 1 MiB");
                }
                read.insert(scan::unescape(key).into_owned(), answer.into());
            }
            given.answers = Arc::new(read);
        }
        Ok(given)
    }
}

impl Talk {
    pub(crate) fn new(given: Given) -> Self {
        Self(Mutex::new(State { given, ..State::default() }))
    }

    /// The log of the call, which the fingerprint of its request belongs to.
    pub(crate) fn log(&self, request: u64) -> Arc<Log> {
        let mut state = self.lock();
        state.given.log.get_or_insert_with(|| Arc::new(Log::new(request))).clone()
    }

    /// The key of the next question with this method, which is the same in each round.
    pub(crate) fn next_key(&self, method: &'static str) -> String {
        let mut state = self.lock();
        let asked = state.asked.entry(method).or_default();
        *asked += 1;
        let noun = method.split('/').next().unwrap_or_default();
        format!("{noun}-{asked}")
    }

    /// What is known of a question. An answer that comes with a state counts only if a round has
    /// ended with the question.
    pub(crate) fn look(&self, log: &Log, key: &str, digest: u64) -> Look {
        if let Some(answer) = log.answer(key, digest) {
            return Look::Settled(answer);
        }
        let state = self.lock();
        let is_due = state.given.state.is_none() || log.has_asked(key, digest);
        match state.given.answers.get(key) {
            Some(answer) if is_due => Look::Given(answer.clone()),
            _ => Look::Unknown,
        }
    }

    /// True if an earlier round has ended with the wish for another one.
    pub(crate) fn has_come_back(&self, log: &Log, key: &str, digest: u64) -> bool {
        self.lock().given.state.is_some() && log.has_asked(key, digest)
    }

    /// Ends the round with this question, unless the run takes it back before it waits.
    pub(crate) fn open(&self, question: Question) {
        let waker = {
            let mut state = self.lock();
            state.open.retain(|open| open.key != question.key);
            state.open.push(question);
            state.waker.take()
        };
        // A task of the run may have asked, which the run itself does not wait for.
        waker.into_iter().for_each(Waker::wake);
    }

    pub(crate) fn take_back(&self, key: &str) {
        self.lock().open.retain(|open| open.key != key);
    }

    /// Ends the round with an error.
    pub(crate) fn fail(&self, error: ErrorObject) {
        let waker = {
            let mut state = self.lock();
            state.failure = Some(error);
            state.waker.take()
        };
        waker.into_iter().for_each(Waker::wake);
    }

    /// Notes that a question has failed as the client does not support it.
    pub(crate) fn lack(&self, capability: Capability) {
        let lacking = &mut self.lock().lacking;
        if !lacking.contains(&capability) {
            lacking.push(capability);
        }
    }

    pub(crate) fn lacking(&self) -> Vec<Capability> {
        self.lock().lacking.clone()
    }

    /// The end of the round, if the run that waits now has a question.
    pub(crate) fn end(&self, waker: &Waker, request: u64, keeper: &dyn Keeper) -> Option<RoundEnd> {
        // A waker is foreign code: it is cloned and dropped without the lock.
        let waker = waker.clone();
        let (open, last, round) = {
            let mut state = self.lock();
            if let Some(error) = state.failure.take() {
                return Some(Err(error));
            }
            if state.open.is_empty() {
                let last = state.waker.replace(waker);
                drop(state);
                drop(last);
                return None;
            }
            (std::mem::take(&mut state.open), state.given.state.clone(), state.given.round)
        };
        let log = self.log(request);
        let questions = open.iter().map(|question| (&*question.key, question.digest));
        let Some(round) = log.end_round(round, questions) else { return Some(Ok(None)) };
        Some(match keeper.keep(&log, round, last.as_deref()) {
            Some(state) => Ok(Some(input_required(&open, &state))),
            None => Err(ErrorObject::new(
                ErrorObject::INTERNAL_ERROR,
                "what the call has to remember is too large",
            )),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The members of a result that asks.
fn input_required(open: &[Question], state: &str) -> String {
    let mut out = Vec::new();
    let mut questions =
        open.iter().filter_map(|question| Some((question, question.params.as_ref()?)));
    if let Some(first) = questions.next() {
        out.extend_from_slice(b"\"inputRequests\":");
        for (at, (question, params)) in std::iter::once(first).chain(questions).enumerate() {
            out.push(if at == 0 { b'{' } else { b',' });
            write_json(&mut out, &question.key);
            out.extend_from_slice(b":{\"method\":\"");
            out.extend_from_slice(question.method.as_bytes());
            out.extend_from_slice(b"\",\"params\":{");
            out.extend_from_slice(params.as_bytes());
            out.extend_from_slice(b"}}");
        }
        out.extend_from_slice(b"},");
    }
    out.extend_from_slice(b"\"requestState\":");
    write_json(&mut out, state);
    String::from_utf8(out).unwrap_or_default()
}
