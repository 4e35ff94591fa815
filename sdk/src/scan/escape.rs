//! The escapes of JSON strings.

/// What the escapes of one letter stand for, and 0 for other letters. Unlike branches, a table is
/// never mispredicted by the processor.
const LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    letters[b'n' as usize] = b'\n';
    letters[b't' as usize] = b'\t';
    letters[b'r' as usize] = b'\r';
    letters[b'b' as usize] = 0x08;
    letters[b'f' as usize] = 0x0c;
    letters[b'"' as usize] = b'"';
    letters[b'\\' as usize] = b'\\';
    letters[b'/' as usize] = b'/';
    letters
};

/// The character that an escape stands for, and the escape's length, both without its backslash.
/// The character is `None` if the escape is half of one, without the other half behind it.
pub(crate) fn escape(escape: &str) -> Option<(Option<char>, usize)> {
    match letter(*escape.as_bytes().first()?) {
        Some(char) => Some((Some(char), 1)),
        None => units(escape),
    }
}

/// The character that an escape of one letter stands for.
#[inline]
pub(super) fn letter(mark: u8) -> Option<char> {
    match LETTERS[usize::from(mark)] {
        0 => None,
        letter => Some(letter.into()),
    }
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
