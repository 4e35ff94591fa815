//! The values that each session has for itself.

use std::sync::Arc;

use crate::mcp::extensions::Extensions;
use crate::panics;

/// What makes them, a function for each type.
#[derive(Default)]
pub(crate) struct SessionStates(Vec<Box<Make>>);

type Make = dyn Fn(&mut Extensions) + Send + Sync;

impl SessionStates {
    pub(super) fn add<T: Send + Sync + 'static>(
        &mut self,
        make: impl Fn() -> T + Send + Sync + 'static,
    ) {
        self.0.push(Box::new(move |values: &mut Extensions| {
            values.insert(make());
        }));
    }

    /// The values of a new session, within those of its server. One whose function panics is
    /// missing.
    pub(super) fn begin(&self, server: &Arc<Extensions>) -> Extensions {
        let mut values = Extensions::within(server);
        for make in &self.0 {
            if let Err(panic) = panics::catch(|| make(&mut values)) {
                panics::trace(|| tracing::error!(panic, "the state of a session was not made"));
            }
        }
        values
    }
}
