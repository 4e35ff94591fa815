//! The tools at one moment: found by name, and listed as bytes.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::OnceLock;

use crate::mcp::protocol::{Revision, write_json};
use crate::mcp::tool::Tool;

/// One state of a registry. It never changes; a change of the registry makes another one.
pub(crate) struct Listing {
    tools: Vec<Tool>,
    index: HashMap<Box<str>, usize, BuildHasherDefault<NameHasher>>,
    page_size: usize,
    pages: [OnceLock<Vec<Box<[u8]>>>; Revision::COUNT],
}

impl Listing {
    pub(super) fn new(tools: Vec<Tool>, page_size: usize) -> Self {
        let index = tools.iter().enumerate().map(|(at, tool)| (tool.name().into(), at)).collect();
        Self { tools, index, page_size, pages: Default::default() }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Tool> {
        self.index.get(name).and_then(|at| self.tools.get(*at))
    }

    pub(crate) fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The members `tools` and `nextCursor` of a page's result, as JSON text, or `None` for a
    /// cursor that this list did not give.
    pub(crate) fn page(&self, revision: Revision, cursor: Option<&str>) -> Option<&[u8]> {
        let at = match cursor {
            None => 0,
            Some(cursor) => {
                cursor.strip_prefix("page-")?.parse::<usize>().ok().filter(|at| *at > 0)?
            }
        };
        let pages = self.pages[revision.index()].get_or_init(|| self.render(revision));
        pages.get(at).map(|page| &**page)
    }

    fn render(&self, revision: Revision) -> Vec<Box<[u8]>> {
        let count = self.tools.len().div_ceil(self.page_size).max(1);
        let page = |at: usize| {
            let from = at.saturating_mul(self.page_size);
            let mut out = b"\"tools\":[".to_vec();
            for (position, tool) in self.tools.iter().skip(from).take(self.page_size).enumerate() {
                if position > 0 {
                    out.push(b',');
                }
                write_json(&mut out, &tool.definition().info(revision));
            }
            out.push(b']');
            if at + 1 < count {
                out.extend_from_slice(format!(",\"nextCursor\":\"page-{}\"", at + 1).as_bytes());
            }
            out.into_boxed_slice()
        };
        (0..count).map(page).collect()
    }
}

/// FNV-1a. The names are the program's own, so nobody can choose them to collide.
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
