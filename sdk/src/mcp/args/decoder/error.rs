use std::fmt;

use serde::de::{Error as _, Expected, Unexpected};

use crate::mcp::words::without_position;

/// Why a value is refused, with the message that serde_json has for it.
///
/// An untagged enum creates such an error for each variant that does not fit, and drops it. So the
/// message of a wrong type is formatted when it is read; serde_json formats it at once, and then
/// searches it for a position.
#[doc(hidden)]
#[derive(Debug)]
pub struct Error(Box<Reason>);

#[derive(Debug)]
enum Reason {
    Type { found: Found, expected: String },
    Custom(String),
    Json(serde_json::Error),
}

#[derive(Debug)]
enum Found {
    Text(String),
    Other(Unexpected<'static>),
}

impl Error {
    /// True if the text ends inside of the value.
    pub(in crate::mcp::args) fn is_eof(&self) -> bool {
        matches!(&*self.0, Reason::Json(error) if error.is_eof())
    }
}

impl From<serde_json::Error> for Error {
    #[cold]
    fn from(error: serde_json::Error) -> Self {
        Self(Box::new(Reason::Json(error)))
    }
}

impl serde::de::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(Box::new(Reason::Custom(message.to_string())))
    }

    #[cold]
    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let found = match unexpected {
            Unexpected::Str(text) => Found::Text(text.to_owned()),
            Unexpected::Bool(truth) => Found::Other(Unexpected::Bool(truth)),
            Unexpected::Unsigned(number) => Found::Other(Unexpected::Unsigned(number)),
            Unexpected::Signed(number) => Found::Other(Unexpected::Signed(number)),
            Unexpected::Float(number) => Found::Other(Unexpected::Float(number)),
            Unexpected::Unit => Found::Other(Unexpected::Unit),
            Unexpected::Seq => Found::Other(Unexpected::Seq),
            Unexpected::Map => Found::Other(Unexpected::Map),
            other => return serde_json::Error::invalid_type(other, expected).into(),
        };
        Self(Box::new(Reason::Type { found, expected: expected.to_string() }))
    }

    #[cold]
    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        serde_json::Error::invalid_value(unexpected, expected).into()
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (found, expected) = match &*self.0 {
            Reason::Custom(message) => return f.write_str(message),
            // A pointer replaces the position.
            Reason::Json(error) => return f.write_str(without_position(&error.to_string())),
            Reason::Type { found, expected } => (found, expected.as_str()),
        };
        let found = match found {
            Found::Text(text) => Unexpected::Str(text),
            Found::Other(found) => *found,
        };
        serde_json::Error::invalid_type(found, &expected).fmt(f)
    }
}
