//! JSON-RPC 2.0: reading the envelope of a message by borrowing, and writing messages.

use std::any::Any;
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::mem::take;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Meta, RequestId, is_id, write_json, write_string};
use crate::scan::{self, Malformed, Members};

/// The error of a JSON-RPC response: plain data for the client program. An error for the model is
/// an error result of the tool instead, which every other error of a tool becomes.
///
/// A function that returns it as its `Err`, as it is or in a `Box<dyn Error + Send + Sync>`, is
/// answered by exactly this error; so is a function under a macro that returns it in an
/// `anyhow::Error`. Without it the errors of prompts and resources have the code
/// [`ErrorObject::INTERNAL_ERROR`].
///
/// ```
/// use toolwright::{ErrorObject, json, resource, tool};
///
/// /// The tariff of a region.
/// #[resource("tariffs://{region}")]
/// async fn tariff(region: &str) -> Result<String, ErrorObject> {
///     match region {
///         "north" => Ok("0.31".to_owned()),
///         _ => Err(ErrorObject::new(ErrorObject::INVALID_PARAMS, "No such region")
///             .with_data(json!({"region": region}))),
///     }
/// }
///
/// /// Pay a bill.
/// #[tool]
/// async fn pay(number: u32) -> Result<String, ErrorObject> {
///     Err(ErrorObject::new(-31001, format!("{number} needs an account")))
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ErrorObject {
    /// One of JSON-RPC's or MCP's codes; your own codes are outside of -32768 to -32000.
    pub code: i64,
    /// A short description, one sentence as JSON-RPC recommends.
    pub message: Cow<'static, str>,
    /// What a program needs to act on the error.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub data: Option<Value>,
}

/// Writes the members of an object.
pub(crate) type Write<'a> = &'a mut dyn FnMut(&mut Vec<u8>);

/// The content of one line.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    Request(Request<'a>),
    Notification(Cow<'a, str>, Params<'a>),
    Response(Response<'a>),
    /// What may be an array of messages: it begins like one.
    Batch,
    /// Not a message; `id` is the id for the answer, if it can be found.
    Invalid {
        id: Option<RequestId>,
        /// It has an id, if not one that can be used.
        has_id: bool,
        error: ErrorObject,
    },
}

#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) id: RequestId,
    pub(crate) method: Cow<'a, str>,
    pub(crate) params: Params<'a>,
}

/// An answer to a request of the session, as raw JSON texts.
#[derive(Debug)]
pub(crate) struct Response<'a> {
    pub(crate) id: Option<&'a str>,
    pub(crate) result: Option<&'a str>,
    pub(crate) error: Option<&'a str>,
}

/// The `params` of a request. The members that calls need are found in the same pass; others are
/// searched on demand.
#[derive(Debug, Default, Clone)]
pub(crate) struct Params<'a> {
    /// The text of the object; empty when `params` is absent or null.
    text: &'a str,
    pub(crate) name: Option<&'a str>,
    pub(crate) arguments: Option<&'a str>,
    pub(crate) meta: Meta<'a>,
    /// 2026-07-28: the client's answers to the questions of the last round, and its state.
    pub(crate) input_responses: Option<&'a str>,
    pub(crate) request_state: Option<&'a str>,
    /// `params` is present but not an object.
    pub(crate) ill_typed: bool,
}

impl<'a> Params<'a> {
    /// The JSON text of the object, whose grammar was not checked; `None` if it is something else.
    pub(crate) fn text(&self) -> Option<&'a str> {
        match self.text {
            _ if self.ill_typed => None,
            "" => Some("{}"),
            text => Some(text),
        }
    }

    /// The raw value of a member.
    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        scan::member(self.text, name)
    }
}

impl RequestId {
    /// The id for the answer to a message that cannot be read as it is. Bytes of `text` that were
    /// not UTF-8 are replaced, and the end of it may be missing.
    pub(crate) fn of_unreadable(text: &str) -> Option<Self> {
        let id = match Message::read(text) {
            Message::Request(request) => Some(request.id),
            Message::Invalid { id, .. } => id,
            Message::Batch | Message::Notification(..) | Message::Response(_) => None,
        };
        // The client never sent an id with replaced bytes, so no answer may have it.
        id.filter(|id| id.to_string().chars().all(|letter| letter != char::REPLACEMENT_CHARACTER))
    }
}

