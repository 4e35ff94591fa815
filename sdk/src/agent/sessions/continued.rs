//! Whether a session goes on in another one, as the CLI notes at the end of its transcript.

use std::path::Path;

use super::glance::{Glance, WINDOW};
use super::prompt;
use crate::agent::uuid::is_uuid;
use crate::scan;

/// Whether it does: the other one has messages, and nothing was said behind the note.
pub(super) fn is_continued(transcript: &Path, glance: &Glance) -> bool {
    let Some(next) = next(&glance.tail) else { return false };
    let next = Glance::read(&transcript.with_file_name(next + ".jsonl"));
    next.ok().flatten().is_some_and(|Glance { head, tail, size, .. }| {
        size > WINDOW as u64 || [head, tail].iter().any(|text| text.contains("\"parentUuid\":"))
    })
}

/// The id of the session that goes on.
fn next(tail: &str) -> Option<String> {
    if !tail.contains("\"continued-in\"") {
        return None;
    }
    let end = tail.rsplit('\n').find_map(|line| match scan::text(line, "type").as_deref() {
        Some("continued-in") => Some(scan::text(line, "continuedInSessionId").map(String::from)),
        Some("user") => prompt::is_said(line).then_some(None),
        Some("assistant") => has_ended(line).then_some(None),
        _ => None,
    });
    end.flatten().filter(|id| is_uuid(id))
}

/// Whether an answer of the model is complete.
fn has_ended(line: &str) -> bool {
    let message = scan::member(line, "message").unwrap_or_default();
    scan::member(line, "isApiErrorMessage") != Some("true")
        && scan::text(message, "stop_reason").is_some()
}
