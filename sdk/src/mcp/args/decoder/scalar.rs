use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Error as _, Expected, IgnoredAny, Unexpected, Visitor};
use serde_json::{Number as AnyNumber, Value};

use super::cursor::{Cursor, ended};
use super::error::Error;
use crate::scan;

/// A number, as serde_json tells its kinds apart.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
}

impl Number {
    pub(super) fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Unsigned(number) => visitor.visit_u64(number),
            Self::Signed(number) => visitor.visit_i64(number),
            Self::Float(number) => visitor.visit_f64(number),
        }
    }

    fn refused(self, expected: &dyn Expected) -> Error {
        let unexpected = match self {
            Self::Unsigned(number) => Unexpected::Unsigned(number),
            Self::Signed(number) => Unexpected::Signed(number),
            Self::Float(number) => Unexpected::Float(number),
        };
        Error::invalid_type(unexpected, expected)
    }
}

/// Values without parts.
impl<'de> Cursor<'de> {
    #[inline(never)]
    pub(super) fn number(&mut self, expected: &dyn Expected) -> Result<Number, Error> {
        match self.peek() {
            Some(b'-' | b'0'..=b'9') => match short_number(self.rest()) {
                Some((number, length)) => {
                    self.advance(length);
                    Ok(number)
                }
                None => self.long_number(),
            },
            _ => Err(self.refuse(expected)),
        }
    }

    #[cold]
    fn long_number(&mut self) -> Result<Number, Error> {
        let number = self.digits()?.parse::<AnyNumber>()?;
        let float = || number.as_f64().map(Number::Float);
        let signed = || number.as_i64().map(Number::Signed).or_else(float);
        let number = number.as_u64().map(Number::Unsigned).or_else(signed);
        // With the feature `arbitrary_precision` any number can be read.
        number.ok_or_else(out_of_range)
    }

    /// A number for a type that takes any value; anything else is refused. If serde_json has the
    /// feature `arbitrary_precision`, it keeps the digits of what no other number can be.
    #[inline(never)]
    pub(super) fn any_number(&mut self, expected: &dyn Expected) -> Result<AnyNumber, Error> {
        match self.peek() {
            Some(b'-' | b'0'..=b'9') => self.digits()?.parse().map_err(Error::from),
            _ => Err(self.refuse(expected)),
        }
    }

    /// A number that is rounded once, to 32 bits.
    #[inline(never)]
    pub(super) fn single(&mut self, expected: &dyn Expected) -> Result<Number, Error> {
        match self.peek() {
            Some(b'-' | b'0'..=b'9') => match self.digits()?.parse::<f32>() {
                Ok(number) if number.is_finite() => Ok(Number::Float(number.into())),
                _ => Err(out_of_range()),
            },
            _ => Err(self.refuse(expected)),
        }
    }

