use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use super::shared::Shared;
use crate::agent::inbox::Gate;
use crate::agent::message::{Peek, peek};

/// Holds back a result, and the end of the messages, until all that came before is stored.
pub(crate) struct MirrorGate {
    shared: Arc<Shared>,
    /// Since a message is held back.
    wait: Mutex<Option<Wait>>,
}

/// Only whoever owns the gate uses it, so that the lock is never taken; but it makes it `Sync`.
type Wait = Pin<Box<dyn Future<Output = ()> + Send>>;

impl MirrorGate {
    pub(super) fn of(shared: Arc<Shared>) -> Self {
        Self { shared, wait: Mutex::default() }
    }
}

impl Gate for MirrorGate {
    fn poll_pass(&mut self, message: Option<&str>, cx: &mut Context<'_>) -> Poll<Option<Arc<str>>> {
        if message.is_some_and(|message| !is_result(message)) {
            return Poll::Ready(None);
        }
        let kept = self.wait.get_mut().unwrap_or_else(PoisonError::into_inner);
        let wait = kept.get_or_insert_with(|| {
            let shared = self.shared.clone();
            Box::pin(async move { shared.settled().await })
        });
        if wait.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        // It stays until the message has passed, and a future that is done must not be polled.
        let error = self.shared.state().errors.pop_front();
        *kept = error.is_some().then(|| Box::pin(async {}) as _);
        Poll::Ready(error)
    }
}

fn is_result(message: &str) -> bool {
    // Most messages need not be looked into.
    message.contains("\"result\"") && matches!(peek(message), Peek::Result { .. })
}
