//! For how long clients may keep an answer.

use std::time::Duration;

use super::{Profile, write_json};

/// For how long clients may use an answer again, and who may (MCP 2026-07-28, caching). Default: not
/// at all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct CachingHint {
    /// In milliseconds on the wire.
    pub(crate) ttl: Duration,
    /// The answer is the same for all users.
    pub(crate) is_public: bool,
}

impl CachingHint {
    /// Adds the members to a result, in revisions that have them.
    pub(crate) fn write(self, profile: &Profile, out: &mut Vec<u8>) {
        if !profile.has_caching_hints {
            return;
        }
        out.extend_from_slice(b",\"ttlMs\":");
        // Ample for every clock, and exact in the numbers of JavaScript.
        write_json(out, &(self.ttl.as_millis().min(1 << 53) as u64));
        out.extend_from_slice(match self.is_public {
            true => b",\"cacheScope\":\"public\"".as_slice(),
            false => b",\"cacheScope\":\"private\"",
        });
    }
}
