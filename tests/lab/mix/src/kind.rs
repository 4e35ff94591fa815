/// What a call is to come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An `async` function that is done at once.
    Good,
    /// A plain function, which has a thread.
    Plain,
    /// The tool fails.
    Failed,
    Panicked,
    /// By the client.
    Cancelled,
    /// By the server.
    TimedOut,
    /// 64 KiB in either direction.
    Large,
    /// The tool asks, and the client calls once more with the answer.
    Asked,
}

/// Every kind, its name in reports, and how many of 1,000 calls are of it.
pub const KINDS: [(Kind, &str, u64); 8] = [
    (Kind::Good, "good", 670),
    (Kind::Plain, "plain", 100),
    (Kind::Failed, "tool error", 100),
    (Kind::Panicked, "panic", 30),
    (Kind::Cancelled, "cancelled", 30),
    (Kind::TimedOut, "timed out", 5),
    (Kind::Large, "large", 15),
    (Kind::Asked, "question", 50),
];

/// Which kinds come in which order: the same for the same seed.
#[derive(Debug, Clone, Copy)]
pub struct Mix {
    pub seed: u64,
}

impl Mix {
    pub fn kind(self, id: u64) -> Kind {
        let mut left = self.number(id) % 1000;
        for (kind, _, share) in KINDS {
            match left.checked_sub(share) {
                Some(less) => left = less,
                None => return kind,
            }
        }
        Kind::Good
    }

    /// A number that looks like chance: SplitMix64.
    pub fn number(self, id: u64) -> u64 {
        let mut z = (self.seed ^ id.rotate_left(32)).wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_are_those_of_the_list() {
        assert_eq!(KINDS.iter().map(|(_, _, share)| share).sum::<u64>(), 1000);
        let mix = Mix { seed: 7 };
        for (kind, name, share) in KINDS {
            let count = (0..100_000).filter(|id| mix.kind(*id) == kind).count() as u64;
            assert!(count.abs_diff(share * 100) < 10 + share * 10, "{name}: {count}");
        }
    }
}
