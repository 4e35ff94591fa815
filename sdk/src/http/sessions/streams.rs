//! The streams of one session.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::time::Instant;

use super::super::event::{self, EventId};
use super::super::handover::hand_over;
use super::super::open::{Exchange, Place};
use super::super::options::Options;
use super::super::outlet::{Message, Source};
use super::errors::unheard;
use super::ring::Ring;
use super::table::{Kind, Stream, Table};
use crate::host::{Received, Runner};
use crate::mcp::Outbox;

/// How long a client waits before it resumes a stream that was cut.
const RETRY: Duration = Duration::from_secs(3);
/// Clients of older revisions do not expect an event without a message.
const PRIMED_SINCE: &str = "2025-11-25";

/// The streams behind their lock, under which no waker is woken or dropped: the shell of the
/// session takes the lock while the runner's is held.
pub(super) struct Streams {
    state: Mutex<Table>,
    /// Of the session, which learns of questions that nobody gets.
    pub(super) runner: OnceLock<Weak<Runner>>,
}

/// What will come for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outlook {
    /// No answer.
    Nothing,
    /// The answer of a call.
    Waits,
    /// The answer is there.
    Over,
}

/// Reads one stream. When it is dropped, the stream goes on if the client can resume it.
pub(super) struct Reader {
    streams: Arc<Streams>,
    stream: u64,
    number: u64,
    /// What was read last.
    position: u64,
    /// The client knows the id of an event already.
    is_resumed: bool,
}

/// Ends a stream that belongs to no request.
pub(super) struct Listener {
    streams: Arc<Streams>,
    stream: u64,
}

impl Streams {
    pub(super) fn new(options: &Options, replay: usize, replay_for: Duration) -> Self {
        let replay_for = Some(replay_for).filter(|_| replay > 0);
        let bound = if replay > 0 { replay } else { options.max_unsent };
        let next = first_number();
        let state = Mutex::new(Table { bound, replay_for, next, ..Table::default() });
        Self { state, runner: OnceLock::new() }
    }

    /// Opens the stream of a request. Of a client that takes no streams it holds the answer only,
    /// and nothing can be resumed.
    pub(super) fn open(self: &Arc<Self>, takes_stream: bool) -> Reader {
        let mut state = self.lock();
        let is_kept = takes_stream && state.replay_for.is_some();
        self.add(&mut state, if is_kept { Kind::Kept } else { Kind::Passing })
    }

    /// Opens a stream for what belongs to no request.
    pub(super) fn listen(self: &Arc<Self>) -> (Reader, Arc<Listener>) {
        let mut state = self.lock();
        let reader = self.add(&mut state, Kind::Passing);
        state.listeners.push(reader.stream);
        if state.is_closed {
            state.end(reader.stream);
        }
        let listener = Listener { streams: self.clone(), stream: reader.stream };
        (reader, Arc::new(listener))
    }

    /// Continues a stream after an event, with the place of its calls that still run; `None` if it
    /// is not known any more.
    pub(super) fn resume(self: &Arc<Self>, after: EventId) -> Option<(Reader, Option<Arc<Place>>)> {
        let mut state = self.lock();
        state.next += 1;
        let number = state.next;
        let stream = state.streams.get_mut(&after.stream)?;
        if stream.kind != Kind::Kept || !stream.has_begun {
            return None;
        }
        (stream.reader, stream.is_cut) = (Some(number), false);
        let waker = stream.waker.take();
        state.woken.extend(waker);
        state.past.retain(|(_, past)| *past != after.stream);
        let place = state.place_of(after.stream);
        drop(state);
        self.wake();
        let reader = Reader {
            streams: self.clone(),
            stream: after.stream,
            number,
            position: after.position,
            is_resumed: true,
        };
        Some((reader, place))
    }

    fn add(self: &Arc<Self>, state: &mut Table, kind: Kind) -> Reader {
        state.next += 1;
        let number = state.next;
        let stream = Stream {
            ring: Ring::default(),
            kind,
            has_call: false,
            has_begun: false,
            reader: Some(number),
            is_cut: false,
            unread_since: None,
            waker: None,
        };
        state.streams.insert(number, stream);
        let streams = self.clone();
        Reader { streams, stream: number, number, position: 0, is_resumed: false }
    }

    /// See [`Table::note`].
    pub(super) fn note(
        &self,
        stream: u64,
        place: &Arc<Place>,
        received: &Received<'_>,
        outbox: &Outbox,
    ) {
        self.lock().note(stream, place, received, outbox);
    }

    /// Takes the messages of the session.
    pub(super) fn take(&self, outbox: &mut Outbox) {
        self.lock().take(outbox);
    }

    /// Ends the response that reads a stream, which goes on. Returns false if there is none, or if
    /// its client would not resume it.
    pub(super) fn cut(&self, stream: u64) -> bool {
        let mut state = self.lock();
        let is_primed = is_primed(state.version);
        let Some(stream) = state
            .streams
            .get_mut(&stream)
            .filter(|stream| is_primed && stream.kind == Kind::Kept && stream.reader.is_some())
        else {
            return false;
        };
        stream.is_cut = true;
        let waker = stream.waker.take();
        state.woken.extend(waker);
        drop(state);
        self.wake();
        true
    }

