//! Notifications and requests that the protocol does not have.

use std::fmt;

use serde::Serialize;

use super::object_json;
use crate::scan::on_one_line;

/// The notifications of all revisions, and of the extension for tasks.
const OF_PROTOCOL: [&str; 13] = [
    "notifications/cancelled",
    "notifications/elicitation/complete",
    "notifications/initialized",
    "notifications/message",
    "notifications/progress",
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
    "notifications/roots/list_changed",
    "notifications/subscriptions/acknowledged",
    "notifications/tasks",
    "notifications/tasks/status",
    "notifications/tools/list_changed",
];

/// The requests of all revisions, and of the extension for tasks.
const REQUESTS: [&str; 23] = [
    "completion/complete",
    "elicitation/create",
    "initialize",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "roots/list",
    "sampling/createMessage",
    "server/discover",
    "subscriptions/listen",
    "tasks/cancel",
    "tasks/get",
    "tasks/list",
    "tasks/result",
    "tasks/update",
    "tools/call",
    "tools/list",
];

/// A notification of the server's own.
#[derive(Debug)]
pub(crate) struct CustomNotification {
    pub(crate) method: String,
    /// The JSON text of an object, on one line.
    pub(crate) params: String,
}

/// Why [`ToolRegistry::notify`](crate::ToolRegistry::notify),
/// [`Context::notify`](crate::Context::notify) or
/// [`Context::notify_session`](crate::Context::notify_session) refuses a notification.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotifyError {
    /// The method is one of the protocol, which says when it is sent.
    Reserved(String),
    /// The parameters cannot be written as a JSON object.
    Params(String),
    /// The session has ended.
    Closed,
}

/// True of the notifications of the protocol.
pub(crate) fn is_reserved(method: &str) -> bool {
    OF_PROTOCOL.contains(&method)
}

/// True of the requests of the protocol.
pub(crate) fn is_request(method: &str) -> bool {
    REQUESTS.contains(&method)
}

impl CustomNotification {
    pub(crate) fn new(method: &str, params: &impl Serialize) -> Result<Self, NotifyError> {
        if is_reserved(method) {
            return Err(NotifyError::Reserved(method.to_owned()));
        }
        let params = object_json(params).map_err(NotifyError::Params)?;
        Ok(Self { method: method.to_owned(), params: on_one_line(params) })
    }

    /// Writes the members of the parameters.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let members = self.params.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        out.extend_from_slice(members.unwrap_or_default().as_bytes());
    }
}

impl fmt::Display for NotifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reserved(method) => write!(f, "`{method}` is a notification of the protocol"),
            Self::Params(why) => write!(f, "the parameters cannot be sent: {why}"),
            Self::Closed => f.write_str("the session has ended"),
        }
    }
}

impl std::error::Error for NotifyError {}

#[cfg(test)]
mod tests;
