//! MCP Apps (SEP-1865): tools whose results a host shows in a view of the server.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::uri::encoded_uri;

/// The extension's name in capabilities.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/ui";
/// The member of `_meta` of a tool and of a view.
pub(crate) const META: &str = "ui";
/// The member of it that names the view of a tool.
const VIEW: &str = "resourceUri";
/// How the URIs of views begin.
const SCHEME: &str = "ui://";
/// The media type of a view.
const MIME_TYPE: &str = "text/html;profile=mcp-app";

/// Who may call a tool (MCP Apps, `_meta.ui.visibility`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ToolVisibility {
    /// The model.
    Model,
    /// The server's own views.
    App,
}

/// The media type of a resource that has none, if its URI is that of a view.
pub(crate) fn mime_type_of(uri: &str) -> Option<&'static str> {
    is_view(uri).then_some(MIME_TYPE)
}

pub(crate) fn is_view(uri: &str) -> bool {
    uri.starts_with(SCHEME)
}

/// Sets a member of a tool's `_meta.ui`.
#[inline]
pub(crate) fn set(meta: &mut Map<String, Value>, member: &str, value: Value) {
    let entry = meta.entry(META).or_insert_with(|| json!({}));
    if let Value::Object(members) = entry {
        members.insert(member.to_owned(), value);
    }
}

/// Names the view of a tool. Its URI is encoded, as clients get that of its resource.
pub(crate) fn set_view(meta: &mut Map<String, Value>, uri: &str) {
    set(meta, VIEW, encoded_uri(uri, false).into());
}

/// Encodes the URI of the view that `_meta` by hand may name.
pub(crate) fn encode_view(meta: &mut Map<String, Value>) {
    if let Some(uri) = view(meta).map(str::to_owned) {
        set_view(meta, &uri);
    }
}

/// The URI of the view in which a host shows the results of a tool with this `_meta`.
pub(crate) fn view(meta: &Map<String, Value>) -> Option<&str> {
    meta.get(META)?.get(VIEW)?.as_str()
}
