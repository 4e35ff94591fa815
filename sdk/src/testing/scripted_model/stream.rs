//! The body of a response that streams.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Bytes;
use futures_core::Stream;
use tokio::task::yield_now;

use super::life::Life;
use super::wire::Part;

/// Sends parts, each as soon as the gates before it are open.
pub(super) struct Parts {
    rest: VecDeque<Part>,
    /// Whether it goes on behind a gate.
    gate: Option<Pin<Box<dyn Future<Output = bool> + Send>>>,
    is_flushed: bool,
    life: Life,
}

impl Parts {
    pub(super) fn new(parts: VecDeque<Part>, life: Life) -> Self {
        Self { rest: parts, gate: None, is_flushed: false, life }
    }
}

impl Stream for Parts {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(gate) = &mut self.gate {
                let Poll::Ready(goes_on) = gate.as_mut().poll(cx) else { return Poll::Pending };
                self.gate = None;
                if !goes_on {
                    self.rest = VecDeque::from([Part::Cut]);
                }
            }
            match self.rest.pop_front() {
                None => return Poll::Ready(None),
                Some(Part::Text(text)) => return Poll::Ready(Some(Ok(text.into()))),
                Some(Part::Gate(gate)) => {
                    self.gate = Some(Box::pin(self.life.clone().lasts_until_open(gate)));
                }
                // The server first flushes what it has, which it does when there is nothing to
                // read.
                Some(Part::Cut) if !self.is_flushed => {
                    self.is_flushed = true;
                    self.rest.push_front(Part::Cut);
                    self.gate = Some(Box::pin(async {
                        yield_now().await;
                        true
                    }));
                }
                Some(Part::Cut) => {
                    return Poll::Ready(Some(Err(io::ErrorKind::ConnectionReset.into())));
                }
            }
        }
    }
}
