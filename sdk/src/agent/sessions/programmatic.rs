//! Whether a program has begun a session, and not a person.

use super::glance::Glance;
use super::strings::{first_string, last_string};

/// What the CLI notes where a program has started it: itself with `--print`, or an SDK.
const PROGRAMS: [&str; 4] = ["sdk-cli", "sdk-ts", "sdk-py", "sdk-rs"];
/// What it notes of sessions in the background that nobody has asked for.
const DAEMONS: [&str; 2] = ["daemon", "daemon-worker"];

/// Whether the ends of a transcript say so, where the TypeScript SDK looks, too.
pub(super) fn is_programmatic(glance: &Glance) -> bool {
    let Glance { head, tail, .. } = glance;
    let entry = first_string(head, "entrypoint").or_else(|| last_string(tail, "entrypoint"));
    let first = head.split('\n').find(|line| line.contains("\"parentUuid\":")).unwrap_or(head);
    let kind = first_string(first, "sessionKind");
    entry.is_some_and(|entry| PROGRAMS.contains(&&*entry))
        || kind.is_some_and(|kind| DAEMONS.contains(&&*kind))
}
