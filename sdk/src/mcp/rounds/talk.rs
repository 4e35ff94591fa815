//! The questions of one run of a call.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

#[cfg(feature = "host")]
use super::given::Answers;
use super::given::Given;
use super::keeper::Keeper;
use super::log::Log;
use super::question::{Question, write_questions};
use crate::mcp::link::AskError;
use crate::mcp::places::Places;
use crate::mcp::protocol::{Capability, ErrorObject, write_json};

/// What a run asks, and what it was given by its request. A run of a call without a [`Context`]
/// has none.
///
/// [`Context`]: crate::Context
#[derive(Default)]
pub(crate) struct Talk(Mutex<State>);

#[derive(Default)]
struct State {
    given: Given,
    stage: Stage,
    /// The questions that wait for the end of the round, or for their answers.
    open: Vec<Open>,
    /// How many questions were open so far.
    opened: u64,
    /// The keys of all questions of a task.
    keys: Places<'static>,
    /// Called when the questions of a task have changed.
    notice: Option<Notice>,
    /// The keys of the questions that were asked without one.
    used: Places<'static>,
    /// What the client would have to support for the questions that failed.
    lacking: Vec<Capability>,
    /// Ends the round.
    failure: Option<ErrorObject>,
    /// Of the run, while it waits.
    waker: Option<Waker>,
}

/// How the questions of a run are answered.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// They end the round.
    #[default]
    Round,
    /// They have ended the round.
    Over,
    /// The call has become a task, where they wait for their answers.
    Task,
}

struct Open {
    number: u64,
    question: Question,
    answer: Option<Box<str>>,
    /// Of what waits for the answer.
    waker: Option<Waker>,
}

/// What is known of a question.
pub(crate) enum Look {
    /// It was answered in an earlier round.
    Settled(Box<str>),
    /// This round brings the answer, or an earlier one did and no run has read it yet.
    Given(Box<str>, u32),
    Unknown,
}

/// How a run ends that waits for its client: the members of a result that asks, or `None` in place
/// of them after too many rounds.
pub(crate) type RoundEnd = Result<Option<String>, ErrorObject>;

/// Called without a lock.
pub(crate) type Notice = Arc<dyn Fn() + Send + Sync>;

/// How many questions a task may ask.
const QUESTIONS: usize = 64;

impl Talk {
    pub(crate) fn new(given: Given) -> Self {
        Self(Mutex::new(State { given, ..State::default() }))
    }

    /// The log of the call, which the fingerprint of its request belongs to.
    pub(crate) fn log(&self, request: u64) -> Arc<Log> {
        let mut state = self.lock();
        state.given.log.get_or_insert_with(|| Arc::new(Log::new(request))).clone()
    }

    /// The key of the next question without one, which is the same in each round.
    #[inline]
    pub(crate) fn next_key(&self, log: &Log, method: &str, digest: u64) -> String {
        let noun = method.split('/').next().unwrap_or_default();
        let mut state = self.lock();
        let key = log.key(noun, digest, &state.used);
        state.used.add(key.clone().into());
        key
    }

    /// What is known of a question. An answer that comes with a state counts only if a round has
    /// ended with the question.
    #[inline]
    pub(crate) fn look(&self, log: &Log, key: &str, digest: u64) -> Look {
        match log.answer(key, digest) {
            Some((answer, None)) => return Look::Settled(answer),
            Some((answer, Some(round))) => return Look::Given(answer, round),
            None => {}
        }
        let state = self.lock();
        let is_due = state.given.state.is_none() || log.has_asked(key, digest);
        match state.given.answers.as_ref().and_then(|answers| answers.get(key)) {
            Some(answer) if is_due => Look::Given(answer.clone(), state.given.round),
            _ => Look::Unknown,
        }
    }

    /// True if an earlier round has ended with the wish for another one.
    #[inline]
    pub(crate) fn has_come_back(&self, log: &Log, key: &str, digest: u64) -> bool {
        self.lock().given.state.is_some() && log.has_asked(key, digest)
    }

