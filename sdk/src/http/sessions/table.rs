//! What a session has for each of its streams.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use tokio::time::Instant;

use super::super::open::Place;
use super::super::outlet::{Message, Part};
use super::ring::Ring;

/// How many streams are kept that are over: one that has no messages counts no bytes.
const MOST_PAST: usize = 1_024;

/// The streams of a session, and what each waits for.
#[derive(Default)]
pub(super) struct Table {
    /// The most bytes of all messages that are not dropped; see [`Table::trim`].
    pub(super) bound: usize,
    /// Clients can resume streams for so long after the answer; `None`: not at all.
    pub(super) replay_for: Option<Duration>,
    /// By their numbers.
    pub(super) streams: BTreeMap<u64, Stream>,
    /// The calls and batches that are not answered, by their numbers.
    pub(super) calls: HashMap<u64, Call>,
    /// The places of calls that are answered, to be dropped without a lock.
    pub(super) left: Vec<Place>,
    /// Streams that belong to no request, the newest last.
    pub(super) listeners: Vec<u64>,
    /// The stream of the message that the session received last.
    pub(super) present: u64,
    /// The last number of a stream or a reader.
    pub(super) next: u64,
    /// The length of all messages.
    pub(super) bytes: usize,
    /// Streams with messages that need not arrive, by how many bytes these have.
    pub(super) spare: BTreeSet<(usize, u64)>,
    /// Streams that are over and have no reader, and since when.
    pub(super) past: VecDeque<(Instant, u64)>,
    /// Questions of calls whose streams are gone: their answers would never come.
    pub(super) lost: Vec<Vec<u8>>,
    /// Wakers of readers that have something to read.
    pub(super) woken: Vec<Waker>,
    /// One of them has something else to read than an answer.
    pub(super) goes_on: bool,
    /// The revision of the session, once it is settled.
    pub(super) version: Option<&'static str>,
    /// When the last call was answered or cancelled.
    pub(super) last_end: Option<Instant>,
    /// The session has ended.
    pub(super) is_closed: bool,
}

/// A call or a batch, which runs on without its client.
pub(super) struct Call {
    stream: u64,
    /// The number of the batch.
    batch: Option<u64>,
    place: Arc<Place>,
}

/// A stream, which may have had no event yet.
pub(super) struct Stream {
    pub(super) ring: Ring,
    pub(super) kind: Kind,
    /// Its request is a call, or a batch of calls.
    pub(super) has_call: bool,
    /// The client has seen the beginning.
    pub(super) has_begun: bool,
    /// The number of its reader: a client that resumes takes the place of the one before.
    pub(super) reader: Option<u64>,
    /// The reader ends once it has nothing more to read.
    pub(super) is_cut: bool,
    /// When the last reader has gone, if one has.
    pub(super) unread_since: Option<Instant>,
    pub(super) waker: Option<Waker>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// For a request, with events that have ids.
    Kept,
    /// What was read is forgotten.
    Passing,
}

impl Table {
    /// A stream gets the answer to a call, alone or with those of its batch.
    pub(super) fn expect(
        &mut self,
        stream: u64,
        place: &Arc<Place>,
        call: u64,
        batch: Option<u64>,
    ) {
        let all = [call].into_iter().chain(batch);
        self.calls.extend(all.map(|call| (call, Call { stream, batch, place: place.clone() })));
        if let Some(stream) = self.streams.get_mut(&stream) {
            stream.has_call = true;
        }
    }

    /// The newest stream that belongs to no request.
    pub(super) fn listener(&self) -> Option<u64> {
        self.listeners.last().copied()
    }

    /// The number of the stream of a call that is not answered.
    pub(super) fn stream_of(&self, call: u64) -> Option<u64> {
        self.calls.get(&call).map(|call| call.stream)
    }

    /// The calls and batches that are not answered and whose streams nobody has read for this time.
    pub(super) fn calls_unread_for(&self, time: Duration) -> Vec<u64> {
        let is_unread = |call: &Call| {
            let stream = self.streams.get(&call.stream).filter(|stream| stream.reader.is_none());
            let since = stream.and_then(|stream| stream.unread_since);
            since.is_some_and(|since| since.elapsed() >= time)
        };
        self.calls.iter().filter(|(_, call)| is_unread(call)).map(|(number, _)| *number).collect()
    }

    /// The place of the calls of a stream, unless they are answered.
    pub(super) fn place_of(&self, stream: u64) -> Option<Arc<Place>> {
        let mut calls = self.calls.values();
        calls.find(|call| call.stream == stream).map(|call| call.place.clone())
    }

