//! `_meta` of questions.

use serde_json::{Map, Value};

use crate::mcp::protocol::write_json;

/// Adds `_meta` to the members of a question's parameters, if it has entries.
pub(super) fn write_meta(out: &mut Vec<u8>, meta: &Map<String, Value>) {
    if meta.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push(b',');
    }
    out.extend_from_slice(b"\"_meta\":");
    write_json(out, meta);
}