    /// Opens a question and returns its number; a task may ask only so often. It ends the round,
    /// unless the run takes it back before it waits.
    #[inline]
    pub(crate) fn open(&self, mut question: Question) -> Result<u64, AskError> {
        let (number, waker, notice) = {
            let mut state = self.lock();
            match state.stage {
                Stage::Over => return Err(AskError::Closed),
                Stage::Task if question.params.is_some() => {
                    if state.keys.len() >= QUESTIONS {
                        return Err(AskError::Overloaded);
                    }
                    state.name(&mut question);
                }
                Stage::Task | Stage::Round => {}
            }
            state.opened += 1;
            let number = state.opened;
            let open = Open { number, question, answer: None, waker: None };
            let notice = state.notice_of(&open);
            state.open.push(open);
            (number, state.waker.take(), notice)
        };
        // A task of the run may have asked, which the run itself does not wait for.
        if let Some(waker) = waker {
            waker.wake();
        }
        if let Some(notice) = notice {
            notice();
        }
        Ok(number)
    }

    /// The answer to an open question of a task; `None` in place of it for the wish for another
    /// round, which a task does not need. In a round there is no answer.
    #[inline]
    pub(crate) fn poll_answer(
        &self,
        number: u64,
        waker: &Waker,
    ) -> Poll<Result<Option<Box<str>>, AskError>> {
        // A waker is foreign code: it is cloned and dropped without the lock.
        let mut waker = Some(waker.clone());
        let mut state = self.lock();
        if state.stage == Stage::Over {
            return Poll::Ready(Err(AskError::Closed));
        }
        let is_task = state.stage == Stage::Task;
        let Some(at) = state.open.iter().position(|open| open.number == number) else {
            return Poll::Pending;
        };
        let open = &mut state.open[at];
        std::mem::swap(&mut open.waker, &mut waker);
        if !is_task || (open.answer.is_none() && open.question.params.is_some()) {
            return Poll::Pending;
        }
        let open = state.open.remove(at);
        drop(state);
        Poll::Ready(Ok(open.answer))
    }

    pub(crate) fn take_back(&self, number: u64) {
        let taken = {
            let mut state = self.lock();
            let at = state.open.iter().position(|open| open.number == number);
            at.map(|at| state.open.remove(at)).map(|open| (state.notice_of(&open), open))
        };
        if let Some((Some(notice), _)) = &taken {
            notice();
        }
    }

