//! Texts of several words.

/// Like `join` of the standard library, whose code takes long to compile for each type.
pub(crate) fn join<T: AsRef<str>>(words: &[T], between: &str) -> String {
    let mut all = String::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            all.push_str(between);
        }
        all.push_str(word.as_ref());
    }
    all
}
