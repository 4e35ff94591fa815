//! The way back from a tool or a registry to the server that it belongs to.

use std::sync::{Arc, Weak};

use super::{Bridge, Said};
use crate::agent::core::Core;
use crate::mcp::{CallId, Link};

/// One link for each of a run's servers. The sessions know them by weak references only, so the run
/// keeps them.
pub(in crate::agent) fn links(core: &Weak<Core>, servers: usize) -> Vec<Arc<dyn Link>> {
    (0..servers)
        .map(|server| Arc::new(ServerLink { core: core.clone(), server }) as Arc<dyn Link>)
        .collect()
}

/// The way back from a tool or registry to server number n of a run.
struct ServerLink {
    core: Weak<Core>,
    server: usize,
}

impl Link for ServerLink {
    fn notify(&self, call: &CallId, write: &mut dyn FnMut(&mut Vec<u8>)) {
        self.speak(|bridge, said| bridge.notify(self.server, call, write, said));
    }

    fn tools_changed(&self) {
        self.speak(|bridge, said| bridge.tools_changed(self.server, said));
    }
}

impl ServerLink {
    fn speak(&self, speak: impl FnOnce(&mut Bridge, &mut Said)) {
        if let Some(core) = self.core.upgrade() {
            core.state().speak(self.server, None, speak);
            core.to_write.notify_one();
        }
    }
}
