//! The result of a tool, read from the wire.

use std::io::{self, ErrorKind};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

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

/// The result that answers a call, or the text of the error.
pub(super) fn outcome(answer: &Value, request: &str) -> io::Result<Result<ToolResult, String>> {
    let Some(result) = answer.get("result") else {
        let message = answer["error"]["message"].as_str().unwrap_or("an error without message");
        return Ok(Err(message.to_owned()));
    };
    let result = read(result).map_err(|error| {
        let what = format!("the answer is no result of a tool: {error}: {result}");
        failed(ErrorKind::InvalidData, what, request)
    })?;
    Ok(if result.is_error { Err(result.to_text()) } else { Ok(result) })
}

/// What a method fails with that was to give the result of a call.
pub(super) fn error(text: &str, request: &str) -> io::Error {
    let text = text.replace('\n', "\n    ");
    failed(ErrorKind::Other, format!("the answer is an error:\n    {text}"), request)
}

/// The result as the tool returned it.
pub(super) fn read(result: &Value) -> serde_json::Result<ToolResult> {
    let Wire { content, structured_content, is_error, mut meta } = Wire::deserialize(result)?;
    // It is part of every result of the modern era.
    meta.shift_remove(SERVER_INFO);
    let mut read = ToolResult::from(content);
    read.is_error = is_error;
    read.meta = (!meta.is_empty()).then(|| Box::new(meta));
    let structured = structured_content.map(|value| unwrapped(value, &read).to_string());
    Ok(read.with_structured(structured))
}

/// The legacy era wraps a value that is not an object as `{"result": …}`, but not its copy in the
/// text.
fn unwrapped(mut structured: Value, result: &ToolResult) -> Value {
    let is_alone = structured.as_object().is_some_and(|object| object.len() == 1);
    match structured.get_mut("result").filter(|_| is_alone) {
        Some(inner)
            if serde_json::from_str(&result.to_text()).is_ok_and(|text: Value| text == *inner) =>
        {
            inner.take()
        }
        _ => structured,
    }
}

/// The value in the result, as [`call_as`](super::TestClient::call_as) says.
pub(super) fn decode<T: DeserializeOwned>(result: &ToolResult) -> serde_json::Result<T> {
    if let Some(structured) = result.structured_content() {
        return serde_json::from_str(structured);
    }
    if result.content.is_empty() {
        return T::deserialize(Value::Null);
    }
    let text = result.to_text();
    T::deserialize(Value::String(text.clone())).or_else(|_| serde_json::from_str(&text))
}

/// The result as an error message shows it.
pub(super) fn shown(result: &ToolResult) -> String {
    match result.structured_content() {
        Some(structured) => structured.to_owned(),
        None => serde_json::to_string(&result.content).unwrap_or_default(),
    }
}
