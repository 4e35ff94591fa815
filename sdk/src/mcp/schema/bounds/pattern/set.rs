//! Sets of characters.

/// A set of characters, by their code points: an expression can name halves of surrogate pairs too,
/// which no text has.
#[derive(Debug, Clone, Default)]
pub(super) struct Set {
    ranges: Vec<(u32, u32)>,
    /// True if it has all characters but these.
    is_negated: bool,
}

pub(super) const DIGIT: &[(char, char)] = &[('0', '9')];
pub(super) const WORD: &[(char, char)] = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
pub(super) const SPACE: &[(char, char)] = &[
    ('\t', '\r'),
    (' ', ' '),
    ('\u{a0}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200a}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202f}', '\u{202f}'),
    ('\u{205f}', '\u{205f}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{feff}', '\u{feff}'),
];
/// What `.` does not match.
pub(super) const LINE_END: &[(char, char)] =
    &[('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')];
/// One more than the last code point.
const END: u32 = 0x11_0000;

impl Set {
    pub(super) fn of(ranges: &[(char, char)], is_negated: bool) -> Self {
        let ranges = ranges.iter().map(|(from, to)| (u32::from(*from), u32::from(*to))).collect();
        Self { ranges, is_negated }
    }

    pub(super) fn one(code: u32) -> Self {
        Self { ranges: vec![(code, code)], is_negated: false }
    }

    pub(super) fn has(&self, char: char) -> bool {
        let code = u32::from(char);
        self.ranges.iter().any(|(from, to)| (*from..=*to).contains(&code)) != self.is_negated
    }

    /// The code point if there is only one.
    pub(super) fn single(&self) -> Option<u32> {
        match self.ranges.as_slice() {
            [(from, to)] if from == to && !self.is_negated => Some(*from),
            _ => None,
        }
    }

    /// Adds another set.
    pub(super) fn add(&mut self, other: &Self) {
        if !other.is_negated {
            return self.ranges.extend(&other.ranges);
        }
        // The gaps between the ranges, which are in order.
        let mut from = 0;
        for (start, end) in other.ranges.iter().copied().chain([(END, END)]) {
            if from < start {
                self.ranges.push((from, start - 1));
            }
            from = end + 1;
        }
    }

    /// Adds a range. `None` if its end comes before its start.
    pub(super) fn add_range(&mut self, from: u32, to: u32) -> Option<()> {
        self.ranges.push((from <= to).then_some((from, to))?);
        Some(())
    }
}
