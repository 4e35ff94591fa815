//! JSON strings, written in pieces that need no escape: most of what a server sends is text.

use crate::scan::must_escape;

/// Writes `text` as a JSON string, byte for byte as serde_json does.
pub(crate) fn write_string(out: &mut Vec<u8>, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let mut from = 0;
    while let Some(at) = must_escape(bytes, from) {
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

#[cfg(test)]
mod tests;
