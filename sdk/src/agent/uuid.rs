#[cfg(test)]
mod tests;

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
