//! The control protocol without I/O: its envelopes, and the requests of both sides that are not
//! answered yet.

mod received;
mod sent;
mod wire;

use std::fmt;

use serde_json::value::RawValue;

use crate::agent::error::ControlError;
use crate::agent::wire::{Cursor, Record, check, read};

pub(crate) use received::{Received, ReceivedId};
pub(crate) use sent::{Sent, SentId};
pub(crate) use wire::{
    Control, NoResponse, Request, write_cancel, write_error, write_mcp_message, write_request,
    write_success,
};

/// The answer to a request: the text of its `response` object, if there is one.
pub(crate) type Answer = Result<Box<str>, NoResponse>;

/// Decodes the answer to a request.
pub(in crate::agent) fn decode<T: Record>(subtype: &str, answer: &str) -> Result<T, ControlError> {
    check(answer).map_err(|error| malformed(subtype, &error))?;
    let record = read(Cursor::of(&answer.into())).map(|record| *record);
    record.ok_or_else(|| malformed(subtype, &"it is no JSON object"))
}

/// The answer to a request as raw JSON.
pub(crate) fn raw(subtype: &str, answer: Box<str>) -> Result<Box<RawValue>, ControlError> {
    RawValue::from_string(answer.into()).map_err(|error| malformed(subtype, &error))
}

fn malformed(subtype: &str, error: &dyn fmt::Display) -> ControlError {
    ControlError::Malformed { subtype: subtype.to_owned(), reason: error.to_string() }
}

#[cfg(test)]
mod tests;
