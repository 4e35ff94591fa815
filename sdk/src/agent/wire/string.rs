use crate::scan;

/// The text that the JSON string stands for whose first byte is at `from` and whose first escape is
/// at `to`, decoded into its own memory at once, as texts may be large, and the string's end.
///
/// JavaScript may cut a string in the middle of a character; half a character becomes U+FFFD.
pub(super) fn decoded(raw: &str, mut from: usize, mut to: usize) -> Option<(String, usize)> {
    let bytes = raw.as_bytes();
    let mut text = String::with_capacity(2 * (to - from));
    loop {
        text.push_str(raw.get(from..to)?);
        if bytes[to] == b'"' {
            return Some((text, to + 1));
        }
        let (char, length) = escape(raw.get(to + 1..)?)?;
        text.push(char);
        from = to + 1 + length;
        to = scan::string_stop(bytes, from)?;
    }
}

/// The JSON text with U+FFFD for every half of a character, for decoders that refuse those.
pub(super) fn without_halves(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, escaped)) = rest.split_once('\\') {
        whole.push_str(plain);
        whole.push('\\');
        let is_half = unit(escaped).is_some()
            && matches!(escape(escaped), Some((char::REPLACEMENT_CHARACTER, _)));
        let length = match escape(escaped) {
            Some((_, length)) => length,
            None => escaped.chars().next().map_or(0, char::len_utf8),
        };
        let (kept, after) = escaped.split_at(length);
        whole.push_str(if is_half { "ufffd" } else { kept });
        rest = after;
    }
    whole.push_str(rest);
    whole
}

/// The character that an escape stands for, and the escape's length, both without its backslash.
fn escape(escape: &str) -> Option<(char, usize)> {
    Some(match escape.as_bytes().first()? {
        b'n' => ('\n', 1),
        b't' => ('\t', 1),
        b'r' => ('\r', 1),
        b'b' => ('\u{8}', 1),
        b'f' => ('\u{c}', 1),
        mark @ (b'"' | b'\\' | b'/') => (char::from(*mark), 1),
        _ => {
            let units = [
                unit(escape)?,
                escape.get(5..).and_then(|rest| unit(rest.strip_prefix('\\')?)).unwrap_or_default(),
            ];
            let char = char::decode_utf16(units).next()?.unwrap_or(char::REPLACEMENT_CHARACTER);
            (char, if char.len_utf16() == 2 { 11 } else { 5 })
        }
    })
}

/// The UTF-16 code unit of an escape, without its backslash.
fn unit(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix('u')?.get(..4)?;
    u16::from_str_radix(digits, 16)
        .ok()
        .filter(|_| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}
