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

/// Like `split_once` of the standard library, for texts that are seldom searched: the search there
/// is faster, and its code takes long to compile.
pub fn split_first<'a>(text: &'a str, between: &str) -> Option<(&'a str, &'a str)> {
    let mut places = text.as_bytes().windows(between.len());
    split(text, places.position(|place| place == between.as_bytes())?, between)
}

/// Like [`split_first`] at the last place.
pub(crate) fn split_last<'a>(text: &'a str, between: &str) -> Option<(&'a str, &'a str)> {
    let mut places = text.as_bytes().windows(between.len());
    split(text, places.rposition(|place| place == between.as_bytes())?, between)
}

fn split<'a>(text: &'a str, at: usize, between: &str) -> Option<(&'a str, &'a str)> {
    Some((text.get(..at)?, text.get(at + between.len()..)?))
}

/// A message of serde_json without the line and the column at its end.
pub(crate) fn without_position(message: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (before, column) = split_last(message, " column ").unwrap_or((message, "?"));
    match split_last(before, " at line ") {
        Some((before, line)) if is_number(line) && is_number(column) => before,
        _ => message,
    }
}

/// Begins a member of a JSON object that is written. The key is as it stands in a JSON text.
pub(crate) fn begin_member(object: &mut String, key: &str) {
    if !object.ends_with('{') {
        object.push(',');
    }
    object.push('"');
    object.push_str(key);
    object.push_str("\":");
}

/// True if `word` has only ASCII letters, digits and `marks`.
pub(crate) fn has_only(word: &str, marks: &[u8]) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphanumeric() || marks.contains(&byte))
}

/// The name by which Claude knows a tool of a server. Characters that a model's API refuses are
/// `_`, as in JavaScript: those beyond 16 bits are two.
pub(crate) fn full_name(server: &str, tool: &str) -> String {
    let mut name = String::from("mcp__");
    for (part, end) in [(server, "__"), (tool, "")] {
        for unit in part.encode_utf16() {
            let char = u8::try_from(unit).map_or('_', char::from);
            name.push(if char.is_ascii_alphanumeric() || char == '-' { char } else { '_' });
        }
        name.push_str(end);
    }
    name
}