impl ErrorObject {
    pub(crate) const PARSE_ERROR: i64 = -32700;
    pub(crate) const INVALID_REQUEST: i64 = -32600;
    pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
    /// The parameters of the request are wrong.
    pub const INVALID_PARAMS: i64 = -32602;
    /// The server has failed.
    pub const INTERNAL_ERROR: i64 = -32603;
    /// Before 2026-07-28: no resource has the URI. Since then it is
    /// [`ErrorObject::INVALID_PARAMS`].
    pub(crate) const RESOURCE_NOT_FOUND: i64 = -32002;
    /// 2026-07-28: a header does not agree with the body.
    #[cfg(feature = "http")]
    pub(crate) const HEADER_MISMATCH: i64 = -32020;
    /// 2026-07-28: the client lacks a capability that the request needs.
    pub(crate) const MISSING_CLIENT_CAPABILITY: i64 = -32021;
    /// 2026-07-28: `data` names the supported versions.
    pub(crate) const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;

    /// An error without data.
    pub fn new(code: i64, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// The server has failed for this reason.
    pub(crate) fn internal(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Self::INTERNAL_ERROR, message)
    }

    /// A function has failed with this error.
    pub(crate) fn of_failure(error: &impl fmt::Display) -> Self {
        // With alternate formatting anyhow and similar crates print their chain of causes.
        Self::internal(format!("{error:#}"))
    }

    /// It, if this error is it.
    pub(crate) fn found_in(error: &dyn Any) -> Option<&Self> {
        let boxed = error.downcast_ref::<Box<dyn Error + Send + Sync>>();
        error.downcast_ref().or_else(|| boxed.and_then(|error| error.downcast_ref()))
    }

    pub(crate) fn parse_error(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Self::PARSE_ERROR, message)
    }

    pub(crate) fn not_json() -> Self {
        Self::parse_error("Parse error: the line is not valid JSON")
    }

    pub(crate) fn invalid_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Self::INVALID_REQUEST, message)
    }

    pub(crate) fn invalid_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Self::INVALID_PARAMS, message)
    }

    /// Sets what a program needs to act on the error.
    pub fn with_data(mut self, data: impl Into<Value>) -> Self {
        self.data = Some(data.into());
        self
    }
}

impl fmt::Display for ErrorObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl Error for ErrorObject {}

impl<'a> Message<'a> {
    /// Reads one line. If a key occurs twice the last one counts. The grammar of all that is not
    /// decoded is checked here; that of the arguments of a tool is checked by its decoder.
    pub(crate) fn read(line: &'a str) -> Self {
        match Envelope::read(line) {
            Ok(envelope) => envelope.classify(line),
            Err(Malformed) => Self::broken(line),
        }
    }

    /// A line that is not a JSON object. It is answered if the id of a request can be found in it.
    fn broken(line: &'a str) -> Self {
        if scan::elements(line).is_ok() {
            return Self::Batch;
        }
        let request = scan::member(line, "method").is_some();
        let id = Self::id_of_broken(line).filter(|_| request).and_then(RequestId::read);
        Self::Invalid { id, has_id: false, error: ErrorObject::not_json() }
    }

    /// The raw id of a message that is broken, or whose end is missing.
    pub(crate) fn id_of_broken(text: &str) -> Option<&str> {
        // A number at the end of an incomplete line may have had more digits.
        let is_torn = |id: &str| {
            !id.ends_with('"')
                && id.as_bytes().as_ptr_range().end == text.as_bytes().as_ptr_range().end
        };
        scan::member(text, "id").filter(|id| is_id(id) && !is_torn(id))
    }
}

const VERSION: &str = "\"2.0\"";
const CALL: &str = "\"tools/call\"";
const KEYS: [&str; 6] =
    ["\"jsonrpc\":", "\"id\":", "\"method\":", "\"params\":", "\"result\":", "\"error\":"];
const PARAMS: [&str; 3] = ["\"name\":", "\"arguments\":", "\"_meta\":"];

#[derive(Default)]
struct Envelope<'a> {
    jsonrpc: Option<&'a str>,
    id: Option<&'a str>,
    method: Option<&'a str>,
    params: Params<'a>,
    result: Option<&'a str>,
    error: Option<&'a str>,
    /// The line has a part that will not be decoded, as nobody needs it or a later member with the
    /// same key replaces it.
    has_unread: bool,
}

impl<'a> Envelope<'a> {
    fn read(line: &'a str) -> Result<Self, Malformed> {
        let mut envelope = Self::default();
        let mut members = Members::of(line)?;
        while let Some(key) = members.key_among(&KEYS)? {
            match key {
                "jsonrpc" => {
                    let version = members.value_among(VERSION)?;
                    envelope.has_unread |= envelope.jsonrpc.replace(version).is_some();
                }
                "id" => envelope.has_unread |= envelope.id.replace(members.value()?).is_some(),
                "method" => {
                    let method = members.value_among(CALL)?;
                    envelope.has_unread |= envelope.method.replace(method).is_some();
                }
                "params" => envelope.read_params(&mut members)?,
                _ => {
                    envelope.has_unread = true;
                    match (key, members.value()?) {
                        ("result", value) => envelope.result = Some(value),
                        ("error", value) => envelope.error = Some(value),
                        _ => {}
                    }
                }
            }
        }
        members.finish()?;
        Ok(envelope)
    }

