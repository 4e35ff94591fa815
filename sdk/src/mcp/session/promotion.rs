//! Calls that go on as tasks.

use std::sync::Arc;

use super::state::Session;
use crate::mcp::call::{CallResult, Outcome, Subject};
use crate::mcp::link::CallId;
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{Revision, write_json};
use crate::mcp::tasks::End;

impl Session {
    /// Answers a call with the task that it goes on as, and returns what it calls; `None` if it was
    /// cancelled or answered before. `members` are those of the result.
    pub(crate) fn promote(
        &mut self,
        call: &CallId,
        members: &str,
        out: &mut Outbox,
    ) -> Option<Arc<dyn Subject>> {
        let entry = self.in_flight.take(call)?;
        let task = Ok(Outcome::Task(members.to_owned()));
        self.answer(call, entry.revision, &task, out);
        Some(entry.subject)
    }

    /// The result of a call for those who ask for it later.
    pub(crate) fn end_of_task(&self, result: &CallResult) -> End {
        let profile = Revision::LATEST.profile();
        let mut out = Vec::new();
        match result {
            Ok(Outcome::Complete(reply)) => {
                out.push(b'{');
                self.complete(profile, reply.meta(), &mut out, &mut |out| {
                    reply.write(profile, out)
                });
                out.push(b'}');
            }
            Ok(Outcome::InputRequired(_) | Outcome::Task(_)) => {}
            Err(error) => write_json(&mut out, &error.clone().within(profile)),
        }
        let text = String::from_utf8(out).unwrap_or_default();
        if result.is_ok() { Ok(text) } else { Err(text) }
    }
}
