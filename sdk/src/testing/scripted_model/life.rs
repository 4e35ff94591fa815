//! How long the model is there.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use tokio::sync::watch;

use crate::testing::gate::Gate;

/// Whether the model is still there: its end of the channel goes with it.
#[derive(Clone, Debug)]
pub(super) struct Life(pub(super) watch::Receiver<()>);

impl Life {
    /// Waits until the model is dropped.
    pub(super) async fn over(mut self) {
        // Nothing is sent.
        let _ = self.0.changed().await;
    }

    /// Waits at a gate. Returns whether it was opened before the model was dropped.
    pub(super) async fn lasts_until_open(self, gate: Gate) -> bool {
        let (mut over, mut passed) = (pin!(self.over()), pin!(gate.pass()));
        poll_fn(|cx| match passed.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(true),
            Poll::Pending => over.as_mut().poll(cx).map(|()| false),
        })
        .await
    }
}
