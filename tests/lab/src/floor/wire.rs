use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A request or a notification. The members of all methods' parameters are in one struct, so that
/// the envelope and they are decoded in one pass; only the arguments are decoded in a second one.
#[derive(Deserialize)]
pub struct Request<'a> {
    /// `None` if it is a notification.
    #[serde(borrow)]
    pub id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub method: Cow<'a, str>,
    #[serde(borrow, default)]
    pub params: Params<'a>,
}

#[derive(Deserialize, Default)]
pub struct Params<'a> {
    #[serde(borrow, default)]
    pub name: Cow<'a, str>,
    #[serde(borrow)]
    pub arguments: Option<&'a RawValue>,
}

#[derive(Serialize)]
pub struct Response<'a, R> {
    jsonrpc: &'static str,
    id: &'a RawValue,
    result: R,
}

#[derive(Serialize)]
pub struct Failure<'a> {
    jsonrpc: &'static str,
    id: Option<&'a RawValue>,
    error: Error,
}

#[derive(Serialize)]
struct Error {
    code: i32,
    message: &'static str,
}

#[derive(Serialize)]
pub struct ToolResult<'a> {
    content: [Text<'a>; 1],
    #[serde(rename = "isError")]
    is_error: bool,
}

#[derive(Serialize)]
struct Text<'a> {
    r#type: &'static str,
    text: &'a str,
}

impl<'a, R> Response<'a, R> {
    pub fn new(id: &'a RawValue, result: R) -> Self {
        Self { jsonrpc: "2.0", id, result }
    }
}

impl<'a> Failure<'a> {
    pub fn new(id: Option<&'a RawValue>, code: i32, message: &'static str) -> Self {
        Self { jsonrpc: "2.0", id, error: Error { code, message } }
    }
}

impl<'a> ToolResult<'a> {
    pub fn text(text: &'a str, is_error: bool) -> Self {
        Self { content: [Text { r#type: "text", text }], is_error }
    }
}

/// Adds a message and its line feed.
pub fn write(message: &impl Serialize, out: &mut Vec<u8>) {
    // A vector takes all bytes, and nothing here is a map whose keys are no strings.
    let written = serde_json::to_writer(&mut *out, message);
    debug_assert!(written.is_ok());
    out.push(b'\n');
}
