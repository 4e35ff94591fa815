//! The lists that a server has, and what the protocol calls them.

/// A list that clients can hear of when it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListKind {
    Tools,
}

impl ListKind {
    pub(crate) const ALL: [Self; 1] = [Self::Tools];

    /// What it holds, which is also its member in a result.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Tools => "tools",
        }
    }

    /// The notification that tells of a change.
    pub(crate) fn changed(self) -> &'static str {
        match self {
            Self::Tools => "notifications/tools/list_changed",
        }
    }

    /// The member by which `subscriptions/listen` asks for it.
    pub(crate) fn subscription(self) -> &'static str {
        match self {
            Self::Tools => "toolsListChanged",
        }
    }
}
