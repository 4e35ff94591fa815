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
    pub(in crate::agent) fn change(&mut self, name: &OsStr, value: Option<OsString>) {
        match self.changes.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => self.changes.push((name.to_owned(), value)),
        }
    }

    /// The value that the CLI gets.
    pub(in crate::agent) fn told(&self, name: &str) -> Option<OsString> {
        self.value(name, |name| std::env::var_os(name))
    }

    /// The same; `inherited` is the environment of this program.
    pub(in crate::agent) fn value(
        &self,
        name: &str,
        inherited: impl FnOnce(&str) -> Option<OsString>,
    ) -> Option<OsString> {
        match self.changes.iter().find(|(known, _)| known == name) {
            Some((_, value)) => value.clone(),
            None if self.clear => None,
            None => inherited(name),
        }
    }
}

/// Values are often secrets, so only the names are printed.
impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |is_set| {
            let changes = self.changes.iter().filter(move |(_, value)| value.is_some() == is_set);
            changes.map(|(name, _)| name).collect::<Vec<_>>()
        };
        f.debug_struct("Env")
            .field("clear", &self.clear)
            .field("set", &names(true))
            .field("removed", &names(false))
            .finish()
    }
}
