//! URIs as clients get them.

use std::borrow::Cow;

/// The URI with every character percent-encoded that no URI has. Braces stay in a template.
pub(crate) fn encoded_uri(uri: &str, is_template: bool) -> Cow<'_, str> {
    let is_of_uri = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte)
            || is_template && b"{}".contains(&byte)
    };
    if uri.bytes().all(is_of_uri) && !uri.as_bytes().contains(&b'%') {
        return uri.into();
    }
    let is_hex = |hex: &[u8]| hex.iter().all(u8::is_ascii_hexdigit);
    let mut out = String::with_capacity(uri.len());
    for (at, byte) in uri.bytes().enumerate() {
        let is_encoded = || uri.as_bytes().get(at + 1..at + 3).is_some_and(is_hex);
        match is_of_uri(byte) && (byte != b'%' || is_encoded()) {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out.into()
}
