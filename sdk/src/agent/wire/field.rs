use std::collections::BTreeMap;
use std::sync::Arc;

use super::string::string;
use super::text::Part;
use crate::scan::{self, Members};

/// What can be read from a JSON value.
///
/// Every member of an object is read by itself, from its own text. So one of the wrong type costs
/// nothing but itself, nothing is decoded into a tree first, and no text makes the reader go deeper
/// than the types do.
pub(in crate::agent) trait Field: Sized {
    /// `None` if the value has the wrong type.
    fn read(raw: Part<'_>) -> Option<Self>;

    /// Reads the value that a text begins with and finds its end at once, so that nothing is walked
    /// twice. `None` if the value has no end.
    fn take(text: Part<'_>) -> Option<Taken<Self>> {
        take_with(text, Self::read)
    }
}

/// A value, unless it has the wrong type, and the length of its text.
pub(in crate::agent) type Taken<T> = (Option<T>, usize);

/// Reads a text from beginning to end. `None` if it has the wrong type.
pub(in crate::agent) fn read<T: Field>(text: &Arc<str>) -> Option<T> {
    T::read(Part::whole(text))
}

/// Reads the value that a text begins with by a function that reads whole values.
pub(in crate::agent) fn take_with<T>(
    text: Part<'_>,
    read: impl FnOnce(Part<'_>) -> Option<T>,
) -> Option<Taken<T>> {
    let raw = scan::value(text.text())?;
    Some((read(text.at(raw)), raw.len()))
}

/// Reads a value, or where that fails finds the end of what is not one.
pub(super) fn or_skip<T>(taken: Option<(T, usize)>, text: Part<'_>) -> Option<Taken<T>> {
    match taken {
        Some((value, length)) => Some((Some(value), length)),
        None => Some((None, scan::value(text.text())?.len())),
    }
}

impl Field for String {
    fn read(raw: Part<'_>) -> Option<Self> {
        let (text, length) = string(raw.text())?;
        (length == raw.text().len()).then_some(text)
    }

    fn take(text: Part<'_>) -> Option<Taken<Self>> {
        or_skip(string(text.text()), text)
    }
}

impl Field for bool {
    fn read(raw: Part<'_>) -> Option<Self> {
        match raw.text() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }
}

impl Field for f64 {
    fn read(raw: Part<'_>) -> Option<Self> {
        let raw = raw.text();
        // Rust knows numbers that JSON does not: `NaN`, `inf`, `+1`.
        let is_number = raw.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        raw.parse().ok().filter(|number: &f64| is_number && number.is_finite())
    }
}

macro_rules! whole_numbers {
    ($($type:ident)*) => {
        $(impl Field for $type {
            /// To JavaScript a whole number is a number like any other: a fraction is rounded.
            fn read(raw: Part<'_>) -> Option<Self> {
                let rounded = || format!("{:.0}", f64::read(raw)?.round()).parse().ok();
                raw.text().parse().ok().or_else(rounded)
            }
        })*
    };
}

whole_numbers! { u16 u64 usize i64 }

impl<T: Field> Field for Option<T> {
    fn read(raw: Part<'_>) -> Option<Self> {
        match raw.text() {
            "null" => Some(None),
            _ => T::read(raw).map(Some),
        }
    }

    fn take(text: Part<'_>) -> Option<Taken<Self>> {
        match text.text().starts_with('n') {
            true => take_with(text, Self::read),
            false => T::take(text).map(|(value, length)| (value.map(Some), length)),
        }
    }
}

impl<T: Field> Field for Box<T> {
    fn read(raw: Part<'_>) -> Option<Self> {
        T::read(raw).map(Box::new)
    }

    fn take(text: Part<'_>) -> Option<Taken<Self>> {
        T::take(text).map(|(value, length)| (value.map(Box::new), length))
    }
}

impl<T: Field> Field for Vec<T> {
    /// An element of the wrong type is left out.
    fn read(raw: Part<'_>) -> Option<Self> {
        let (elements, length) = elements(raw)?;
        (length == raw.text().len()).then_some(elements)
    }

    fn take(text: Part<'_>) -> Option<Taken<Self>> {
        or_skip(elements(text), text)
    }
}

fn elements<T: Field>(text: Part<'_>) -> Option<(Vec<T>, usize)> {
    let mut elements = Vec::new();
    let mut cursor = scan::Elements::of(text.text()).ok()?;
    while cursor.next().ok()? {
        let (element, length) = T::take(text.at(cursor.rest()))?;
        cursor.advance(length);
        elements.extend(element);
    }
    Some((elements, cursor.position()))
}

impl<T: Field> Field for BTreeMap<String, T> {
    /// A member of the wrong type is left out.
    fn read(raw: Part<'_>) -> Option<Self> {
        let mut members = Members::of(raw.text()).ok()?;
        let mut map = Self::new();
        while let Some(key) = members.key().ok()? {
            if let Some(value) = T::read(raw.at(members.value().ok()?)) {
                map.insert(string(&format!("\"{key}\""))?.0, value);
            }
        }
        Some(map)
    }
}
