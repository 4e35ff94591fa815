//! Regular expressions as Rust has them, for JavaScript.

/// What JavaScript takes after a backslash in place of the character itself.
pub(super) const SYNTAX: &str = r"^$\.*+?()[]{}|/";

/// An expression without needless escapes: Rust takes a backslash before any punctuation, and
/// JavaScript does not. schemars writes some for `contains`. `\<` and `\>` stay, as Rust has a
/// meaning for them.
pub(super) fn portable(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let (mut chars, mut is_in_class) = (text.chars(), false);
    while let Some(char) = chars.next() {
        let escaped = if char == '\\' { chars.next() } else { None };
        match (char, escaped) {
            ('[', _) => is_in_class = true,
            (']', _) => is_in_class = false,
            _ => {}
        }
        let is_needless = escaped.is_some_and(|escaped| {
            let is_mark = escaped == ' ' || escaped.is_ascii_punctuation();
            let has_meaning = SYNTAX.contains(escaped) || "<>".contains(escaped);
            is_mark && !has_meaning && !(is_in_class && escaped == '-')
        });
        if !is_needless {
            written.push(char);
        }
        written.extend(escaped);
    }
    written
}
