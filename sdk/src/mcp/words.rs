//! Texts of several words, and what words consist of.

/// Like `join` of the standard library, whose code takes long to compile for each type.
pub fn join<T: AsRef<str>>(words: &[T], between: &str) -> String {
    let mut all = String::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            all.push_str(between);
        }
        all.push_str(word.as_ref());
    }
    all
}

/// True if `word` has only ASCII letters, digits and `marks`.
pub(crate) fn has_only(word: &str, marks: &[u8]) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphanumeric() || marks.contains(&byte))
}
