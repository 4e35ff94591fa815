//! Entries that change what a list shows of a session.

use serde_json::{Value, json};

use super::error::SessionError;
use super::sanitize::sanitized;

/// The entry with a new title.
pub(super) fn title(id: &str, title: &str) -> Result<Value, SessionError> {
    match title.trim() {
        "" => Err(SessionError::EmptyTitle),
        title => Ok(json!({"type": "custom-title", "customTitle": title, "sessionId": id})),
    }
}

/// The entry with a new tag, or without one.
pub(super) fn tag(id: &str, tag: Option<&str>) -> Result<Value, SessionError> {
    let tag = tag.map(sanitized);
    let tag = tag.as_deref().map(str::trim);
    match tag {
        Some("") => Err(SessionError::EmptyTag),
        tag => Ok(json!({"type": "tag", "tag": tag.unwrap_or_default(), "sessionId": id})),
    }
}
