//! The envelopes of the control protocol.

use std::borrow::Cow;
use std::io::Write;

use serde::Serialize;

use super::received::ReceivedId;
use super::sent::SentId;
use crate::agent::error::ControlError;
use crate::agent::message::ControlKind;
use crate::agent::wire::{lossy, write_json};
use crate::scan::{self, Members, raw_members};

/// A control message of the CLI.
#[derive(Debug, PartialEq)]
pub(crate) enum Control<'a> {
    Request(Cow<'a, str>, Request<'a>),
    /// The answer to a request of ours: the text of the response object.
    Response(Cow<'a, str>, Result<&'a str, NoResponse>),
    Cancel(Cow<'a, str>),
    /// A request that cannot be read: its id and what is wrong.
    BadRequest(Cow<'a, str>, &'static str),
    /// It has no id.
    Malformed,
}

/// A request of the CLI. A `&str` is the text of a JSON value.
#[derive(Debug, PartialEq)]
pub(crate) enum Request<'a> {
    /// The whole request object.
    CanUseTool(&'a str),
    Hook {
        callback: Cow<'a, str>,
        input: &'a str,
        tool_use_id: Option<Cow<'a, str>>,
    },
    /// The whole request object.
    Elicitation(&'a str),
    /// The kind, and the whole request object.
    Dialog(Cow<'a, str>, &'a str),
    Mcp {
        server: Cow<'a, str>,
        message: &'a str,
    },
    /// Meant for hosts of another kind; only they may answer.
    NotForUs,
    Unknown(Cow<'a, str>),
}

/// Why an answer has no response object.
#[derive(Debug, PartialEq)]
pub(crate) enum NoResponse {
    /// The CLI answers with an error.
    Refused { message: String, code: Option<String> },
    /// What is wrong with the answer.
    Malformed(&'static str),
}

impl NoResponse {
    /// The error of a request of this subtype.
    pub(crate) fn of(self, subtype: &str) -> ControlError {
        match self {
            Self::Refused { message, code } => ControlError::Refused { message, code },
            Self::Malformed(reason) => {
                ControlError::Malformed { subtype: subtype.to_owned(), reason: reason.to_owned() }
            }
        }
    }
}

impl<'a> Control<'a> {
    /// Reads a line of this kind.
    pub(crate) fn read(kind: ControlKind, line: &'a str) -> Self {
        match kind {
            ControlKind::Request => Self::request(line),
            ControlKind::Response => Self::response(line),
            ControlKind::Cancel => {
                scan::text(line, "request_id").map_or(Self::Malformed, Self::Cancel)
            }
        }
    }

    /// Reads the id from the beginning of a line that was too long.
    pub(crate) fn too_long(kind: ControlKind, head: &'a str) -> Self {
        let id = head
            .split_once("\"request_id\":")
            .and_then(|(_, rest)| rest.trim_start().strip_prefix('"')?.split_once('"'));
        let Some((id, _)) = id else { return Self::Malformed };
        match kind {
            ControlKind::Request => {
                Self::BadRequest(id.into(), "the request is longer than a line may be")
            }
            ControlKind::Response => Self::Response(
                id.into(),
                Err(NoResponse::Malformed("it is longer than a line may be")),
            ),
            ControlKind::Cancel => Self::Cancel(id.into()),
        }
    }

    fn request(line: &'a str) -> Self {
        let mut id = None;
        let mut request = None;
        let Ok(mut members) = Members::of(line) else { return Self::Malformed };
        while let Ok(Some(key)) = members.key() {
            let fields = (key == "request").then(|| Fields::read(members.rest()));
            if let Some(Some((_, whole))) = &fields {
                members.advance(whole.len());
            } else {
                let Ok(value) = members.value() else { break };
                if key == "request_id" {
                    id = scan::string(value);
                }
            }
            request = fields.or(request);
        }
        let Some(id) = id else { return Self::Malformed };
        match request {
            Some(Some((fields, whole))) => fields.request(whole).map_or_else(
                |problem| Self::BadRequest(id.clone(), problem),
                |request| Self::Request(id.clone(), request),
            ),
            Some(None) => Self::BadRequest(id, "the request is no object"),
            None => Self::BadRequest(id, "the request is missing"),
        }
    }

    fn response(line: &'a str) -> Self {
        let Some(response) = scan::member(line, "response") else { return Self::Malformed };
        let Some(id) = scan::text(response, "request_id") else { return Self::Malformed };
        match scan::text(response, "subtype").as_deref() {
            Some("success") => Self::Response(
                id,
                Ok(scan::member(response, "response")
                    .filter(|value| *value != "null")
                    .unwrap_or("{}")),
            ),
            Some("error") => {
                let text = |name| scan::member(response, name).and_then(lossy);
                let message = text("error").unwrap_or_else(|| "no reason was given".to_owned());
                let code = text("error_code");
                Self::Response(id, Err(NoResponse::Refused { message, code }))
            }
            _ => Self::Response(
                id,
                Err(NoResponse::Malformed("it is neither a success nor an error")),
            ),
        }
    }
}

raw_members! {
    /// The members of a request, found in one pass.
    struct Fields {
        subtype = "subtype",
        server = "server_name",
        message = "message",
        callback = "callback_id",
        input = "input",
        tool_use_id = "tool_use_id",
        tool_name = "tool_name",
        dialog_kind = "dialog_kind",
    }
}

impl<'a> Fields<'a> {
    /// Reads the object that `text` begins with, and gives its text.
    fn read(text: &'a str) -> Option<(Self, &'a str)> {
        let mut fields = Self::default();
        let mut members = Members::of(text).ok()?;
        while let Some(key) = members.key().ok()? {
            let value = members.value().ok()?;
            fields.place(key).into_iter().for_each(|place| *place = Some(value));
        }
        Some((fields, text.get(..members.position())?))
    }

    /// `whole` is the text of the object.
    fn request(self, whole: &'a str) -> Result<Request<'a>, &'static str> {
        let string = |raw: Option<&'a str>| raw.and_then(scan::string);
        let subtype = string(self.subtype).ok_or("the request has no subtype")?;
        match &*subtype {
            // A callback must not decide on an empty input in place of one that cannot be read.
            "can_use_tool" => match (string(self.tool_name), self.input) {
                (None, _) => Err("`tool_name` is missing"),
                (_, Some(input)) if input.starts_with('{') => Ok(Request::CanUseTool(whole)),
                _ => Err("`input` is no object"),
            },
            "hook_callback" => Ok(Request::Hook {
                callback: string(self.callback).ok_or("`callback_id` is missing")?,
                input: self.input.unwrap_or("{}"),
                tool_use_id: string(self.tool_use_id),
            }),
            "elicitation" => Ok(Request::Elicitation(whole)),
            "mcp_message" => Ok(Request::Mcp {
                server: string(self.server).ok_or("`server_name` is missing")?,
                message: self.message.ok_or("`message` is missing")?,
            }),
            "remote_tool_call"
            | "remote_plumbing_call"
            | "remote_tools_probe"
            | "remote_tools_reannounce" => Ok(Request::NotForUs),
            // Nobody can have declared a kind that cannot be read.
            "request_user_dialog" => Ok(string(self.dialog_kind)
                .map_or(Request::NotForUs, |kind| Request::Dialog(kind, whole))),
            _ => Ok(Request::Unknown(subtype)),
        }
    }
}

/// Writes a request of ours. `body` is an object with its members beside `subtype`.
pub(crate) fn write_request<T: Serialize + ?Sized>(
    out: &mut Vec<u8>,
    id: SentId,
    subtype: &str,
    body: &T,
) {
    let _ = write!(out, "{{\"type\":\"control_request\",\"request_id\":\"{id}\",");
    out.extend_from_slice(b"\"request\":{\"subtype\":");
    write_json(out, subtype);
    let from = out.len();
    write_json(out, body);
    // The body is an object of its own; its members go behind the subtype.
    match out.get(from..) {
        Some([b'{', rest @ ..]) if rest != b"}" => out[from] = b',',
        _ => {
            out.truncate(from);
            out.push(b'}');
        }
    }
    out.extend_from_slice(b"}\n");
}

/// Writes a request that brings a message of an in-process server to the CLI.
pub(crate) fn write_mcp_message(out: &mut Vec<u8>, id: SentId, server: &str, message: &str) {
    let _ = write!(out, "{{\"type\":\"control_request\",\"request_id\":\"{id}\",");
    out.extend_from_slice(b"\"request\":{\"subtype\":\"mcp_message\",\"server_name\":");
    write_json(out, server);
    out.extend_from_slice(b",\"message\":");
    out.extend_from_slice(message.as_bytes());
    out.extend_from_slice(b"}}\n");
}

/// Withdraws a request of ours.
pub(crate) fn write_cancel(out: &mut Vec<u8>, id: SentId) {
    let _ = writeln!(out, "{{\"type\":\"control_cancel_request\",\"request_id\":\"{id}\"}}");
}

/// Answers a request of the CLI; `response` is the text of the response object, in pieces.
pub(crate) fn write_success(out: &mut Vec<u8>, id: &ReceivedId, response: &[&str]) {
    out.extend_from_slice(
        b"{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":",
    );
    write_json(out, id.as_str());
    out.extend_from_slice(b",\"response\":");
    response.iter().for_each(|piece| out.extend_from_slice(piece.as_bytes()));
    out.extend_from_slice(b"}}\n");
}

/// Answers a request of the CLI with an error.
pub(crate) fn write_error(out: &mut Vec<u8>, id: &ReceivedId, error: &str, code: Option<&str>) {
    out.extend_from_slice(
        b"{\"type\":\"control_response\",\"response\":{\"subtype\":\"error\",\"request_id\":",
    );
    write_json(out, id.as_str());
    out.extend_from_slice(b",\"error\":");
    write_json(out, error);
    if let Some(code) = code {
        out.extend_from_slice(b",\"error_code\":");
        write_json(out, code);
    }
    out.extend_from_slice(b"}}\n");
}
