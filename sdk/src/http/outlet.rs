//! The messages for one response, from the session that writes them to the body that sends them.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use super::event::EventId;
use super::handover::hand_over;

/// Where the messages of a response come from. It is dropped with the response, and then ends what
/// nobody waits for.
pub(super) trait Source: Send + Sync + Unpin + 'static {
    /// The next message; `None` at the end.
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Message>>;

    /// True if the response ends here, and the client resumes it.
    fn is_cut(&self) -> bool {
        false
    }

    /// The response is a stream: appends what it begins with.
    fn begin(&mut self, _out: &mut Vec<u8>) {}

    /// The id of the message that came last, if the client can resume the stream after it.
    fn event_id(&self) -> Option<EventId> {
        None
    }
}

/// A queue of messages that ends. Those that add to it may hold a lock, so they do not wake the
/// reader: [`Outlet::wake`] does.
#[derive(Debug)]
pub(super) struct Outlet {
    /// The bytes that may wait before messages that need not arrive are dropped.
    bound: usize,
    state: Mutex<State>,
}

/// One message, without a line feed.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) text: Vec<u8>,
    pub(super) part: Part,
}

/// What a message is to the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// A message before the answer.
    Before,
    /// A change. While it is unread, the same change is not added again.
    Change,
    /// A question to the client, for whose answer a call waits.
    Asks,
    /// The answer; of an error the code.
    Answer(Option<i64>),
}

#[derive(Debug, Default)]
struct State {
    messages: VecDeque<Message>,
    bytes: usize,
    is_over: bool,
    waker: Option<Waker>,
}

impl Outlet {
    pub(super) fn new(bound: usize) -> Self {
        Self { bound, state: Mutex::default() }
    }

    /// Adds a message that may be dropped if the client does not read.
    pub(super) fn offer(&self, text: Vec<u8>) {
        self.add(|state| {
            let has_room = state.bytes + text.len() <= self.bound;
            has_room.then_some(Message { text, part: Part::Before })
        });
    }

    /// Adds a message that must arrive.
    pub(super) fn say(&self, text: Vec<u8>, part: Part) {
        self.add(|_| Some(Message { text, part }));
    }

    /// True if more waits than should.
    pub(super) fn is_behind(&self) -> bool {
        self.lock().bytes > self.bound
    }

    /// True once the answer has come, or nothing will come.
    pub(super) fn is_over(&self) -> bool {
        self.lock().is_over
    }

    /// The next message; `None` at the end.
    pub(super) fn poll_next(&self, cx: &mut Context<'_>) -> Poll<Option<Message>> {
        let mut state = self.lock();
        if let Some(message) = state.messages.pop_front() {
            state.bytes -= message.text.len();
            return Poll::Ready(Some(message));
        }
        if state.is_over {
            return Poll::Ready(None);
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Wakes the reader if anything has come. A waker is foreign code: the caller holds no lock.
    pub(super) fn wake(&self) {
        let mut state = self.lock();
        let is_ready = !state.messages.is_empty() || state.is_over;
        let waker = if is_ready { state.waker.take() } else { None };
        let is_over = state.is_over;
        drop(state);
        let Some(waker) = waker else { return };
        waker.wake();
        if !is_over {
            hand_over();
        }
    }

    fn add(&self, make: impl FnOnce(&mut State) -> Option<Message>) {
        let mut state = self.lock();
        if state.is_over {
            return;
        }
        if let Some(message) = make(&mut state) {
            state.is_over = matches!(message.part, Part::Answer(_));
            state.bytes += message.text.len();
            state.messages.push_back(message);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
