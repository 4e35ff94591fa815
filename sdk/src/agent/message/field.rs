use std::collections::BTreeMap;

use crate::scan::{self, Members};

/// What can be read from a JSON value.
///
/// Every member of an object is read by itself, from its own text. So one of the wrong type costs
/// nothing but itself, nothing is decoded into a tree first, and no text makes the reader go deeper
/// than the types do.
pub(super) trait Field: Sized {
    /// `None` if the value has the wrong type.
    fn read(raw: &str) -> Option<Self>;

    /// Reads the value that a text begins with and finds its end at once, so that nothing is walked
    /// twice. `None` if the value has no end.
    fn take(text: &str) -> Option<Taken<Self>> {
        let raw = scan::value(text)?;
        Some((Self::read(raw), raw.len()))
    }
}

/// A value, unless it has the wrong type, and the length of its text.
pub(super) type Taken<T> = (Option<T>, usize);

/// Reads a value, or where that fails finds the end of what is not one.
pub(super) fn or_skip<T>(taken: Option<(T, usize)>, text: &str) -> Option<Taken<T>> {
    match taken {
        Some((value, length)) => Some((Some(value), length)),
        None => Some((None, scan::value(text)?.len())),
    }
}

/// Reads a value into its place, which stays as it is if the value has the wrong type.
pub(super) fn fill<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

impl Field for String {
    fn read(raw: &str) -> Option<Self> {
        let (text, length) = string(raw)?;
        (length == raw.len()).then_some(text)
    }

    fn take(text: &str) -> Option<Taken<Self>> {
        or_skip(string(text), text)
    }
}

impl Field for bool {
    fn read(raw: &str) -> Option<Self> {
        match raw {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }
}

impl Field for f64 {
    fn read(raw: &str) -> Option<Self> {
        // Rust knows numbers that JSON does not: `NaN`, `inf`, `+1`.
        let is_number = raw.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        raw.parse().ok().filter(|number: &f64| is_number && number.is_finite())
    }
}

macro_rules! whole_numbers {
    ($($type:ident)*) => {
        $(impl Field for $type {
            /// To JavaScript a whole number is a number like any other: a fraction is rounded.
            fn read(raw: &str) -> Option<Self> {
                raw.parse().ok().or_else(|| format!("{:.0}", f64::read(raw)?.round()).parse().ok())
            }
        })*
    };
}

whole_numbers! { u16 u64 usize i64 }

impl<T: Field> Field for Option<T> {
    fn read(raw: &str) -> Option<Self> {
        match raw {
            "null" => Some(None),
            _ => T::read(raw).map(Some),
        }
    }

    fn take(text: &str) -> Option<Taken<Self>> {
        match text.starts_with('n') {
            true => scan::value(text).map(|raw| (Self::read(raw), raw.len())),
            false => T::take(text).map(|(value, length)| (value.map(Some), length)),
        }
    }
}

impl<T: Field> Field for Box<T> {
    fn read(raw: &str) -> Option<Self> {
        T::read(raw).map(Box::new)
    }

    fn take(text: &str) -> Option<Taken<Self>> {
        T::take(text).map(|(value, length)| (value.map(Box::new), length))
    }
}

impl<T: Field> Field for Vec<T> {
    /// An element of the wrong type is left out.
    fn read(raw: &str) -> Option<Self> {
        let (elements, length) = elements(raw)?;
        (length == raw.len()).then_some(elements)
    }

    fn take(text: &str) -> Option<Taken<Self>> {
        or_skip(elements(text), text)
    }
}

fn elements<T: Field>(text: &str) -> Option<(Vec<T>, usize)> {
    let mut elements = Vec::new();
    let mut cursor = scan::Elements::of(text).ok()?;
    while cursor.next().ok()? {
        let (element, length) = T::take(cursor.rest())?;
        cursor.advance(length);
        elements.extend(element);
    }
    Some((elements, cursor.position()))
}

impl<T: Field> Field for BTreeMap<String, T> {
    /// A member of the wrong type is left out.
    fn read(raw: &str) -> Option<Self> {
        let mut members = Members::of(raw).ok()?;
        let mut map = Self::new();
        while let Some(key) = members.key().ok()? {
            if let Some(value) = T::read(members.value().ok()?) {
                map.insert(String::read(&format!("\"{key}\""))?, value);
            }
        }
        Some(map)
    }
}

/// The text that the JSON string stands for with which `raw` begins, decoded into its own memory at
/// once, as texts may be large, and the string's length.
///
/// JavaScript may cut a string in the middle of a character; half a character becomes U+FFFD.
fn string(raw: &str) -> Option<(String, usize)> {
    let bytes = raw.as_bytes();
    if bytes.first() != Some(&b'"') {
        return None;
    }
    let mut from = 1;
    let mut to = scan::string_stop(bytes, from)?;
    if bytes[to] == b'"' {
        return Some((raw.get(from..to)?.to_owned(), to + 1));
    }
    let mut text = String::with_capacity(2 * to);
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
