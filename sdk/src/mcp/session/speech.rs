//! Messages that a session sends for running calls and for the registry.

use super::questions::deliver;
use super::state::Session;
use crate::mcp::link::{AskError, Speech, Words};
use crate::mcp::outbox::{About, Outbox};
use crate::mcp::protocol::ListKind;

impl Session {
    /// Writes a message of a running call or of the registry; nothing for a call that has ended.
    pub fn speak(&mut self, speech: Speech<'_>, out: &mut Outbox) {
        match speech.0 {
            Words::Notify { call, method, is_due, params } => {
                if self.is_running(call) && is_due() {
                    out.notification(About::Call(call.clone()), method, Some(params));
                }
            }
            Words::Ask { call, method, params, answer, id } => {
                let refusal = match self.in_flight.revision(call) {
                    Some(revision) if revision.profile().has_server_requests => {
                        *id = Some(self.questions.ask(call, method, params, answer, out));
                        return;
                    }
                    Some(_) => AskError::Unsupported,
                    None => AskError::Ended,
                };
                deliver(answer, Err(refusal), out);
            }
            Words::Withdraw { id } => self.questions.withdraw(id, out),
            Words::ListChanged(list) => self.list_changed(list, out),
        }
    }

    /// In the legacy era a client gets this once it is initialised, in the modern era on its
    /// subscriptions.
    fn list_changed(&mut self, list: ListKind, out: &mut Outbox) {
        if self.is_initialized {
            out.notification(About::Session, list.changed(), None);
        }
        self.subscriptions.changed(list, out);
    }
}
