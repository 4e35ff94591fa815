use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::Shared;
use crate::agent::inbox::Gate;
use crate::agent::message::{Peek, peek};

/// Holds back a result, and the end of the messages, until all that came before is stored.
pub(crate) struct MirrorGate {
    shared: Arc<Shared>,
    /// Since a message is held back.
    wait: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl MirrorGate {
    pub(super) fn of(shared: Arc<Shared>) -> Self {
        Self { shared, wait: None }
    }
}

impl Gate for MirrorGate {
    fn poll_pass(&mut self, message: Option<&str>, cx: &mut Context<'_>) -> Poll<Option<Arc<str>>> {
        if message.is_some_and(|message| !is_result(message)) {
            return Poll::Ready(None);
        }
        let wait = self.wait.get_or_insert_with(|| {
            let shared = self.shared.clone();
            Box::pin(async move { shared.settled().await })
        });
        if wait.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        // It stays until the message has passed, and a future that is done must not be polled.
        let error = self.shared.state().errors.pop_front();
        self.wait = error.is_some().then(|| Box::pin(async {}) as _);
        Poll::Ready(error)
    }
}

fn is_result(message: &str) -> bool {
    // Most messages need not be looked into.
    message.contains("\"result\"") && matches!(peek(message), Peek::Result { .. })
}
