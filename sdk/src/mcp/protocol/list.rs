//! The lists that a server has, and their names in the protocol.

/// A list whose changes clients can be notified of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListKind {
    Tools,
}

impl ListKind {
    pub(crate) const ALL: [Self; 1] = [Self::Tools];

    /// What it holds, its change notification, and its member in `subscriptions/listen`.
    fn names(self) -> [&'static str; 3] {
        match self {
            Self::Tools => ["tools", "notifications/tools/list_changed", "toolsListChanged"],
        }
    }

    /// The entries of the list, which is also its member in a result.
    pub(crate) fn as_str(self) -> &'static str {
        self.names()[0]
    }

    pub(crate) fn changed(self) -> &'static str {
        self.names()[1]
    }

    pub(crate) fn subscription(self) -> &'static str {
        self.names()[2]
    }
}
