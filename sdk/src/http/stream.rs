//! The body of a response that is a stream of events.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::{Instant, Sleep, sleep};

use super::event;
use super::outlet::{Message, Source};

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
    /// What the first frame begins with.
    first: Vec<u8>,
    keep_alive: Duration,
    silence: Pin<Box<Sleep>>,
    /// Dropped with the stream: stops what nobody waits for.
    _guard: Box<dyn Send + Sync>,
}

impl<S: Source> Stream<S> {
    /// A stream that begins with `first`, or with a comment: buffering proxies pass the head on
    /// once something follows.
    pub(super) fn new(
        mut source: S,
        first: Option<Message>,
        keep_alive: Duration,
        guard: Box<dyn Send + Sync>,
    ) -> Self {
        let mut begin = Vec::new();
        source.begin(&mut begin);
        match first {
            Some(message) => event::write(&mut begin, source.event_id(), &message.text),
            None if begin.is_empty() => begin.extend_from_slice(event::COMMENT),
            None => {}
        }
        let silence = Box::pin(sleep(keep_alive));
        Self { source, first: begin, keep_alive, silence, _guard: guard }
    }
}

impl<S: Source> Frames for Stream<S> {
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut frame = std::mem::take(&mut self.first);
        while frame.len() < FRAME {
            match self.source.poll_next(cx) {
                Poll::Ready(Some(message)) => {
                    event::write(&mut frame, self.source.event_id(), &message.text);
                }
                Poll::Ready(None) if frame.is_empty() => return Poll::Ready(None),
                Poll::Ready(None) | Poll::Pending => break,
            }
        }
        if frame.is_empty() {
            ready!(self.silence.as_mut().poll(cx));
            frame.extend_from_slice(event::COMMENT);
        }
        self.silence.as_mut().reset(Instant::now() + self.keep_alive);
        Poll::Ready(Some(frame.into()))
    }
}
