use std::borrow::Cow;
use std::collections::BTreeMap;

use super::cursor::Cursor;

/// What can be read from a JSON value.
///
/// Every member of an object is read by itself, from its own text. So one of the wrong type costs
/// nothing but itself, nothing is decoded into a tree first, and no text makes the reader go deeper
/// than the types do.
pub(in crate::agent) trait Field: Sized {
    /// `None` if the value has the wrong type.
    fn read(json: &mut Cursor<'_>) -> Option<Self>;
}

impl Field for String {
    fn read(json: &mut Cursor<'_>) -> Option<Self> {
        json.string().map(Cow::into_owned)
    }
}

impl Field for bool {
    fn read(json: &mut Cursor<'_>) -> Option<Self> {
        match json.value()? {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }
}

impl Field for f64 {
    fn read(json: &mut Cursor<'_>) -> Option<Self> {
        double(json.value()?)
    }
}

fn double(raw: &str) -> Option<f64> {
    // Rust knows numbers that JSON does not: `NaN`, `inf`, `+1`.
    let is_number = raw.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    raw.parse().ok().filter(|number: &f64| is_number && number.is_finite())
}

macro_rules! whole_numbers {
    ($($type:ident)*) => {
        $(impl Field for $type {
            /// To JavaScript a whole number is a number like any other: a fraction is rounded.
            fn read(json: &mut Cursor<'_>) -> Option<Self> {
                let raw = json.value()?;
                let rounded = || format!("{:.0}", double(raw)?.round()).parse().ok();
                raw.parse().ok().or_else(rounded)
            }
        })*
    };
}

whole_numbers! { u16 u64 usize i64 }

impl<T: Field> Field for Option<T> {
    fn read(json: &mut Cursor<'_>) -> Option<Self> {
        match json.byte()? {
            b'n' => (json.value()? == "null").then_some(None),
            _ => T::read(json).map(Some),
        }
    }
}

impl<T: Field> Field for Vec<T> {
    /// An element of the wrong type is left out.
    fn read(json: &mut Cursor<'_>) -> Option<Self> {
        let mut elements = Vec::new();
        json.expect(b'[')?;
        json.parts(b']', true, |json| {
            elements.extend(json.take(T::read)?);
            Some(())
        })?;
        Some(elements)
    }
}

impl<T: Field> Field for BTreeMap<String, T> {
    /// A member of the wrong type is left out.
    fn read(json: &mut Cursor<'_>) -> Option<Self> {
        let mut map = Self::new();
        json.expect(b'{')?;
        json.parts(b'}', true, |json| {
            let name = String::read(json)?;
            json.colon()?;
            map.extend(json.take(T::read)?.map(|value| (name, value)));
            Some(())
        })?;
        Some(map)
    }
}
