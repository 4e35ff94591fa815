//! The protocol's revisions and the two eras they fall into.

/// Which of the protocol's eras a registry answers.
///
/// Legacy is the handshake of `initialize` (this version speaks 2025-11-25), modern is the
/// stateless protocol of 2026-07-28.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Eras {
    /// Both, told apart request by request.
    #[default]
    Both,
    /// Legacy only; `server/discover` is an unknown method, and clients fall back to `initialize`.
    Legacy,
    /// Modern only; `initialize` is refused with the versions that are supported.
    Modern,
}

/// A revision of the protocol that is spoken here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Revision {
    V2025_11_25,
    V2026_07_28,
}

impl Eras {
    pub(crate) fn legacy(self) -> bool {
        self != Self::Modern
    }

    pub(crate) fn modern(self) -> bool {
        self != Self::Legacy
    }
}

impl Revision {
    /// What `server/discover` offers.
    pub(crate) const MODERN: [Self; 1] = [Self::V2026_07_28];
    /// What `initialize` offers a client that asks for a version which is not spoken here.
    pub(crate) const LATEST_LEGACY: Self = Self::V2025_11_25;
    pub(crate) const COUNT: usize = 2;

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision that `initialize` settles for a client that asks for `version`.
    pub(crate) fn negotiate(version: &str) -> Self {
        match version {
            "2025-11-25" => Self::V2025_11_25,
            _ => Self::LATEST_LEGACY,
        }
    }

    pub(crate) fn is_modern(self) -> bool {
        self >= Self::V2026_07_28
    }

    /// A position for tables with one entry a revision.
    pub(crate) fn index(self) -> usize {
        self as usize
    }
}
