//! What browsers are told, and what they answer.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use serde::Serialize;
use tokio::sync::mpsc;

use crate::agent::handle::Handle;
use crate::agent::view::desk::Question;
use crate::agent::view::event::Event;
use crate::agent::view::reply::Reply;

/// How much is kept for browsers that come later, in bytes; then the oldest is dropped.
pub(super) const KEPT: usize = 16 * 1024 * 1024;
/// How many events may wait for a browser. One that reads more slowly loses its connection, and
/// goes on where it was once it has connected again.
const WAITING: usize = 1024;

/// The number of an event, from 0, and its JSON text, which is gone once it is no longer kept: a
/// browser that does not read takes no memory.
pub(super) type Numbered = (u64, Weak<String>);

#[derive(Debug)]
pub(super) struct Hub {
    began: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    kept: VecDeque<(u64, Arc<String>)>,
    bytes: usize,
    count: u64,
    readers: Vec<mpsc::Sender<Numbered>>,
    /// By their ids.
    questions: HashMap<String, Question>,
    run: Option<Handle>,
}

/// An event with the time since the view began.
#[derive(Serialize)]
struct Timed<'a> {
    at_ms: u64,
    event: &'a Event,
}

impl Hub {
    pub(super) fn tell(&self, event: &Event) {
        let at_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        // Arguments that are no JSON cannot be shown.
        let Ok(text) = serde_json::to_string(&Timed { at_ms, event }) else { return };
        let state = &mut *self.state();
        let (number, text) = (state.count, Arc::new(text));
        state.count += 1;
        state.bytes += text.len();
        let weak = Arc::downgrade(&text);
        state.readers.retain(|reader| reader.try_send((number, weak.clone())).is_ok());
        state.kept.push_back((number, text));
        while state.bytes > KEPT
            && let Some((_, oldest)) = state.kept.pop_front()
        {
            state.bytes -= oldest.len();
        }
    }

    /// What has this number or a later one, and what will come.
    pub(super) fn read(&self, from: u64) -> (VecDeque<Numbered>, mpsc::Receiver<Numbered>) {
        let (reader, coming) = mpsc::channel(WAITING);
        let state = &mut *self.state();
        state.readers.retain(|reader| !reader.is_closed());
        state.readers.push(reader);
        let kept = state.kept.iter().filter(|(number, _)| *number >= from);
        (kept.map(|(number, text)| (*number, Arc::downgrade(text))).collect(), coming)
    }

    /// Keeps a question until it is answered, and gives what browsers are told of it. It gets an id
    /// of its own if another one is asked about the same call, so that no answer is mistaken for
    /// that to the other.
    pub(super) fn ask(&self, mut question: Question) -> Event {
        let state = &mut *self.state();
        let call = question.id.clone();
        for number in 2_u64.. {
            if !state.questions.contains_key(&question.id) {
                break;
            }
            question.id = format!("{call} {number}");
        }
        let event = question.event();
        state.questions.insert(question.id.clone(), question);
        event
    }

    /// Answers a question, and tells that; not if it is not asked.
    pub(super) fn answer(&self, call: &str, reply: Reply) -> bool {
        let question = self.state().questions.remove(call);
        let Some(question) = question else { return false };
        self.tell(&question.answer(reply));
        true
    }

    /// Takes the questions out that are no longer asked.
    pub(super) fn withdrawn(&self) -> Vec<Event> {
        let state = &mut *self.state();
        let gone = state.questions.extract_if(|_, question| question.is_withdrawn());
        gone.map(|(id, _)| Event::Answer { id, is_allowed: None }).collect()
    }

    pub(super) fn watch(&self, run: Option<Handle>) {
        // It may be the last handle of its run, with all the callbacks of that.
        let before = std::mem::replace(&mut self.state().run, run);
        drop(before);
    }

    pub(super) fn run(&self) -> Option<Handle> {
        self.state().run.clone()
    }

    /// Nobody can answer any more.
    pub(super) fn close(&self) {
        let state = std::mem::take(&mut *self.state());
        drop(state);
    }

    #[cfg(test)]
    pub(super) fn readers(&self) -> usize {
        self.state().readers.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Hub {
    fn default() -> Self {
        Self { began: Instant::now(), state: Mutex::default() }
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("count", &self.count).finish_non_exhaustive()
    }
}
