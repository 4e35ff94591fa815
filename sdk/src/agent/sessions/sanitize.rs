//! Tags without characters that cannot be seen.

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

fn is_hidden(letter: char) -> bool {
    use GeneralCategory::{Format, PrivateUse, Unassigned};
    matches!(letter.general_category(), Format | PrivateUse | Unassigned)
}
