//! The lists that a server has, and what clients are notified of.

use std::sync::Arc;

use super::task::TaskState;

/// A list whose changes clients can be notified of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListKind {
    Tools,
    Prompts,
    /// That of resources and that of their templates.
    Resources,
}

/// What clients can be notified of a change of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Topic {
    List(ListKind),
    /// The content of the resource with this canonical URI, or of any resource.
    Resource(Option<Box<str>>),
    Task(Arc<TaskState>),
}

impl Topic {
    /// True if a client that is told of the one need not be told of the other, earlier one.
    #[cfg(feature = "host")]
    pub(crate) fn is_of_the_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Task(one), Self::Task(other)) => one.id == other.id,
            _ => self == other,
        }
    }
}

impl ListKind {
    pub(crate) const ALL: [Self; 3] = [Self::Tools, Self::Prompts, Self::Resources];

    /// What it holds, its change notification, and its member in `subscriptions/listen`.
    const fn names(self) -> [&'static str; 3] {
        match self {
            Self::Tools => ["tools", "notifications/tools/list_changed", "toolsListChanged"],
            Self::Prompts => {
                ["prompts", "notifications/prompts/list_changed", "promptsListChanged"]
            }
            Self::Resources => {
                ["resources", "notifications/resources/list_changed", "resourcesListChanged"]
            }
        }
    }

    /// The entries of the list.
    pub(crate) const fn as_str(self) -> &'static str {
        self.names()[0]
    }

    pub(crate) fn changed(self) -> &'static str {
        self.names()[1]
    }

    pub(crate) fn subscription(self) -> &'static str {
        self.names()[2]
    }
}