    /// Ends the round with an error. Returns false in a task, where no request can fail.
    #[inline]
    pub(crate) fn fail(&self, error: ErrorObject) -> bool {
        let waker = {
            let mut state = self.lock();
            if state.stage == Stage::Task {
                return false;
            }
            state.failure = Some(error);
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
        true
    }

    /// True if the call has become a task, which has no rounds any longer.
    pub(crate) fn is_task(&self) -> bool {
        self.lock().stage == Stage::Task
    }

    /// The round that the request answers; 0 in the first one.
    pub(crate) fn round(&self) -> u32 {
        self.lock().given.round
    }

    /// The run is over: questions of what it has started elsewhere fail.
    pub(crate) fn close(&self, keeper: &dyn Keeper) {
        let (wakers, state) = {
            let mut state = self.lock();
            state.stage = Stage::Over;
            (wakers_of(&mut state.open), state.given.state.take())
        };
        wake_all(wakers);
        if let Some(state) = state {
            keeper.measure(&state);
        }
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
        let waker = waker.clone();
        let (mut open, given) = {
            let mut state = self.lock();
            if state.stage == Stage::Task {
                return None;
            }
            if let Some(error) = state.failure.take() {
                state.stage = Stage::Over;
                return Some(Err(error));
            }
            if state.open.is_empty() {
                let last = state.waker.replace(waker);
                drop(state);
                drop(last);
                return None;
            }
            state.stage = Stage::Over;
            (std::mem::take(&mut state.open), state.given.clone())
        };
        // What the run has started elsewhere does not wait any longer.
        wake_all(wakers_of(&mut open));
        let log = self.log(request);
        if let Some(answers) = &given.answers {
            log.keep_unread(given.round, answers);
        }
        // Of questions with one key the last one counts.
        let mut keys = Places::default();
        let mut questions = Vec::new();
        for Open { question, .. } in open.iter().rev() {
            if keys.add((&*question.key).into()) {
                questions.push(question);
            }
        }
        questions.reverse();
        let named = questions.iter().map(|question| (&*question.key, question.digest));
        let Some(round) = log.end_round(given.round, named) else { return Some(Ok(None)) };
        Some(match keeper.keep(&log, round, given.state.as_deref()) {
            Some(state) => Ok(Some(input_required(&questions, &state))),
            None => Err(ErrorObject::internal("what the call has to remember is too large")),
        })
    }

    /// Makes the call a task, unless its round has ended. Returns the wakers of what waits, and the
    /// notice if it has questions already; all are called without a lock. From then on `notice` is
    /// called when its questions have changed.
    #[cfg(feature = "host")]
    pub(crate) fn begin_task(&self, notice: Notice) -> Option<(Vec<Waker>, Option<Notice>)> {
        let mut state = self.lock();
        if state.stage != Stage::Round || state.failure.is_some() {
            return None;
        }
        state.stage = Stage::Task;
        state.notice = Some(notice);
        let mut open = std::mem::take(&mut state.open);
        open.iter_mut().for_each(|open| state.name(&mut open.question));
        let mut wakers = wakers_of(&mut open);
        if let Some(waker) = state.waker.take() {
            wakers.push(waker);
        }
        let notice = open.iter().find_map(|open| state.notice_of(open));
        state.open = open;
        Some((wakers, notice))
    }

    /// Gives a task the answers to its questions. An answer to no open question is ignored.
    #[cfg(feature = "host")]
    pub(crate) fn answer(&self, answers: &Answers) {
        let (wakers, notice) = {
            let mut state = self.lock();
            let (mut wakers, mut is_answered) = (Vec::new(), false);
            for open in state.open.iter_mut().filter(|open| open.is_unanswered()) {
                if let Some(answer) = answers.get(&open.question.key) {
                    open.answer = Some(answer.clone());
                    if let Some(waker) = open.waker.take() {
                        wakers.push(waker);
                    }
                    is_answered = true;
                }
            }
            (wakers, state.notice.clone().filter(|_| is_answered))
        };
        wake_all(wakers);
        if let Some(notice) = notice {
            notice();
        }
    }

    /// The questions of a task that have no answer, as the JSON text of an object.
    #[cfg(feature = "host")]
    pub(crate) fn questions(&self) -> Option<String> {
        let state = self.lock();
        let (mut questions, mut out) = (Vec::new(), Vec::new());
        for open in state.open.iter().filter(|open| open.is_unanswered()) {
            questions.push(&open.question);
        }
        write_questions(&questions, &mut out).then(|| String::from_utf8(out).unwrap_or_default())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The notice if this question changes what the client of a task is asked.
    fn notice_of(&self, open: &Open) -> Option<Notice> {
        self.notice.clone().filter(|_| open.is_unanswered())
    }

    /// Gives a question of a task a key that no other one has had (SEP-2663).
    fn name(&mut self, question: &mut Question) {
        let wanted = question.key.clone();
        let mut number = 1;
        while !self.keys.add(question.key.clone().into()) {
            number += 1;
            question.key = format!("{wanted}-{number}");
        }
    }
}

impl Open {
    /// True if the client of a task is to answer it.
    fn is_unanswered(&self) -> bool {
        self.answer.is_none() && self.question.params.is_some()
    }
}

impl fmt::Debug for Talk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Talk").finish_non_exhaustive()
    }
}

/// Takes the wakers of all that waits for answers.
fn wakers_of(open: &mut [Open]) -> Vec<Waker> {
    let mut wakers = Vec::new();
    for open in open {
        if let Some(waker) = open.waker.take() {
            wakers.push(waker);
        }
    }
    wakers
}

/// Called without a lock, as a waker is foreign code.
pub(crate) fn wake_all(wakers: Vec<Waker>) {
    for waker in wakers {
        waker.wake();
    }
}

/// The members of a result that asks.
fn input_required(questions: &[&Question], state: &str) -> String {
    let mut out = b"\"inputRequests\":".to_vec();
    match write_questions(questions, &mut out) {
        true => out.push(b','),
        false => out.clear(),
    }
    out.extend_from_slice(b"\"requestState\":");
    write_json(&mut out, state);
    String::from_utf8(out).unwrap_or_default()
}
