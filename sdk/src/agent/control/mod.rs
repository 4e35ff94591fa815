//! The control protocol without I/O: its envelopes, and the requests of both sides that are not
//! answered yet.

mod received;
mod sent;
mod wire;

use std::fmt;

use serde_json::value::RawValue;

use crate::agent::error::ControlError;
use crate::agent::wire::{Cursor, Field, RawJson, Record, check, read};
use crate::scan::{self, Members};

pub(crate) use received::{Received, ReceivedId};
pub(crate) use sent::{Sent, SentId};
pub(crate) use wire::{
    Control, NoResponse, Request, write_cancel, write_error, write_mcp_message, write_request,
    write_success,
};

/// The answer to a request: the text of its `response` object, if there is one.
pub(crate) type Answer = Result<Box<str>, NoResponse>;

const NO_OBJECT: &str = "it is no JSON object";

/// Decodes the answer to a request.
pub(in crate::agent) fn decode<T: Record>(subtype: &str, answer: &str) -> Result<T, ControlError> {
    check(answer).map_err(|error| malformed(subtype, &error))?;
    let record = read(Cursor::of(&answer.into())).map(|record| *record);
    record.ok_or_else(|| malformed(subtype, &NO_OBJECT))
}

/// Decodes the one member that matters of the answer to a request.
pub(in crate::agent) fn decode_member<T: Field + Default>(
    subtype: &str,
    answer: &str,
    name: &str,
) -> Result<T, ControlError> {
    check(answer).map_err(|error| malformed(subtype, &error))?;
    Members::of(answer).map_err(|_| malformed(subtype, &NO_OBJECT))?;
    let value = scan::member(answer, name).unwrap_or_default().into();
    Ok(T::read(&mut Cursor::of(&value)).unwrap_or_default())
}

/// The answer to a request as raw JSON.
pub(crate) fn raw(subtype: &str, answer: Box<str>) -> Result<RawJson, ControlError> {
    let raw = RawValue::from_string(answer.into()).map_err(|error| malformed(subtype, &error))?;
    Ok(RawJson::of_text(Box::from(raw)))
}

fn malformed(subtype: &str, error: &dyn fmt::Display) -> ControlError {
    ControlError::Malformed { subtype: subtype.to_owned(), reason: error.to_string() }
}

#[cfg(test)]
mod tests;
