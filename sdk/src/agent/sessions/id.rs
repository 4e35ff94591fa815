//! Ids of sessions.

use super::error::SessionError;
use crate::agent::uuid::is_uuid;

/// Checks the id of a session.
pub(super) fn check(id: &str) -> Result<(), SessionError> {
    match is_uuid(id) {
        true => Ok(()),
        false => Err(SessionError::InvalidId { id: id.to_owned() }),
    }
}
