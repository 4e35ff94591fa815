//! The escapes of JSON strings.

/// The character that an escape stands for, and the escape's length, both without its backslash.
/// The character is `None` if the escape is half of one, without the other half behind it.
pub(crate) fn escape(escape: &str) -> Option<(Option<char>, usize)> {
    let char = match escape.as_bytes().first()? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        mark @ (b'"' | b'\\' | b'/') => char::from(*mark),
        _ => return units(escape),
    };
    Some((Some(char), 1))
}

fn units(escape: &str) -> Option<(Option<char>, usize)> {
    let units = [
        unit(escape)?,
        escape.get(5..).and_then(|rest| unit(rest.strip_prefix('\\')?)).unwrap_or_default(),
    ];
    let char = char::decode_utf16(units).next()?.ok();
    Some((char, if char.is_some_and(|char| char.len_utf16() == 2) { 11 } else { 5 }))
}

/// The UTF-16 code unit of an escape, without its backslash.
fn unit(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix('u')?.get(..4)?;
    u16::from_str_radix(digits, 16)
        .ok()
        .filter(|_| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}
