//! Times as text.

/// True for a time of RFC 3339 such as `2025-01-12T15:00:58Z`, the form of ISO 8601 that all
/// clients read.
pub(crate) fn is_time(text: &str) -> bool {
    let Some((local, rest)) = text.split_at_checked(19) else { return false };
    if !has_form(local, "0000-00-00T00:00:00") {
        return false;
    }
    let number = |at: usize| local[at..at + 2].parse::<u32>().unwrap_or(u32::MAX);
    let [century, year, month, day] = [0, 2, 5, 8].map(number);
    let is_leap = if year == 0 { century % 4 == 0 } else { year % 4 == 0 };
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    let is_there =
        (1..=days).contains(&day) && number(11) < 24 && number(14) < 60 && number(17) < 60;
    is_there && is_zone(without_fraction(rest))
}

fn without_fraction(text: &str) -> &str {
    match text.strip_prefix('.') {
        Some(digits) if digits.starts_with(|first: char| first.is_ascii_digit()) => {
            digits.trim_start_matches(|digit: char| digit.is_ascii_digit())
        }
        _ => text,
    }
}

/// `Z`, or hours and minutes from it.
fn is_zone(text: &str) -> bool {
    let Some(offset) = text.strip_prefix(['+', '-']) else { return text == "Z" };
    offset.len() == 5 && has_form(offset, "00:00") && &offset[..2] < "24" && &offset[3..] < "60"
}

/// True if a text begins with digits (`0`), hexadecimal digits (`x`) and other characters like
/// these.
pub(crate) fn has_form(text: &str, form: &str) -> bool {
    let fits = |(byte, form): (u8, u8)| match form {
        b'0' => byte.is_ascii_digit(),
        b'x' => byte.is_ascii_hexdigit(),
        _ => byte == form,
    };
    text.len() >= form.len() && text.bytes().zip(form.bytes()).all(fits)
}

#[cfg(test)]
mod tests;
