//! Finds strings in JSON by their keys, wherever they are, also in lines that are cut.

use memchr::memmem;

/// The value of the first `"key":"` in a text.
pub(super) fn first_string(text: &str, key: &str) -> Option<String> {
    patterns(key).iter().find_map(|pattern| {
        let at = memmem::find(text.as_bytes(), pattern.as_bytes())? + pattern.len();
        Some(unescaped(text.get(at..end(text, at)?)?))
    })
}

/// The value of the last `"key":"` in a text, or of the last `"key": "` if there is one.
pub(super) fn last_string(text: &str, key: &str) -> Option<String> {
    patterns(key).iter().rev().find_map(|pattern| {
        let (mut last, mut from) = (None, 0);
        while let Some(found) = memmem::find(&text.as_bytes()[from..], pattern.as_bytes()) {
            let at = from + found + pattern.len();
            let Some(end) = end(text, at) else { break };
            last = text.get(at..end);
            from = end + 1;
        }
        last.map(unescaped)
    })
}

fn patterns(key: &str) -> [String; 2] {
    [format!("\"{key}\":\""), format!("\"{key}\": \"")]
}

/// Where the string that begins at `at` ends, before its quote.
fn end(text: &str, mut at: usize) -> Option<usize> {
    loop {
        at = crate::scan::string_stop(text.as_bytes(), at)?;
        if text.as_bytes()[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

fn unescaped(raw: &str) -> String {
    crate::scan::unescape(raw).into_owned()
}
