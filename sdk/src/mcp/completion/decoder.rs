//! A completion as a call.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::completer::{Completer, Completing};
use crate::mcp::args::BadArguments;
use crate::mcp::call::{
    Begun, CallResult, Decoder, Ended, Failure, Kind, Outcome, Reply, Subject, Work,
};
use crate::mcp::context::Caller;
use crate::mcp::protocol::{ErrorObject, Profile, write_json};

/// The most values of one answer (MCP, `CompleteResult`).
const MOST: usize = 100;

/// One request for values.
struct Completion {
    subject: Arc<Argument>,
    completer: Completer,
    typed: String,
    chosen: Map<String, Value>,
}

/// What is completed.
#[derive(Debug)]
struct Argument {
    /// That of the prompt or the resource template.
    name: String,
    kind: Kind,
}

/// The values that were found.
#[derive(Debug, Default)]
struct Completed {
    values: Vec<String>,
    total: usize,
}

impl Completer {
    /// The call that completes `typed`. `name` is that of what has the argument.
    pub(crate) fn call(
        self,
        name: String,
        typed: String,
        chosen: Map<String, Value>,
    ) -> (Arc<dyn Subject>, Arc<dyn Decoder>) {
        let subject = Arc::new(Argument { name, kind: self.kind });
        let completion = Completion { subject: subject.clone(), completer: self, typed, chosen };
        (subject, Arc::new(completion))
    }
}

/// Writes the answer for an argument that nothing completes.
pub(crate) fn write_nothing(profile: &Profile, out: &mut Vec<u8>) {
    Completed::default().write(profile, out);
}

impl Subject for Argument {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn failure(&self, failure: Failure<'_>) -> CallResult {
        let why = match failure {
            Failure::BadArguments(_) | Failure::Panicked => "an internal error stopped it",
            Failure::TimedOut => "it did not finish in time",
            Failure::Overloaded => "too many calls wait already",
            Failure::TooManyRounds => "it has asked the client",
            Failure::ShutDown => "the server is shutting down",
            Failure::SessionEnded => "its session has ended",
        };
        let message = format!("The completion for `{}` failed: {why}.", self.name);
        Err(ErrorObject::internal(message).into())
    }
}

impl Decoder for Completion {
    fn subject(&self) -> &dyn Subject {
        &*self.subject
    }

    fn decode(&self, _: Option<&str>, caller: &dyn Caller) -> Result<Begun, BadArguments> {
        let context = caller.context();
        let at = Completing { chosen: self.chosen.clone(), context: context.clone() };
        let values = (self.completer.complete)(self.typed.clone(), at);
        let work = async move {
            let mut values = values.await;
            let total = values.len();
            values.truncate(MOST);
            Ended(Ok(Outcome::Complete(Box::new(Completed { values, total }))))
        };
        Ok(Begun { work: Work(Box::pin(work)), context: Some(context) })
    }
}

impl Reply for Completed {
    fn write(&self, _: &Profile, out: &mut Vec<u8>) {
        let Self { values, total } = self;
        let has_more = *total > values.len();
        out.extend_from_slice(b"\"completion\":{\"values\":");
        write_json(out, values);
        out.extend_from_slice(format!(",\"total\":{total},\"hasMore\":{has_more}}}").as_bytes());
    }
}
