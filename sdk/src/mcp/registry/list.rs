//! A list of entries of one kind, as clients see it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use super::pages::{Format, Pages, Source};
use super::tool_filter::ToolFilter;
use crate::mcp::call::{Decoder, Subject};
use crate::mcp::protocol::{ListKind, Profile, Revision, TaskSupport};
use crate::mcp::words::join;

/// An entry of a list: a tool, a prompt, a resource or a template of resources.
pub(crate) trait Entry: Clone + Send + Sync + 'static {
    /// The list whose clients are notified of a change.
    const KIND: ListKind;

    /// What distinguishes it from all other entries of the list.
    fn key(&self) -> Cow<'_, str>;

    /// Writes the entry in the form of a revision.
    fn write(&self, profile: &Profile, out: &mut Vec<u8>);
}

/// An entry that requests call by its name.
pub(crate) trait Named: Entry {
    fn subject(&self) -> Arc<dyn Subject>;

    fn decoder(&self) -> Arc<dyn Decoder>;

    /// The decoder for the requests of clients whose tools a filter names.
    fn filtered(&self, _: &ToolFilter) -> Arc<dyn Decoder> {
        self.decoder()
    }

    /// Whether its calls may become tasks.
    fn task(&self) -> Option<TaskSupport> {
        None
    }
}

/// What a session needs of an entry for a call of it.
pub(crate) struct Called {
    pub(crate) subject: Arc<dyn Subject>,
    pub(crate) decoder: Arc<dyn Decoder>,
    pub(crate) task: Option<TaskSupport>,
}

/// One immutable state of a list; a change makes another list. Dropping the last list with an entry
/// drops what the user's handler has captured.
pub(crate) struct List<E> {
    entries: Vec<E>,
    index: Index,
    pages: Pages,
}

/// The places of entries by their keys.
#[derive(Default)]
struct Index {
    places: HashMap<Box<str>, usize, BuildHasherDefault<NameHasher>>,
    len: usize,
}

impl<E: Entry> List<E> {
    pub(super) fn new(entries: Vec<E>, format: Format) -> Self {
        let mut index = Index::default();
        for entry in &entries {
            index.add(&entry.key());
        }
        Self { entries, index, pages: Pages::new(format) }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&E> {
        self.index.get(key).and_then(|at| self.entries.get(at))
    }

    pub(crate) fn entries(&self) -> &[E] {
        &self.entries
    }

    /// The first names, for the answer to a client that called an unknown one.
    fn names(&self) -> String {
        let mut names = Vec::new();
        for entry in self.entries.iter().take(20) {
            names.push(entry.key());
        }
        said(E::KIND, &names, self.entries.len())
    }

    /// The members of a page's result as JSON text; `None` for a cursor that this list did not
    /// issue.
    pub(crate) fn page(&self, revision: Revision, cursor: Option<&str>) -> Option<&[u8]> {
        let write = |at: usize, out: &mut Vec<u8>| {
            self.entries[at].write(revision.profile(), out);
        };
        self.pages.get(revision, cursor, &Source { len: self.entries.len(), write: &write })
    }

    /// The same of those of its entries that are shown.
    pub(crate) fn page_of(
        &self,
        is_shown: impl Fn(&E) -> bool,
        revision: Revision,
        cursor: Option<&str>,
    ) -> Option<Vec<u8>> {
        let mut shown = Vec::new();
        for entry in &self.entries {
            if is_shown(entry) {
                shown.push(entry);
            }
        }
        let write = |at: usize, out: &mut Vec<u8>| shown[at].write(revision.profile(), out);
        self.pages.once(cursor, &Source { len: shown.len(), write: &write })
    }
}

impl<E: Named> List<E> {
    /// What a call of the entry with this name needs, for the clients whose tools a filter names if
    /// there is one. If there is no such entry, the first names are returned.
    pub(crate) fn call(&self, name: &str, filter: Option<&ToolFilter>) -> Result<Called, String> {
        let entry = self.get(name).ok_or_else(|| self.names())?;
        let decoder = match filter {
            Some(filter) => entry.filtered(filter),
            None => entry.decoder(),
        };
        Ok(Called { subject: entry.subject(), decoder, task: entry.task() })
    }
}

impl Index {
    /// Adds the key of the next entry.
    fn add(&mut self, key: &str) {
        self.places.insert(key.into(), self.len);
        self.len += 1;
    }

    fn get(&self, key: &str) -> Option<usize> {
        self.places.get(key).copied()
    }
}

/// The first names of so many in words.
fn said(kind: ListKind, names: &[Cow<'_, str>], count: usize) -> String {
    match count - names.len() {
        0 if names.is_empty() => format!("no {}", kind.as_str()),
        0 => join(names, ", "),
        more => format!("{} and {more} more", join(names, ", ")),
    }
}

/// FNV-1a. The names are the program's own, so no client can choose names that collide.
struct NameHasher(u64);

impl Default for NameHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for NameHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
