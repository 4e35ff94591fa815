//! Errors that a session gives where the registry has no answer.

use crate::mcp::protocol::{ErrorObject, RequestId, write_error};
use crate::scan;

/// The code that language servers use; MCP has none, as it wants no answer.
pub(super) const CANCELLED: i64 = -32800;
/// The first code that JSON-RPC leaves to an implementation.
const UNHEARD: i64 = -32000;

/// What a client would answer that cannot ask its user.
pub(super) fn unheard(question: &[u8]) -> Vec<u8> {
    let question = std::str::from_utf8(question).unwrap_or_default();
    let id = scan::member(question, "id").and_then(RequestId::read);
    error(id.as_ref(), &gone())
}

/// Why a question has no answer.
pub(super) fn gone() -> ErrorObject {
    ErrorObject::new(UNHEARD, "the client is gone")
}

/// The error for a request, or for all of a batch.
pub(super) fn cancelled(id: Option<&RequestId>) -> Vec<u8> {
    error(id, &ErrorObject::new(CANCELLED, "the client has cancelled the request"))
}

/// An error response, without its line feed.
fn error(id: Option<&RequestId>, error: &ErrorObject) -> Vec<u8> {
    let mut text = Vec::new();
    write_error(&mut text, id, error);
    text.pop();
    text
}