    /// Finds the members of `params` and its end in one pass.
    fn read_params(&mut self, members: &mut Members<'a>) -> Result<(), Malformed> {
        if !self.params.text.is_empty() || self.params.ill_typed {
            self.has_unread = true;
            self.params = Params::default();
        }
        let rest = members.rest();
        if !rest.starts_with('{') {
            self.params.ill_typed = members.value()? != "null";
            self.has_unread = true;
            return Ok(());
        }
        let mut inner = Members::of(rest)?;
        while let Some(key) = inner.key_among(&PARAMS)? {
            if key == "_meta" && inner.rest().starts_with('{') {
                self.has_unread |= self.params.meta.text.is_some();
                self.params.meta = Meta::leading(inner.rest())?;
                inner.advance(self.params.meta.text.map_or(0, str::len));
                continue;
            }
            let value = inner.value()?;
            self.has_unread |= match key {
                "name" => self.params.name.replace(value).is_some(),
                "arguments" => self.params.arguments.replace(value).is_some(),
                "_meta" => take(&mut self.params.meta).text.is_some() || value != "null",
                "inputResponses" => {
                    self.params.input_responses = Some(value);
                    true
                }
                "requestState" => {
                    self.params.request_state = Some(value);
                    true
                }
                _ => true,
            };
        }
        let length = rest.len() - inner.rest().len();
        self.params.text = rest.get(..length).unwrap_or_default();
        members.advance(length);
        Ok(())
    }

    fn classify(self, line: &'a str) -> Message<'a> {
        let method = match self.method {
            Some(CALL) => CALL.get(1..CALL.len() - 1).map(Cow::from),
            method => method.and_then(scan::string),
        };
        let is_decoded = method.as_deref() == Some("tools/call");
        let has_version = self.jsonrpc == Some(VERSION)
            || self.jsonrpc.and_then(scan::string).as_deref() == Some("2.0");
        let id = self.id.and_then(RequestId::read);
        let unread = match self.has_unread || !is_decoded || !has_version || id.is_none() {
            true => Some(line),
            false => self.params.meta.text.filter(|_| self.params.meta.has_unread),
        };
        if unread.is_some_and(|text| !scan::is_json(text)) {
            return Message::broken(line);
        }
        if self.method.is_none() && (self.result.is_some() || self.error.is_some()) {
            let Self { id, result, error, .. } = self;
            return Message::Response(Response { id, result, error });
        }
        let invalid = |id, message: &'static str| Message::Invalid {
            id,
            has_id: self.id.is_some(),
            error: ErrorObject::invalid_request(message),
        };
        if !has_version {
            return invalid(id, "Invalid request: `jsonrpc` must be \"2.0\"");
        }
        let Some(method) = method else {
            return invalid(id, "Invalid request: `method` must be a string");
        };
        match (self.id, id) {
            (_, Some(id)) => Message::Request(Request { id, method, params: self.params }),
            (Some(_), None) => {
                invalid(None, "Invalid request: `id` must be a string or an integer")
            }
            (None, None) => Message::Notification(method, self.params),
        }
    }
}

/// Writes a response; `result` writes the members of the result object.
pub(crate) fn write_result(out: &mut Vec<u8>, id: &RequestId, result: Write<'_>) {
    begin(out, Some(id));
    out.extend_from_slice(b",\"result\":{");
    result(out);
    out.extend_from_slice(b"}}\n");
}

/// Writes an error response, without an id if the id of the request cannot be used.
pub(crate) fn write_error(out: &mut Vec<u8>, id: Option<&RequestId>, error: &ErrorObject) {
    begin(out, id);
    out.extend_from_slice(b",\"error\":");
    write_json(out, error);
    out.extend_from_slice(b"}\n");
}

/// Writes a notification, or with an `id` a request; `params` writes the members of the object.
pub(crate) fn write_method(
    out: &mut Vec<u8>,
    id: Option<&RequestId>,
    method: &str,
    params: Option<Write<'_>>,
) {
    begin(out, id);
    out.extend_from_slice(b",\"method\":");
    write_string(out, method);
    if let Some(params) = params {
        out.extend_from_slice(b",\"params\":{");
        params(out);
        out.push(b'}');
    }
    out.extend_from_slice(b"}\n");
}

/// Begins a message, with an id if it has one.
fn begin(out: &mut Vec<u8>, id: Option<&RequestId>) {
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\"");
    if let Some(id) = id {
        out.extend_from_slice(b",\"id\":");
        id.write(out);
    }
}

#[cfg(test)]
mod tests;
