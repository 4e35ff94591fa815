//! Tags and titles without characters that cannot be seen.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The text in its compatible form, without format characters, private and unassigned ones.
/// Removing some may allow others to be composed, so that it takes several rounds.
pub(super) fn sanitized(text: &str) -> String {
    let mut current = text.to_owned();
    for _ in 0..10 {
        let next: String = current.nfkc().filter(|letter| !is_hidden(*letter)).collect();
        if next == current {
            break;
        }
        current = next;
    }
    current
}

/// The text with a space for each run of characters that end a line or cannot be seen.
pub(super) fn in_one_line(text: &str) -> String {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator};
    let (mut line, mut was_hidden) = (String::new(), false);
    for letter in text.chars() {
        let category = letter.general_category();
        let is_hidden = matches!(category, Control | Format | LineSeparator | ParagraphSeparator);
        match (is_hidden, was_hidden) {
            (false, _) => line.push(letter),
            (true, false) => line.push(' '),
            (true, true) => {}
        }
        was_hidden = is_hidden;
    }
    line
}

fn is_hidden(letter: char) -> bool {
    use GeneralCategory::{Format, PrivateUse, Unassigned};
    matches!(letter.general_category(), Format | PrivateUse | Unassigned)
}
