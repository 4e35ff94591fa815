//! Texts of others, made safe for a terminal, and their width.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns between tab stops.
const TAB: &str = "    ";

/// The text without what a terminal would obey: of all control characters only line ends are left,
/// and what is drawn as nothing or turns the direction of a text around is gone too, so that
/// nothing looks like something else. The text may be a piece of a longer one.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let (mut before, mut chars) = (None, text.chars().peekable());
    while let Some(char) = chars.next() {
        match char {
            '\n' => plain.push('\n'),
            '\t' => plain.push_str(TAB),
            '\r' => {}
            _ if char.is_control() => plain.push(char::REPLACEMENT_CHARACTER),
            _ if is_unseen(char) && !belongs(char, before, chars.peek().copied()) => {
                plain.push(char::REPLACEMENT_CHARACTER);
            }
            _ => plain.push(char),
        }
        before = Some(char);
    }
    plain
}

/// Whether it is one of those that Unicode lets be drawn as nothing (`Default_Ignorable`).
fn is_unseen(char: char) -> bool {
    matches!(char,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether what is unseen has work to do where it stands: it joins or parts what is not ASCII, as
/// in emoji and in words of some scripts, or it says in which variant the character before it is
/// drawn. Tags have none, though a few flags are made of them: any text can be hidden in tags.
fn belongs(char: char, before: Option<char>, after: Option<char>) -> bool {
    let is_ascii = |char: Option<char>| char.is_some_and(|char| char.is_ascii());
    let is_alphanumeric = |char: Option<char>| char.is_some_and(|it| it.is_ascii_alphanumeric());
    let is_unseen = |char: Option<char>| char.is_some_and(is_unseen);
    // The scripts from Arabic to Sinhala.
    let is_joined = |char: Option<char>| matches!(char, Some('\u{620}'..='\u{dff}'));
    match char {
        // At the end of a word.
        '\u{200c}' | '\u{200d}' if is_joined(before) => {
            !is_alphanumeric(after) && !is_unseen(after)
        }
        // Before the suffix of a word that may be Latin.
        '\u{200c}' if is_joined(after) => true,
        '\u{200b}'..='\u{200d}' => !is_ascii(before) && !is_ascii(after) && !is_unseen(after),
        // That of a keycap stands behind a digit.
        '\u{fe00}'..='\u{fe0f}' if after == Some('\u{20e3}') => true,
        '\u{180b}'..='\u{180d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
            !is_ascii(before) && !is_unseen(before)
        }
        _ => false,
    }
}

/// The columns that a character adds to the one before it, which U+FE0F makes a picture.
pub(super) fn width_behind(before: Option<char>, char: char) -> usize {
    match (before.and_then(char::width), char) {
        (Some(1), '\u{fe0f}') => 1,
        _ => char.width().unwrap_or(0),
    }
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
        taken += width_behind(fitting.chars().next_back(), char);
        if taken > columns {
            break;
        }
        fitting.push(char);
    }
    fitting.push('…');
    fitting
}

#[cfg(test)]
mod tests;
