//! The body of a response that is a stream of events.

use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use bytes::Bytes;

use super::event;
use super::outlet::{Message, Source};
use super::timer::Timer;

/// The most bytes of one frame, after which the connection is asked whether it takes more.
const FRAME: usize = 64 * 1024;

/// The frames of a body.
pub(super) trait Frames: Send + Sync {
    /// The next frame; `None` at the end.
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>>;
}

/// Events from a source, and comments while there are none.
pub(super) struct Stream<S> {
    source: S,
    /// The first frame.
    first: Vec<u8>,
    keep_alive: Duration,
    silence: Timer,
}

impl<S: Source> Stream<S> {
    /// A stream that begins with `first` and what is there by now, or with a comment: buffering
    /// proxies pass the head on once something follows. A stream that is over is given as its
    /// bytes.
    pub(super) fn begin(
        mut source: S,
        first: Option<Message>,
        keep_alive: Duration,
    ) -> Result<Self, Vec<u8>> {
        let mut begin = Vec::new();
        source.begin(&mut begin);
        if let Some(message) = first {
            event::write(&mut begin, source.event_id(), &message.text);
        }
        let is_over = fill(&mut begin, &mut source, &mut Context::from_waker(Waker::noop()));
        if begin.is_empty() {
            begin.extend_from_slice(event::COMMENT);
        }
        match is_over {
            true => Err(begin),
            false => Ok(Self { source, first: begin, keep_alive, silence: Timer::default() }),
        }
    }
}

impl<S: Source> Frames for Stream<S> {
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut frame = std::mem::take(&mut self.first);
        let is_over = fill(&mut frame, &mut self.source, cx);
        if frame.is_empty() {
            if is_over {
                return Poll::Ready(None);
            }
            if self.keep_alive.is_zero() {
                return Poll::Pending;
            }
            ready!(self.silence.poll(cx, self.keep_alive));
            frame.extend_from_slice(event::COMMENT);
        }
        self.silence.stop();
        Poll::Ready(Some(frame.into()))
    }
}

/// Adds to a frame, until it is full, what the source has. Returns whether the source is over.
fn fill(frame: &mut Vec<u8>, source: &mut impl Source, cx: &mut Context<'_>) -> bool {
    while frame.len() < FRAME {
        match source.poll_next(cx) {
            Poll::Ready(Some(message)) => event::write(frame, source.event_id(), &message.text),
            Poll::Ready(None) => return true,
            Poll::Pending => return false,
        }
    }
    false
}
