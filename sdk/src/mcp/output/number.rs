/// The same text as `Display`, which is many times slower for whole numbers and short fractions.
pub(super) fn number(value: f64) -> String {
    let whole = value as i64;
    let is_whole = whole as f64 == value && whole.unsigned_abs() < 1 << 53;
    match is_whole && (whole != 0 || value.is_sign_positive()) {
        true => whole.to_string(),
        false => fraction(value).unwrap_or_else(|| value.to_string()),
    }
}

/// The text of a number that is not whole. It has at most fifteen digits, of which at most six are
/// behind the point.
fn fraction(value: f64) -> Option<String> {
    const SCALE: f64 = 1e6;
    const MOST: u64 = 999_999_999_999_999;
    let size = value.abs();
    let mut digits = (size * SCALE + 0.5) as u64;
    // No two decimals of at most fifteen digits are the same number, so none is shorter than this.
    if digits == 0 || digits > MOST || digits as f64 / SCALE != size {
        return None;
    }
    let mut places = 6;
    while digits.is_multiple_of(10) {
        (digits, places) = (digits / 10, places - 1);
    }
    let mut text = [0; 24];
    let mut at = text.len();
    let mut put = |byte| {
        at -= 1;
        text[at] = byte;
    };
    let mut written = 0;
    while digits > 0 || written <= places {
        if written == places {
            put(b'.');
        }
        put(b'0' + (digits % 10) as u8);
        (digits, written) = (digits / 10, written + 1);
    }
    if value < 0.0 {
        put(b'-');
    }
    str::from_utf8(&text[at..]).ok().map(str::to_owned)
}

#[cfg(test)]
mod tests;
