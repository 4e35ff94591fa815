//! Changes to the CLI's environment.

use std::ffi::{OsStr, OsString};
use std::fmt;

/// Changes to the inherited environment, or to an empty one. Each name occurs once.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Env {
    pub(crate) clear: bool,
    pub(crate) changes: Vec<(OsString, Option<OsString>)>,
}

impl Env {
    /// Sets or removes a variable. The last change of a name replaces an earlier one.
    pub(super) fn change(&mut self, name: &OsStr, value: Option<OsString>) {
        match self.changes.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => self.changes.push((name.to_owned(), value)),
        }
    }
}

/// Values are often secrets, so only the names are printed.
impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set: Vec<_> = self
            .changes
            .iter()
            .filter(|(_, value)| value.is_some())
            .map(|(name, _)| name)
            .collect();
        let removed: Vec<_> = self
            .changes
            .iter()
            .filter(|(_, value)| value.is_none())
            .map(|(name, _)| name)
            .collect();
        f.debug_struct("Env")
            .field("clear", &self.clear)
            .field("set", &set)
            .field("removed", &removed)
            .finish()
    }
}
