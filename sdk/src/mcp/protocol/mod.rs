//! Wire types of JSON-RPC 2.0 and MCP: the content of messages, without any behaviour.

// Of this crate these modules import the JSON scanner only.

pub(crate) mod time;
mod uri;
mod annotations;
pub(crate) mod app;
mod id;
mod implementation;
pub(crate) mod task;
mod list;
mod logging;
mod meta;
mod jsonrpc;
mod revision;
mod capability;
mod caching;
mod envelope;
mod string;
mod custom;
mod tool;
mod resource;
mod content;
mod prompt;
mod sampling;
mod root;

pub use annotations::{Annotations, Role};
pub use app::ToolVisibility;
pub use caching::Caching;
pub use content::{Audio, Content, EmbeddedResource, Image, ResourceLink, Text};
pub use custom::NotifyError;
pub use id::RequestId;
pub use implementation::Implementation;
pub use jsonrpc::ErrorObject;
pub use logging::LoggingLevel;
pub use prompt::{PromptArgument, PromptMessage};
pub use resource::ResourceContents;
pub use revision::Eras;
pub use root::Root;
pub use sampling::{Sampled, SamplingContent, SamplingMessage};
pub use task::TaskSupport;
pub use tool::{Icon, IconTheme, ToolAnnotations};

pub(crate) use capability::Capability;
pub(crate) use content::{write_block, write_content};
pub(crate) use custom::{CustomNotification, is_request, is_reserved};
pub(crate) use id::is_id;
pub(crate) use implementation::Offers;
pub(crate) use jsonrpc::{
    Message, Params, Request, Response, Write, write_error, write_method, write_result,
};
pub(crate) use list::{ListKind, Topic};
pub(crate) use meta::{CLIENT_CAPABILITIES, Meta, PROTOCOL_VERSION, SERVER_INFO, SUBSCRIPTION_ID};
pub(crate) use prompt::PromptInfo;
pub(crate) use resource::ResourceInfo;
pub(crate) use revision::{Profile, Revision, StructuredContent};
pub(crate) use sampling::write_messages;
pub(crate) use string::write_string;
pub(crate) use task::TaskState;
pub(crate) use tool::ToolInfo;
pub(crate) use uri::encoded_uri;

/// Writes `value` as JSON. The types that this crate writes so have a `Serialize` that does not
/// fail.
pub(crate) fn write_json<T: serde::Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(&mut *out, value).unwrap_or_else(|error| write_null(out, &error));
}

/// A value as the JSON text of an object, or why it is none; null is an object without members.
pub(crate) fn object_json(value: &impl serde::Serialize) -> Result<String, String> {
    match serde_json::to_string(value) {
        Ok(text) if text.starts_with('{') => Ok(text),
        Ok(text) if text == "null" => Ok("{}".into()),
        Ok(_) => Err("a JSON object is needed".into()),
        Err(error) => Err(error.to_string()),
    }
}

/// The JSON of a value, if it has any, with the digits that the program has: as a `Value` alone
/// `0.1` of an `f32` would be `0.10000000149011612`.
pub(crate) fn shown(value: &(impl serde::Serialize + ?Sized)) -> Option<serde_json::Value> {
    // The text of a number of 128 bits would be read as another one.
    serde_json::to_value(value).ok()?;
    serde_json::to_string(value).ok()?.parse().ok()
}

fn write_null(out: &mut Vec<u8>, error: &serde_json::Error) {
    debug_assert!(false, "a wire type failed to serialise: {error}");
    out.extend_from_slice(b"null");
}
