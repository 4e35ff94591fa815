//! The body of a response that streams.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Bytes;
use futures_core::Stream;
use tokio::task::yield_now;

use super::wire::Part;

/// Sends parts, each as soon as the gates before it are open.
pub(super) struct Parts {
    rest: VecDeque<Part>,
    gate: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    is_flushed: bool,
}

impl Parts {
    pub(super) fn new(parts: VecDeque<Part>) -> Self {
        Self { rest: parts, gate: None, is_flushed: false }
    }
}

impl Stream for Parts {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(gate) = &mut self.gate {
                if gate.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
                self.gate = None;
            }
            match self.rest.pop_front() {
                None => return Poll::Ready(None),
                Some(Part::Events(events)) => return Poll::Ready(Some(Ok(events.into()))),
                Some(Part::Gate(gate)) => {
                    self.gate = Some(Box::pin(async move { gate.pass().await }))
                }
                // The server first flushes what it has, which it does when there is nothing to
                // read.
                Some(Part::Cut) if !self.is_flushed => {
                    self.is_flushed = true;
                    self.rest.push_front(Part::Cut);
                    self.gate = Some(Box::pin(yield_now()));
                }
                Some(Part::Cut) => {
                    return Poll::Ready(Some(Err(io::ErrorKind::ConnectionReset.into())));
                }
            }
        }
    }
}
