//! The pages of a list, as clients see them.

use std::ops::Range;
use std::sync::OnceLock;

use crate::mcp::protocol::Revision;

/// The pages of one immutable list as JSON texts, rendered when a revision first needs them.
pub(super) struct Pages {
    format: Format,
    texts: [OnceLock<Vec<Box<[u8]>>>; Revision::COUNT],
}

/// What the pages of a list look like.
#[derive(Clone, Copy)]
pub(super) struct Format {
    /// The member of a result that has the entries.
    pub(super) member: &'static str,
    /// How many entries a page has.
    pub(super) size: usize,
}

/// What pages are rendered from. It is one type for the lists of all kinds, so that rendering is
/// compiled once.
pub(super) struct Source<'a> {
    pub(super) len: usize,
    /// Writes one entry in the form of the revision that is asked for.
    pub(super) write: &'a dyn Fn(usize, &mut Vec<u8>),
}

impl Pages {
    pub(super) fn new(format: Format) -> Self {
        Self { format, texts: Default::default() }
    }

    /// The members of a page's result as JSON text; `None` for a cursor that was not issued here.
    pub(super) fn get(
        &self,
        revision: Revision,
        cursor: Option<&str>,
        source: &Source<'_>,
    ) -> Option<&[u8]> {
        let at = number(cursor)?;
        let pages = self.texts[revision.index()].get_or_init(|| {
            let mut pages = Vec::new();
            while let Some(page) = self.render(pages.len(), source) {
                pages.push(page.into_boxed_slice());
            }
            pages
        });
        pages.get(at).map(|page| &**page)
    }

    /// The same of another list with pages of this size, which is rendered for this page alone.
    pub(super) fn once(&self, cursor: Option<&str>, source: &Source<'_>) -> Option<Vec<u8>> {
        self.render(number(cursor)?, source)
    }

    /// The page of this number, if there is one.
    fn render(&self, at: usize, source: &Source<'_>) -> Option<Vec<u8>> {
        let Format { member, size } = self.format;
        let count = source.len.div_ceil(size).max(1);
        let from = (at < count).then(|| at.saturating_mul(size))?;
        let mut page = source.entries(member, from..source.len.min(from.saturating_add(size)));
        if at + 1 < count {
            page.extend_from_slice(format!(",\"nextCursor\":\"page-{}\"", at + 1).as_bytes());
        }
        Some(page)
    }
}

/// The number of the page that a cursor stands for.
fn number(cursor: Option<&str>) -> Option<usize> {
    let Some(cursor) = cursor else { return Some(0) };
    let number = cursor.strip_prefix("page-")?;
    // Numbers are read that no page has: `+1` and `01`.
    number.starts_with(|first| ('1'..='9').contains(&first)).then_some(())?;
    number.parse().ok()
}

impl Source<'_> {
    fn entries(&self, member: &str, entries: Range<usize>) -> Vec<u8> {
        let mut out = format!("\"{member}\":[").into_bytes();
        let first = entries.start;
        for at in entries {
            if at > first {
                out.push(b',');
            }
            (self.write)(at, &mut out);
        }
        out.push(b']');
        out
    }
}
