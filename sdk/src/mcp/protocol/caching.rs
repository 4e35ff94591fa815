//! For how long clients may keep an answer.

use std::time::Duration;

use super::{Profile, write_json};

/// For how long clients may use an answer again, and who may: the members `ttlMs` and `cacheScope`,
/// which 2026-07-28 has in lists, in `server/discover` and in `resources/read`. The default is not
/// at all, `ttlMs` 0.
///
/// ```
/// use std::time::Duration;
///
/// use toolwright::{Caching, ToolRegistry};
///
/// let registry = ToolRegistry::builder("calc")
///     .caching(Caching::public(Duration::from_secs(3600)))
///     .resources_caching(Caching::private(Duration::from_secs(10)))
///     .build()?;
/// # Ok::<(), toolwright::BuildError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Caching {
    ttl: Duration,
    is_public: bool,
}

impl Caching {
    /// The client may use the answer for so long, for the user who has got it. On the wire the time
    /// is in milliseconds, at most 2⁵³.
    pub const fn private(ttl: Duration) -> Self {
        Self { ttl, is_public: false }
    }

    /// The answer is the same for all users: caches in between may give it to others too.
    pub const fn public(ttl: Duration) -> Self {
        Self { ttl, is_public: true }
    }

    /// The same for an answer that depends on the user.
    pub(crate) fn of_user(self) -> Self {
        Self { is_public: false, ..self }
    }

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
