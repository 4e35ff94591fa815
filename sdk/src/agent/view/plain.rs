//! Texts of others, made safe for a terminal, and their width.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns between tab stops.
const TAB: &str = "    ";

/// The text without what a terminal would obey: of all control characters only line ends are left,
/// and what turns the direction of a text around is gone too, so that nothing looks like something
/// else.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\n' => plain.push('\n'),
            '\t' => plain.push_str(TAB),
            '\r' => {}
            '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => {
                plain.push(char::REPLACEMENT_CHARACTER);
            }
            _ if char.is_control() => plain.push(char::REPLACEMENT_CHARACTER),
            _ => plain.push(char),
        }
    }
    plain
}

/// The columns that a character takes.
pub(super) fn width_of(char: char) -> usize {
    char.width().unwrap_or(0)
}

/// The columns that a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// As much of a text as has room in so many columns; what is cut off is shown by `…`.
pub(super) fn fit(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let (mut fitting, mut taken) = (String::new(), 1);
    for char in text.chars() {
        taken += width_of(char);
        if taken > columns {
            break;
        }
        fitting.push(char);
    }
    fitting.push('…');
    fitting
}
