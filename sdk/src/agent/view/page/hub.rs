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
    /// How many questions were asked.
    asked: u64,
    /// By their ids.
    questions: HashMap<String, Asked>,
    run: Option<Handle>,
}

/// A question that waits, and its event, which is kept as long as it does.
struct Asked {
    question: Question,
    event: (u64, Arc<String>),
}

/// An event with the time since the view began.
#[derive(Serialize)]
struct Timed<'a, E> {
    at_ms: u64,
    event: &'a E,
}

/// What concerns the page alone.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum News {
    /// The run may go on, but nothing more of it is shown.
    Unwatched,
}

impl Hub {
    pub(super) fn tell(&self, event: &impl Serialize) {
        if let Some(text) = self.text(event) {
            self.state().tell(text);
        }
    }

    /// What has this number or a later one, and what will come. A question that waits is among it,
    /// however long ago it was asked: without it nobody who comes now could answer.
    pub(super) fn read(&self, from: u64) -> (VecDeque<Numbered>, mpsc::Receiver<Numbered>) {
        let (reader, coming) = mpsc::channel(WAITING);
        let state = &mut *self.state();
        state.readers.retain(|reader| !reader.is_closed());
        state.readers.push(reader);
        let oldest = state.kept.front().map_or(state.count, |(number, _)| *number);
        let asked = state.questions.values().map(|asked| &asked.event);
        let mut asked: Vec<_> = asked.filter(|(number, _)| *number < oldest).collect();
        asked.sort_by_key(|(number, _)| *number);
        let all = asked.into_iter().chain(&state.kept).filter(|(number, _)| *number >= from);
        (all.map(|(number, text)| (*number, Arc::downgrade(text))).collect(), coming)
    }

    /// Asks a question, and keeps it until it is answered. Its id is that of no other one, also if
    /// the CLI asks about a call once more: an answer that comes late or twice is for no question
    /// that nobody has seen.
    pub(super) fn ask(&self, mut question: Question) {
        let number = {
            let state = &mut *self.state();
            state.asked += 1;
            state.asked
        };
        question.id = format!("{} {number}", question.id);
        let Some(text) = self.text(&question.event()) else { return };
        let state = &mut *self.state();
        let event = state.tell(text);
        state.questions.insert(question.id.clone(), Asked { question, event });
    }

    /// Answers a question, and tells that; not if it is not asked.
    pub(super) fn answer(&self, id: &str, reply: Reply) -> bool {
        let asked = self.state().questions.remove(id);
        let Some(Asked { question, .. }) = asked else { return false };
        self.tell(&question.answer(reply));
        true
    }

    /// Takes the questions out that are no longer asked, and tells that.
    pub(super) fn tell_withdrawn(&self) {
        let gone: Vec<_> = {
            let state = &mut *self.state();
            state.questions.extract_if(|_, asked| asked.question.is_withdrawn()).collect()
        };
        for (id, _) in gone {
            self.tell(&Event::Answer { id, is_allowed: None });
        }
    }

    /// A run is watched from now on, until what this gives is dropped.
    pub(super) fn watch(self: &Arc<Self>, run: Handle) -> Watching {
        let before = self.state().run.replace(run);
        drop(before);
        Watching { hub: self.clone(), is_over: false }
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

    /// `None` for arguments that are no JSON, which cannot be shown.
    fn text(&self, event: &impl Serialize) -> Option<String> {
        let at_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        serde_json::to_string(&Timed { at_ms, event }).ok()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn tell(&mut self, text: String) -> (u64, Arc<String>) {
        let (number, text) = (self.count, Arc::new(text));
        self.count += 1;
        self.bytes += text.len();
        let weak = Arc::downgrade(&text);
        self.readers.retain(|reader| reader.try_send((number, weak.clone())).is_ok());
        self.kept.push_back((number, text.clone()));
        while self.bytes > KEPT
            && let Some((_, oldest)) = self.kept.pop_front()
        {
            self.bytes -= oldest.len();
        }
        (number, text)
    }
}

/// A run that is watched.
#[must_use = "the run is watched until this is dropped"]
pub(super) struct Watching {
    hub: Arc<Hub>,
    pub(super) is_over: bool,
}

impl Drop for Watching {
    fn drop(&mut self) {
        // It may be the last handle of its run, with all the callbacks of that.
        let run = self.hub.state().run.take();
        drop(run);
        self.hub.tell_withdrawn();
        if !self.is_over {
            self.hub.tell(&News::Unwatched);
        }
    }
}

impl Default for Hub {
    fn default() -> Self {
        Self { began: Instant::now(), state: Mutex::default() }
    }
}
