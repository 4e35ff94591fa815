use std::collections::HashMap;

use crate::scan;

/// Stands for a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Name(u32);

/// The texts that names stand for.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<Box<str>, Name>);

impl Names {
    pub(super) fn of(&mut self, text: &str) -> Name {
        if let Some(name) = self.0.get(text) {
            return *name;
        }
        let name = Name(u32::try_from(self.0.len()).unwrap_or(u32::MAX));
        self.0.insert(text.into(), name);
        name
    }

    /// A string; an empty one counts as none.
    pub(super) fn of_raw(&mut self, raw: Option<&str>) -> Option<Name> {
        let text = raw.and_then(scan::string)?;
        (!text.is_empty()).then(|| self.of(&text))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl Name {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}