    /// A call is answered or cancelled. Returns the numbers of its stream, which may be gone, and
    /// of its batch.
    pub(super) fn leave(&mut self, call: u64) -> Option<(u64, Option<u64>)> {
        let Call { stream, batch, place } = self.calls.remove(&call)?;
        self.left.extend(Arc::into_inner(place));
        Some((stream, batch))
    }

    /// All calls of a stream are answered or cancelled.
    pub(super) fn leave_all(&mut self, stream: u64) {
        let gone = self.calls.extract_if(|_, call| call.stream == stream);
        self.left.extend(gone.filter_map(|(_, call)| Arc::into_inner(call.place)));
    }

    /// Keeps the bound: drops what need not arrive of the stream that has the most of it, then
    /// streams of the past but this one, then questions that were read. The newest message of a
    /// stream, which may be an answer, stays.
    fn trim(&mut self, but: u64) {
        while self.bytes > self.bound {
            let has_dropped = match self.spare.last() {
                Some(&(_, number)) => self.change(number, Ring::drop_oldest) == Some(true),
                None => self.drop_past(but) || self.drop_asked(),
            };
            if !has_dropped {
                return;
            }
        }
    }

    fn drop_past(&mut self, but: u64) -> bool {
        let at = self.past.iter().position(|(_, number)| *number != but);
        let past = at.and_then(|at| self.past.remove(at));
        past.inspect(|(_, number)| self.remove(*number)).is_some()
    }

    fn drop_asked(&mut self) -> bool {
        let all: Vec<_> = self.streams.keys().copied().collect();
        all.into_iter().any(|number| self.change(number, Ring::drop_asked) == Some(true))
    }

    /// Changes the messages of a stream, and counts them anew.
    fn change<T>(&mut self, number: u64, change: impl FnOnce(&mut Ring) -> T) -> Option<T> {
        let ring = &mut self.streams.get_mut(&number)?.ring;
        let (bytes, spare) = (ring.bytes(), ring.spare());
        let changed = change(ring);
        self.bytes = self.bytes - bytes + ring.bytes();
        if ring.spare() != spare {
            self.spare.remove(&(spare, number));
            self.spare.extend(Some(ring.spare()).filter(|spare| *spare > 0).map(|it| (it, number)));
        }
        Some(changed)
    }

    /// Forgets the messages up to one that was read.
    pub(super) fn forget_until(&mut self, number: u64, position: u64) {
        self.change(number, |ring| ring.drop_until(position));
    }

    pub(super) fn remove(&mut self, number: u64) {
        let Some(stream) = self.streams.remove(&number) else { return };
        self.bytes -= stream.ring.bytes();
        self.spare.remove(&(stream.ring.spare(), number));
        self.woken.extend(stream.waker);
        self.listeners.retain(|listener| *listener != number);
        for message in stream.ring.into_messages() {
            match (message.part, self.listener()) {
                (Part::Asks, _) => self.lost.push(message.text),
                // The client may have connected again before its old connection broke here.
                (Part::Change, Some(listener)) => self.say(listener, message),
                _ => {}
            }
        }
    }

    /// Adds a message to a stream.
    pub(super) fn say(&mut self, number: u64, message: Message) {
        if message.part == Part::Asks && !self.streams.contains_key(&number) {
            return self.lost.push(message.text);
        }
        if self.change(number, |ring| ring.push(message)) == Some(true) {
            self.settle(number);
            self.trim(number);
        }
    }

    /// Ends a stream.
    pub(super) fn end(&mut self, number: u64) {
        self.change(number, Ring::end);
        self.settle(number);
    }

    /// Wakes the reader of a stream, and keeps a stream that is over and has none.
    fn settle(&mut self, number: u64) {
        let Some(stream) = self.streams.get_mut(&number) else { return };
        let (waker, is_past) = (stream.waker.take(), stream.is_past());
        self.goes_on |= waker.is_some() && !stream.ring.is_over();
        self.woken.extend(waker);
        if is_past {
            self.keep(number);
        }
    }

    /// Keeps a stream for some time whose answer the client may not have.
    pub(super) fn keep(&mut self, number: u64) {
        match self.replay_for {
            Some(_) => self.past.push_back((Instant::now(), number)),
            None => self.remove(number),
        }
        if self.past.len() > MOST_PAST {
            self.drop_past(number);
        }
    }

    /// Forgets streams whose time is over.
    pub(super) fn forget(&mut self) {
        while let Some(&(since, number)) = self.past.front()
            && self.replay_for.is_some_and(|time| since.elapsed() >= time)
        {
            self.past.pop_front();
            self.remove(number);
        }
    }
}

impl Stream {
    /// True if it is over and nobody reads it.
    fn is_past(&self) -> bool {
        self.ring.is_over() && self.reader.is_none()
    }
}
