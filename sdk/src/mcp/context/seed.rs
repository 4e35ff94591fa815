//! The data of a context, before there is one.

use std::sync::Arc;

use super::connection::Connection;
use crate::mcp::extensions::Extensions;
use crate::mcp::link::CallId;
use crate::mcp::protocol::{ErrorObject, LoggingLevel, Params, Request, Revision};
use crate::mcp::rounds::{Given, Owner};
use crate::mcp::tasks::Permit;

/// The data of a [`Context`]. It borrows the line of the request.
pub(crate) struct Seed<'a> {
    pub(crate) connection: Arc<Connection>,
    pub(crate) call: CallId,
    pub(crate) revision: Revision,
    /// The JSON text of `_meta`.
    pub(crate) meta: Option<&'a str>,
    pub(crate) progress_token: Option<&'a str>,
    pub(crate) log_level: Option<LoggingLevel>,
    pub(crate) extensions: Extensions,
    pub(crate) asking: Asking<'a>,
    /// From earlier rounds.
    pub(crate) given: Option<Box<Given>>,
    /// The call may go on as a task.
    pub(crate) permit: Option<Box<Permit>>,
}

/// What a request calls, and what it brings from earlier rounds; as JSON texts.
pub(crate) struct Asking<'a> {
    pub(crate) method: &'static str,
    /// The name or the URI.
    pub(crate) target: &'a str,
    pub(crate) arguments: Option<&'a str>,
    pub(crate) input_responses: Option<&'a str>,
    pub(crate) request_state: Option<&'a str>,
    pub(crate) reach: Reach,
}

/// Whom a call can ask.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The client, if it declares that it answers.
    Client,
    /// Nobody: the connection has no way to the client and back while the call runs.
    Nobody,
    /// Nobody: the function cannot wait, or must not.
    Plain,
}

impl<'a> Asking<'a> {
    pub(crate) fn of(
        request: &Request<'a>,
        method: &'static str,
        target: &'a str,
        arguments: Option<&'a str>,
    ) -> Self {
        let Params { input_responses, request_state, .. } = request.params;
        let reach = Reach::Client;
        Self { method, target, arguments, input_responses, request_state, reach }
    }

    /// Of a request outside of the protocol, whose arguments are all of its parameters. It cannot
    /// ask by results, which are for requests of the protocol.
    pub(crate) fn by_requests(request: &Request<'a>, revision: Revision) -> Self {
        let arguments = request.params.text();
        match revision.profile().has_rounds {
            true => Self { arguments, ..Self::nothing() },
            false => Self { arguments, reach: Reach::Client, ..Self::nothing() },
        }
    }

    /// Of a call whose function has its arguments already, and cannot ask.
    pub(crate) fn nothing() -> Self {
        let (input_responses, request_state) = (None, None);
        let (method, target, arguments, reach) = ("", "", None, Reach::Plain);
        Self { method, target, arguments, input_responses, request_state, reach }
    }
}

impl Seed<'_> {
    /// Reads what the request brings from earlier rounds.
    pub(crate) fn resume(&mut self) -> Result<(), ErrorObject> {
        let Asking { input_responses, request_state, .. } = self.asking;
        let brings = input_responses.is_some() || request_state.is_some();
        if brings && self.revision.profile().has_rounds {
            let (keeper, request) = (&*self.connection.keeper, || self.fingerprint());
            let given = Given::read(input_responses, request_state, keeper, request)?;
            self.given = Some(Box::new(given));
        }
        Ok(())
    }

    /// What a request has in common with those of its other rounds.
    pub(super) fn fingerprint(&self) -> u64 {
        let Asking { method, target, arguments, .. } = self.asking;
        let owner = self.extensions.get::<Owner>();
        let keeper = &*self.connection.keeper;
        keeper.fingerprint((method, target, arguments.unwrap_or("{}"), owner))
    }
}
