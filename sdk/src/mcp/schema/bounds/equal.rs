//! When two JSON values are equal.

use serde_json::{Map, Value};

use super::super::keyword::set;
use super::decimal::Decimal;
use crate::scan::{self, Elements, Members};

/// The same text for all JSON texts of one value: numbers are equal by their size, objects whatever
/// the order of their members. `None` for what cannot be decoded, or nests too deep.
pub(crate) fn canonical(text: &str) -> Option<String> {
    let mut out = String::new();
    write(text, &mut out, 0)?;
    Some(out)
}

/// The canonical texts of values, without those that have none.
pub(super) fn all_canonical(values: &[Value]) -> Vec<String> {
    let mut all = Vec::new();
    for value in values {
        all.extend(canonical(&value.to_string()));
    }
    all
}

/// Writes the value at the start of the text, and returns its length.
fn write(text: &str, out: &mut String, depth: usize) -> Option<usize> {
    // As deep as serde_json reads.
    const DEEPEST: usize = 128;
    if depth > DEEPEST {
        return None;
    }
    match text.as_bytes().first()? {
        b'{' => {
            let mut members = Members::of(text).ok()?;
            let mut written = Map::new();
            while let Some(key) = members.key().ok()? {
                let mut value = String::new();
                let length = write(members.rest(), &mut value, depth + 1)?;
                set(&mut written, &scan::unescape(key), value.into());
                members.advance(length);
            }
            written.sort_keys();
            out.push('{');
            for (key, value) in &written {
                // They are written already, as strings here, and must not be quoted once more.
                let value = value.as_str()?;
                out.push_str(&format!("{key:?}:{value},"));
            }
            out.push('}');
            Some(members.position())
        }
        b'[' => {
            let mut elements = Elements::of(text).ok()?;
            out.push('[');
            while elements.next().ok()? {
                let length = write(elements.rest(), out, depth + 1)?;
                out.push(',');
                elements.advance(length);
            }
            out.push(']');
            Some(elements.position())
        }
        first => {
            let raw = scan::value(text)?;
            match first {
                b'"' => out.push_str(&format!("{:?}", scan::string(raw)?)),
                b'-' | b'0'..=b'9' => out.push_str(&Decimal::of(raw)?.canonical()),
                _ => out.push_str(raw),
            }
            Some(raw.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn equal_values_have_one_text() {
        for (one, other) in [
            ("1", "1.0"),
            (r#""a""#, r#""\u0061""#),
            (r#"{"a":1,"b":[2, 3]}"#, r#"{ "b" : [2.0,30e-1] , "a" : 1 }"#),
            (r#"{"a":1,"a":2}"#, r#"{"a":2}"#),
        ] {
            assert_eq!(canonical(one).unwrap(), canonical(other).unwrap(), "{one} {other}");
        }
        for (one, other) in [("1", r#""1""#), ("[1,2]", "[12]"), ("[]", "{}"), ("null", "false")] {
            assert_ne!(canonical(one).unwrap(), canonical(other).unwrap(), "{one} {other}");
        }
        assert_eq!(canonical(&"[".repeat(100_000)), None);
        // The text is about as long as the value, however deep that is.
        let deep = [r#"{"a":"#.repeat(20), "1".into(), "}".repeat(20)].concat();
        assert!(canonical(&deep).unwrap().len() < 200);
        assert_eq!(canonical(r#""\ud800""#), None);
    }
}
