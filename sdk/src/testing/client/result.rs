//! The result of a tool, read from the wire.

use std::io::{self, ErrorKind};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::answers::{ROUNDS, asks};
use super::failure::failed;
use crate::mcp::protocol::SERVER_INFO;
use crate::{Content, ToolResult};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wire {
    content: Vec<Content>,
    structured_content: Option<Value>,
    #[serde(default)]
    is_error: bool,
    #[serde(rename = "_meta", default)]
    meta: Map<String, Value>,
}

/// The result that answers a call, or the text of the error. `wraps` is what [`read`] needs.
pub(super) fn outcome(
    answer: &Value,
    wraps: Option<bool>,
    request: &str,
) -> io::Result<Result<ToolResult, String>> {
    let Some(result) = answer.get("result") else {
        let message = answer["error"]["message"].as_str().unwrap_or("an error without message");
        return Ok(Err(message.to_owned()));
    };
    if asks(result) {
        return Err(unanswered(result, request));
    }
    let result = read(result, wraps).map_err(|error| {
        let what = format!("the answer is no result of a tool: {error}: {result}");
        failed(ErrorKind::InvalidData, what, request)
    })?;
    Ok(if result.is_error { Err(result.to_text()) } else { Ok(result) })
}

/// What a method fails with whose result still asks.
pub(super) fn unanswered(result: &Value, request: &str) -> io::Error {
    let questions = &result["inputRequests"];
    let what = format!(
        "the server asks more than {ROUNDS} times, or what the client does not answer: {questions}"
    );
    failed(ErrorKind::Other, what, request)
}

/// What a method fails with that was to give the result of a call.
pub(super) fn error(text: &str, request: &str) -> io::Error {
    let text = text.replace('\n', "\n    ");
    failed(ErrorKind::Other, format!("the answer is an error:\n    {text}"), request)
}

/// The result as the tool returned it. `wraps` says whether its value came as `{"result": …}`;
/// without that the copy of the value in the text decides, if there is one.
fn read(result: &Value, wraps: Option<bool>) -> serde_json::Result<ToolResult> {
    let Wire { content, structured_content, is_error, mut meta } = Wire::deserialize(result)?;
    // It is part of every result of the modern era.
    meta.shift_remove(SERVER_INFO);
    let mut read = ToolResult::from(content);
    read.is_error = is_error;
    read.meta = (!meta.is_empty()).then(|| Box::new(meta));
    let is_copy = |inner: &Value| {
        serde_json::from_str(&read.to_text()).is_ok_and(|text: Value| text == *inner)
    };
    let structured = structured_content.map(|value| match inner(&value) {
        Some(inner) if wraps.unwrap_or_else(|| is_copy(inner)) => inner.to_string(),
        _ => value.to_string(),
    });
    Ok(read.with_structured(structured))
}

/// What is in `{"result": …}`, in which the legacy era wraps a value that is not an object.
fn inner(structured: &Value) -> Option<&Value> {
    structured.as_object().filter(|object| object.len() == 1)?.get("result")
}

/// The value in the result, as [`call_as`](super::TestClient::call_as) says. `wraps` is what
/// [`read`] was given: a value that may still be wrapped is read as it is, or else without that.
pub(super) fn decode<T: DeserializeOwned>(
    result: &ToolResult,
    wraps: Option<bool>,
) -> serde_json::Result<T> {
    result.decode().or_else(|error| {
        let structured = result.structured_content().filter(|_| wraps.is_none());
        let value: Value = structured.and_then(|text| text.parse().ok()).unwrap_or_default();
        inner(&value).and_then(|inner| T::deserialize(inner).ok()).ok_or(error)
    })
}

/// The result as an error message shows it.
pub(super) fn shown(result: &ToolResult) -> String {
    match result.structured_content() {
        Some(structured) => structured.to_owned(),
        None => serde_json::to_string(&result.content).unwrap_or_default(),
    }
}
