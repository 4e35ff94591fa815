//! The lists that a server has, and their names in the protocol.

/// A list whose changes clients can be notified of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListKind {
    Tools,
}

impl ListKind {
    pub(crate) const ALL: [Self; 1] = [Self::Tools];

    /// The entries of the list, which is also its member in a result.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Tools => "tools",
        }
    }

    /// The notification of a change.
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
