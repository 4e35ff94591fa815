//! Small values whose end and whose grammar are found in one pass.

use super::plain_string;

/// How deep objects may be nested.
const DEPTH: usize = 4;

/// The length of the value that `text` begins with, if it is of a form that is checked here: a
/// string without escapes, a boolean, or an object of such values, without white space. `None` says
/// nothing about other values.
pub(super) fn plain_length(text: &str) -> Option<usize> {
    Some(text.len() - behind(text, DEPTH)?.len())
}

/// The text behind the value.
fn behind(text: &str, depth: usize) -> Option<&str> {
    match text.as_bytes().first()? {
        b'"' => behind_string(text),
        b'{' => behind_members(text, depth.checked_sub(1)?),
        b't' => text.strip_prefix("true"),
        b'f' => text.strip_prefix("false"),
        _ => None,
    }
}

fn behind_string(text: &str) -> Option<&str> {
    text.get(plain_string(text)?.len() + 2..)
}

fn behind_members(text: &str, depth: usize) -> Option<&str> {
    let mut rest = text.strip_prefix('{')?;
    if let Some(rest) = rest.strip_prefix('}') {
        return Some(rest);
    }
    loop {
        let value = behind_string(rest.starts_with('"').then_some(rest)?)?.strip_prefix(':')?;
        rest = behind(value, depth)?;
        match rest.strip_prefix(',') {
            Some(next) => rest = next,
            None => return rest.strip_prefix('}'),
        }
    }
}

#[cfg(test)]
mod tests;
