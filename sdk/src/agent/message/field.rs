use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::scan::Members;

/// What can be read from a JSON value.
///
/// Every member of an object is read by itself, from its own text. So one of the wrong type costs nothing but itself, nothing is decoded into a
/// tree first, and no text makes the reader go deeper than the types do.
pub(super) trait Field: Sized {
    /// `None` if the value has the wrong type.
    fn read(raw: &str) -> Option<Self>;
}

/// Reads a value into its place, which stays as it is if the value has the wrong type.
pub(super) fn fill<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

impl Field for String {
    fn read(raw: &str) -> Option<Self> {
        unescaped(raw.strip_prefix('"')?.strip_suffix('"')?)
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
}

impl<T: Field> Field for Box<T> {
    fn read(raw: &str) -> Option<Self> {
        T::read(raw).map(Box::new)
    }
}

impl<T: Field> Field for Vec<T> {
    /// An element of the wrong type is left out.
    fn read(raw: &str) -> Option<Self> {
        let elements: Vec<&RawValue> = serde_json::from_str(raw).ok()?;
        Some(elements.into_iter().filter_map(|element| T::read(element.get())).collect())
    }
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

/// The text that a JSON string stands for, decoded into its own memory at once, as texts may be large.
///
/// JavaScript may cut a string in the middle of a character; half a character becomes U+FFFD.
fn unescaped(escaped: &str) -> Option<String> {
    let mut text = String::with_capacity(escaped.len());
    let mut rest = escaped;
    while let Some((plain, escape)) = rest.split_once('\\') {
        text.push_str(plain);
        let (char, length) = match escape.as_bytes().first()? {
            b'n' => ('\n', 1),
            b't' => ('\t', 1),
            b'r' => ('\r', 1),
            b'b' => ('\u{8}', 1),
            b'f' => ('\u{c}', 1),
            mark @ (b'"' | b'\\' | b'/') => (char::from(*mark), 1),
            _ => {
                let units = [unit(escape)?, escape.get(5..).and_then(|rest| unit(rest.strip_prefix('\\')?)).unwrap_or_default()];
                let char = char::decode_utf16(units).next()?.unwrap_or(char::REPLACEMENT_CHARACTER);
                (char, if char.len_utf16() == 2 { 11 } else { 5 })
            }
        };
        text.push(char);
        rest = escape.get(length..)?;
    }
    text.push_str(rest);
    Some(text)
}

/// The UTF-16 code unit of an escape, without its backslash.
fn unit(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix('u')?.get(..4)?;
    u16::from_str_radix(digits, 16).ok().filter(|_| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}
