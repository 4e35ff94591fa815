//! JSON strings, written eight bytes at a time: most of what a server sends is text.

use crate::scan::{repeat, zero_bytes};

/// Writes `text` as a JSON string, byte for byte as serde_json does.
pub(crate) fn write_string(out: &mut Vec<u8>, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let mut from = 0;
    while let Some(at) = escaped(bytes, from) {
        out.extend_from_slice(&bytes[from..at]);
        from = at + 1;
        let escape = match bytes[at] {
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x08 => b'b',
            0x0c => b'f',
            control @ ..0x20 => {
                out.extend_from_slice(b"\\u00");
                out.push(HEX[usize::from(control >> 4)]);
                out.push(HEX[usize::from(control & 0xf)]);
                continue;
            }
            mark => mark,
        };
        out.extend_from_slice(&[b'\\', escape]);
    }
    out.extend_from_slice(&bytes[from..]);
    out.push(b'"');
}

/// The position of the first byte from `at` on that a JSON string must escape.
fn escaped(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(chunk) = bytes.get(at..)?.first_chunk::<8>() {
        let word = u64::from_le_bytes(*chunk);
        let control = word.wrapping_sub(repeat(0x20)) & !word & repeat(0x80);
        // The lowest bit of each term is right, and so is the lowest bit of all.
        let hits = control | zero_bytes(word ^ repeat(b'"')) | zero_bytes(word ^ repeat(b'\\'));
        if hits != 0 {
            return Some(at + (hits.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let is_escaped = |byte: &u8| *byte < 0x20 || matches!(byte, b'"' | b'\\');
    Some(at + bytes[at..].iter().position(is_escaped)?)
}

#[cfg(test)]
mod tests;