    /// Forgets streams whose time is over.
    pub(super) fn forget(&self) {
        self.lock().forget();
        self.wake();
    }

    /// Ends all streams.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        let all: Vec<_> = state.streams.keys().copied().collect();
        all.into_iter().for_each(|stream| state.end(stream));
        drop(state);
        self.wake();
    }

    /// Wakes the readers that have something to read, gives up the places of calls that are
    /// answered, and answers questions that nobody gets. The caller holds no lock.
    pub(super) fn wake(&self) {
        let mut state = self.lock();
        let (woken, left) = (std::mem::take(&mut state.woken), std::mem::take(&mut state.left));
        let lost = std::mem::take(&mut state.lost);
        let goes_on = std::mem::take(&mut state.goes_on);
        drop(state);
        drop(left);
        woken.into_iter().for_each(Waker::wake);
        if goes_on {
            hand_over();
        }
        if lost.is_empty() {
            return;
        }
        let Some(runner) = self.runner.get().and_then(Weak::upgrade) else { return };
        for question in lost {
            let _ = runner.receive(&unheard(&question));
        }
    }

    /// What will come for a request that the session has received.
    pub(super) fn outlook(&self, reader: &Reader) -> Outlook {
        match self.lock().streams.get(&reader.stream) {
            Some(stream) if stream.ring.is_over() => Outlook::Over,
            Some(stream) if stream.has_call => Outlook::Waits,
            _ => Outlook::Nothing,
        }
    }

    /// The revision of the session, once it is settled.
    pub(super) fn version(&self) -> Option<&'static str> {
        self.lock().version
    }

    pub(super) fn set_version(&self, version: &'static str) {
        self.lock().version = Some(version);
    }

    /// True if a call is not answered.
    pub(super) fn has_calls(&self) -> bool {
        !self.lock().calls.is_empty()
    }

    /// The calls that are not answered, and whose streams nobody has read for this time.
    pub(super) fn calls_unread_for(&self, time: Duration) -> Vec<u64> {
        self.lock().calls_unread_for(time)
    }

    /// When the last call was answered or cancelled; `None` if there was none.
    pub(super) fn last_end(&self) -> Option<Instant> {
        self.lock().last_end
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reader {
    /// The number of its stream.
    pub(super) fn stream(&self) -> u64 {
        self.stream
    }
}

impl Source for Reader {
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Message>> {
        let mut state = self.streams.lock();
        let Some(stream) = state.streams.get_mut(&self.stream) else { return Poll::Ready(None) };
        if stream.reader != Some(self.number) {
            return Poll::Ready(None);
        }
        if let Some((position, message)) = stream.ring.after(self.position) {
            self.position = position;
            let message = message.clone();
            match stream.kind {
                Kind::Kept => stream.ring.read(position),
                Kind::Passing => state.forget_until(self.stream, position),
            }
            return Poll::Ready(Some(message));
        }
        if stream.ring.is_over() || stream.is_cut {
            return Poll::Ready(None);
        }
        let old = stream.waker.replace(cx.waker().clone());
        drop(state);
        // A waker is foreign code.
        drop(old);
        Poll::Pending
    }

    fn is_cut(&self) -> bool {
        self.streams.lock().streams.get(&self.stream).is_some_and(|stream| stream.is_cut)
    }

    fn begin(&mut self, out: &mut Vec<u8>) {
        let mut state = self.streams.lock();
        let version = state.version;
        let Some(stream) = state.streams.get_mut(&self.stream) else { return };
        stream.has_begun = true;
        if stream.kind == Kind::Kept && is_primed(version) && !self.is_resumed {
            event::prime(out, EventId { stream: self.stream, position: 0 }, RETRY);
        }
    }

    fn event_id(&self) -> Option<EventId> {
        let state = self.streams.lock();
        let is_kept = state.streams.get(&self.stream)?.kind == Kind::Kept;
        is_kept.then_some(EventId { stream: self.stream, position: self.position })
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let mut state = self.streams.lock();
        let Some(stream) = state.streams.get_mut(&self.stream) else { return };
        if stream.reader != Some(self.number) {
            return;
        }
        (stream.reader, stream.unread_since) = (None, Some(Instant::now()));
        let waker = stream.waker.take();
        match stream.kind == Kind::Kept && stream.has_begun {
            true if stream.ring.is_over() => state.keep(self.stream),
            true => {}
            false => state.remove(self.stream),
        }
        drop(state);
        drop(waker);
        self.streams.wake();
    }
}

impl Exchange for Listener {
    fn close(&self) {
        self.streams.lock().end(self.stream);
        self.streams.wake();
    }
}

/// Where a session begins to number its streams, and its questions if it has come back. It may be
/// at another replica too, or have been here before a restart: a number from there is none from
/// here. Each state has a new seed.
pub(super) fn first_number() -> u64 {
    RandomState::new().build_hasher().finish() >> 32
}

/// True if clients of the revision know that a stream may end before its answer.
fn is_primed(version: Option<&str>) -> bool {
    version.is_some_and(|version| version >= PRIMED_SINCE)
}

#[cfg(test)]
mod tests;
