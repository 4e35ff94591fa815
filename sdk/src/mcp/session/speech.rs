//! Messages that a session sends for running calls and for the registry.

use super::questions::deliver;
use super::state::Session;
use crate::mcp::link::{AskError, Speech, Words};
use crate::mcp::outbox::{About, Outbox};
#[cfg(feature = "http")]
use crate::mcp::protocol::ErrorObject;
use crate::mcp::protocol::Topic;

impl Session {
    /// Writes a message of a running call or of the registry; nothing for a call that has ended.
    pub fn speak(&mut self, speech: Speech<'_>, out: &mut Outbox) {
        match speech.0 {
            Words::Notify { call, method, is_due, params } => {
                if self.is_running(call) && is_due() {
                    out.notification(About::Call(call.clone()), method, Some(params));
                }
            }
            Words::Ask { call, method, params, answer, id } => match self.is_running(call) {
                true => *id = self.questions.ask(call, method, params, answer, out),
                false => deliver(answer, Err(AskError::Closed), out),
            },
            Words::Withdraw { id } => self.questions.withdraw(id, out),
            // Since 2026-07-28 clients get only what they have asked for.
            Words::Custom(custom) if self.is_initialized => {
                let (method, mut params) = (&custom.method, |out: &mut Vec<u8>| custom.write(out));
                out.notification(About::Custom, method, Some(&mut params));
            }
            Words::Custom(_) => {}
            Words::Changed(topic) => self.changed(topic, out),
            #[cfg(feature = "http")]
            Words::Listened(ids) => self.subscriptions.add_tasks(ids),
        }
    }

    /// Withdraws the questions of calls with these numbers: they fail with this error.
    #[cfg(feature = "http")]
    pub(crate) fn give_up_questions(
        &mut self,
        calls: &[u64],
        error: &ErrorObject,
        out: &mut Outbox,
    ) {
        self.questions.give_up_all_of(calls, &AskError::Refused(error.clone()), out);
    }

    /// Withdraws all questions: they and those that follow fail with this error.
    #[cfg(feature = "host")]
    pub(crate) fn ask_no_more(&mut self, error: &AskError, out: &mut Outbox) {
        self.questions.close(error, out);
    }

    /// In the legacy era a client hears of a list once it is initialised, in the modern era on its
    /// subscriptions.
    fn changed(&mut self, topic: &Topic, out: &mut Outbox) {
        if let Topic::List(list) = topic
            && self.is_initialized
            && self.registry.server().offers.has(*list)
        {
            out.notification(About::Session, list.changed(), None);
        }
        self.subscriptions.changed(topic, out);
    }

    /// True if the client would be notified of this change.
    #[cfg(feature = "host")]
    pub(crate) fn wants(&self, topic: &Topic) -> bool {
        match topic {
            Topic::List(_) => true,
            Topic::Resource(uri) => self.subscriptions.want(uri.as_deref()),
            Topic::Task(task) => self.subscriptions.want_task(task),
        }
    }
}
