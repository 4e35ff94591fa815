//! The body of a response that is a stream of events.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::{Instant, Sleep, sleep};

use super::event;
use super::outlet::{Message, Outlet};

/// The most bytes of one frame, after which the connection is asked whether it takes more.
const FRAME: usize = 64 * 1024;

/// Events from an outlet, and comments while there are none.
pub(super) struct Stream {
    outlet: Arc<Outlet>,
    /// What the first frame begins with.
    first: Vec<u8>,
    keep_alive: Duration,
    silence: Pin<Box<Sleep>>,
    /// Dropped with the stream: stops what nobody waits for.
    _guard: Box<dyn Send + Sync>,
}

impl Stream {
    /// A stream that begins with `first`, or with a comment: buffering proxies pass the head on
    /// once something follows.
    pub(super) fn new(
        outlet: Arc<Outlet>,
        first: Option<Message>,
        keep_alive: Duration,
        guard: Box<dyn Send + Sync>,
    ) -> Self {
        let first = first.map_or(event::COMMENT.to_vec(), |message| {
            let mut first = Vec::new();
            event::write(&mut first, &message.text);
            first
        });
        let silence = Box::pin(sleep(keep_alive));
        Self { outlet, first, keep_alive, silence, _guard: guard }
    }

    /// The next frame; `None` at the end.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut frame = std::mem::take(&mut self.first);
        while frame.len() < FRAME {
            match self.outlet.poll_next(cx) {
                Poll::Ready(Some(message)) => event::write(&mut frame, &message.text),
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
