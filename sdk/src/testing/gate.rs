//! A gate that holds a reply back.

use std::sync::Arc;

use tokio::sync::watch;

/// Holds a [`Reply`](super::Reply), or a turn of a `ScriptedCli`, back until it is opened, so that
/// a test can act while the model is waited for.
///
/// ```
/// # use toolwright::testing::{Gate, Reply};
/// let gate = Gate::new();
/// let reply = Reply::new().text("At last.").held_by(&gate);
/// // …and when the time has come:
/// gate.open();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Gate(Arc<watch::Sender<State>>);

#[derive(Debug, Default)]
struct State {
    is_reached: bool,
    is_open: bool,
}

impl Gate {
    /// A closed gate.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Releases the reply, now or when it is requested.
    pub fn open(&self) {
        self.0.send_modify(|state| state.is_open = true);
    }

    /// Waits until the reply has been requested, or has come to the gate.
    pub async fn reached(&self) {
        self.wait(|state| state.is_reached).await;
    }

    pub(in crate::testing) async fn pass(&self) {
        self.0.send_modify(|state| state.is_reached = true);
        self.wait(|state| state.is_open).await;
    }

    async fn wait(&self, until: impl FnMut(&State) -> bool) {
        // It cannot fail: `self` is a sender.
        let _ = self.0.subscribe().wait_for(until).await;
    }
}