    /// The text of the number that is next.
    fn digits(&mut self) -> Result<&'de str, Error> {
        let rest = self.rest();
        let from = self.position();
        let skipped = self.skip();
        let read = rest.get(..self.position() - from).unwrap_or_default();
        let goes_on = match read.as_bytes() {
            [b'-'] | [.., b'0'..=b'9', b'.' | b'e' | b'E'] | [.., b'e' | b'E', b'+' | b'-'] => {
                read.len() == rest.len()
            }
            _ => false,
        };
        match skipped {
            // serde_json says so only of numbers that it keeps.
            Err(_) if goes_on => Err(ended("")),
            skipped => skipped.map(|()| read),
        }
    }

    #[inline(never)]
    pub(super) fn truth(&mut self, expected: &dyn Expected) -> Result<bool, Error> {
        match self.peek() {
            Some(b't') => self.word("true").map(|()| true),
            Some(b'f') => self.word("false").map(|()| false),
            _ => Err(self.refuse(expected)),
        }
    }

    #[inline(never)]
    pub(super) fn text(&mut self, expected: &dyn Expected) -> Result<Cow<'de, str>, Error> {
        match self.peek() {
            Some(b'"') => match scan::plain_string(self.rest()) {
                Some(text) => {
                    self.advance(text.len() + 2);
                    Ok(text.into())
                }
                None => self.escaped_text(),
            },
            _ => Err(self.refuse(expected)),
        }
    }

    #[cold]
    fn escaped_text(&mut self) -> Result<Cow<'de, str>, Error> {
        let rest = self.rest();
        if let Some((text, length)) = scan::leading_string(rest) {
            self.advance(length);
            return Ok(text.into());
        }
        // serde_json says what is wrong, and how far it has read.
        let Err(error) = rest.parse::<Value>() else { return Err(Error::custom("no string")) };
        let lines = rest.split_inclusive('\n').take(error.line().saturating_sub(1));
        self.advance(lines.map(str::len).sum::<usize>() + error.column());
        Err(error.into())
    }

    #[inline(never)]
    pub(super) fn unit(&mut self, expected: &dyn Expected) -> Result<(), Error> {
        match self.null() {
            Ok(false) => Err(self.refuse(expected)),
            found => found.map(|_| ()),
        }
    }

    /// Skips a null, if that is what is next.
    #[inline(never)]
    pub(super) fn null(&mut self) -> Result<bool, Error> {
        match self.peek() {
            Some(b'n') => self.word("null").map(|()| true),
            _ => Ok(false),
        }
    }

    /// Goes past a word whose first letter is next.
    fn word(&mut self, word: &str) -> Result<(), Error> {
        match self.rest().starts_with(word) {
            true => {
                self.advance(word.len());
                Ok(())
            }
            // serde_json says what is wrong.
            false => self.skip(),
        }
    }

    /// Skips any value.
    #[inline(never)]
    pub(super) fn skip(&mut self) -> Result<(), Error> {
        self.inner(|inner| IgnoredAny::deserialize(inner)).map(|_| ())
    }

    /// A value that the type does not take.
    #[cold]
    pub(super) fn refuse(&mut self, expected: &dyn Expected) -> Error {
        let found = match self.peek() {
            Some(b'[') => Ok(Error::invalid_type(Unexpected::Seq, expected)),
            Some(b'{') => Ok(Error::invalid_type(Unexpected::Map, expected)),
            Some(b'"') => {
                let text = self.text(expected);
                text.map(|text| Error::invalid_type(Unexpected::Str(&text), expected))
            }
            Some(b'-' | b'0'..=b'9') => {
                self.number(expected).map(|number| number.refused(expected))
            }
            Some(b't' | b'f') => {
                let truth = self.truth(expected);
                truth.map(|truth| Error::invalid_type(Unexpected::Bool(truth), expected))
            }
            Some(b'n') => self.null().map(|_| Error::invalid_type(Unexpected::Unit, expected)),
            _ => self.skip().map(|()| Error::custom("expected value")),
        };
        found.unwrap_or_else(|error| error)
    }
}

fn out_of_range() -> Error {
    Error::custom("number out of range")
}

/// The number at the start of a text, with its length, if it has so few digits that both its digits
/// and the power of ten that divides them are exact as floating-point numbers: then the quotient is
/// the nearest one to the number.
fn short_number(text: &str) -> Option<(Number, usize)> {
    const MOST_DIGITS: usize = 15;
    const POWERS: [f64; MOST_DIGITS] =
        [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14];
    let bytes = text.as_bytes();
    let mut digits = 0u64;
    // Of a number with more digits the count alone is right, and serde_json reads it.
    let mut read = |from: usize| {
        let mut at = from;
        while let Some(digit @ b'0'..=b'9') = bytes.get(at) {
            digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            at += 1;
        }
        at - from
    };
    let is_negative = bytes.first() == Some(&b'-');
    let first = usize::from(is_negative);
    let whole = read(first);
    let mut end = first + whole;
    let has_point = bytes.get(end) == Some(&b'.');
    let places = if has_point { read(end + 1) } else { 0 };
    if has_point {
        end += 1 + places;
    }
    let has_more = matches!(bytes.get(end), Some(b'.' | b'e' | b'E'));
    let has_zero = whole > 1 && bytes.get(first) == Some(&b'0');
    let is_short = whole > 0 && whole + places <= MOST_DIGITS;
    if !is_short || has_zero || has_more || has_point && places == 0 {
        return None;
    }
    let number = match (has_point, is_negative) {
        (false, false) => Number::Unsigned(digits),
        // Zero has no sign as an integer.
        (false, true) if digits == 0 => Number::Float(-0.0),
        (false, true) => Number::Signed(-(digits as i64)),
        (true, _) => {
            let number = digits as f64 / POWERS.get(places)?;
            Number::Float(if is_negative { -number } else { number })
        }
    };
    Some((number, end))
}
