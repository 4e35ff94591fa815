/// A random UUID, version 4, in its hyphenated form (RFC 9562, section 5.4).
///
/// # Panics
///
/// The system has no random numbers.
pub(crate) fn random() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    let random = u128::from_be_bytes(bytes);
    let version = random & !(0xf << 76) | 4 << 76;
    let hex = format!("{:032x}", version & !(0b11 << 62) | 0b10 << 62);
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// Whether it has the only form of an id that the CLI accepts, 8-4-4-4-12 hexadecimal digits, and
/// so can be a part of a path.
pub(crate) fn is_uuid(text: &str) -> bool {
    let is_hex = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.split('-').map(str::len).eq([8, 4, 4, 4, 12]) && text.split('-').all(is_hex)
}

#[cfg(test)]
mod tests;
