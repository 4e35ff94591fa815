use super::names::{Name, Names};
use crate::scan;

/// The messages that a compaction has kept. They stay where they are in the transcript, with the
/// parents that they had; the boundary says where in the conversation they belong.
#[derive(Debug)]
pub(super) struct Kept {
    /// The entry behind which they belong, as a rule the summary.
    pub(super) anchor: Name,
    /// Those that get another parent: each belongs behind the one before. At least one.
    pub(super) entries: Vec<Name>,
    /// The one behind which the conversation goes on.
    pub(super) last: Name,
}

impl Kept {
    /// Reads what a boundary says of its compaction. It names all that was kept, or only the first
    /// and the last.
    pub(super) fn read(compaction: &str, names: &mut Names) -> Option<Self> {
        let member = |name| scan::member(compaction, name).filter(|raw| raw.starts_with('{'));
        if let Some(all) = member("preservedMessages") {
            let anchor = names.of_raw(scan::member(all, "anchorUuid"))?;
            let entries = scan::elements(scan::member(all, "uuids")?).ok()?;
            let entries: Vec<_> = entries.filter_map(|raw| names.of_raw(Some(raw))).collect();
            let last = *entries.last()?;
            return Some(Self { anchor, entries, last });
        }
        let ends = member("preservedSegment")?;
        let mut end = |name| names.of_raw(scan::member(ends, name));
        let (anchor, head) = (end("anchorUuid")?, end("headUuid")?);
        Some(Self { anchor, entries: vec![head], last: end("tailUuid")? })
    }
}
