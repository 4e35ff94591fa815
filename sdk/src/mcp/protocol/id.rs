//! The ids of requests.

use std::fmt;
use std::sync::Arc;

use super::write_json;
use crate::scan;

/// The id of a request. An answer has it as the JSON text that the client wrote, which
/// [`Display`](fmt::Display) shows: a number as it is, a string with its quotes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RequestId(Repr);

/// Most ids are numbers that are written in the usual way.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Number(u64),
    Text(Arc<str>),
}

impl RequestId {
    /// The id with this JSON text. MCP: an id is a string or an integer, never null.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let digit = |value: u64, byte: u8| match byte {
            b'0'..=b'9' => Some(value * 10 + u64::from(byte - b'0')),
            _ => None,
        };
        // So many digits cannot overflow.
        let is_usual = (1..=19).contains(&text.len()) && (text == "0" || !text.starts_with('0'));
        let number = is_usual.then(|| text.bytes().try_fold(0, digit)).flatten();
        let other = || is_id(text).then(|| Repr::Text(text.into()));
        number.map(Repr::Number).or_else(other).map(Self)
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        match &self.0 {
            Repr::Number(number) => write_json(out, number),
            Repr::Text(text) => out.extend_from_slice(text.as_bytes()),
        }
    }
}

impl From<u64> for RequestId {
    fn from(number: u64) -> Self {
        Self(Repr::Number(number))
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RequestId({self})")
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Number(number) => number.fmt(f),
            Repr::Text(text) => f.write_str(text),
        }
    }
}

/// Ids and progress tokens: a string or an integer. `1.0` is another way to write an integer; `1.5`
/// is not an integer.
pub(crate) fn is_id(raw: &str) -> bool {
    match raw.as_bytes() {
        [b'"', ..] => scan::is_json(raw),
        [b'-' | b'0'..=b'9', ..] => {
            let digits = raw.strip_prefix('-').unwrap_or(raw);
            let digits = digits.strip_suffix(".0").unwrap_or(digits);
            let leading_zero = digits.len() > 1 && digits.starts_with('0');
            !digits.is_empty() && !leading_zero && digits.bytes().all(|byte| byte.is_ascii_digit())
        }
        _ => false,
    }
}
