use crate::scan::{self, escape};

/// The text that the JSON string stands for whose first byte is at `from` and whose first escape is
/// at `to`, decoded into its own memory at once, as texts may be large, and the string's end.
///
/// JavaScript may cut a string in the middle of a character; half a character becomes U+FFFD.
pub(super) fn decoded(raw: &str, from: usize, to: usize) -> Option<(String, usize)> {
    scan::decoded(raw, from, to, scan::string_stop, Some(char::REPLACEMENT_CHARACTER))
}

/// The text of a JSON string, from its raw value with the quotes. `None` if it is not a string.
pub(in crate::agent) fn lossy(raw: &str) -> Option<String> {
    let to = scan::string_stop(raw.strip_prefix('"').map(|_| raw.as_bytes())?, 1)?;
    let (text, end) = decoded(raw, 1, to)?;
    (end == raw.len()).then_some(text)
}

/// The JSON text with U+FFFD for every half of a character, for decoders that refuse those.
pub(super) fn without_halves(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, escaped)) = rest.split_once('\\') {
        whole.push_str(plain);
        whole.push('\\');
        let (is_half, length) = match escape(escaped) {
            Some((char, length)) => (char.is_none(), length),
            None => (false, escaped.chars().next().map_or(0, char::len_utf8)),
        };
        let (kept, after) = escaped.split_at(length);
        whole.push_str(if is_half { "ufffd" } else { kept });
        rest = after;
    }
    whole.push_str(rest);
    whole
}
