//! Resources as entries of their lists, and their contents.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Annotations, Icon, encoded_uri};

/// The content of one resource: text, or bytes, which are encoded as base64.
///
/// ```
/// use toolwright::ResourceContents;
///
/// let note = ResourceContents::text("notes://7", "Buy milk").mime_type("text/markdown");
/// let icon = ResourceContents::blob("icons://7", b"...").mime_type("image/png");
/// # let _ = (note, icon);
/// ```
///
/// It implements `Deserialize` for contents that another server has sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceContents {
    /// The URI of the resource. Empty means the one that the client has asked for.
    pub uri: String,
    /// Its media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    #[serde(flatten)]
    pub(super) body: ResourceBody,
    /// `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ResourceBody {
    Text(String),
    Blob(String),
}

/// One entry of `resources/list` or of `resources/templates/list`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResourceInfo<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri_template: Option<Cow<'a, str>>,
    pub(crate) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mime_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) annotations: Option<Cow<'a, Annotations>>,
    #[serde(skip_serializing_if = "<[Icon]>::is_empty")]
    pub(crate) icons: &'a [Icon],
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<&'a Map<String, Value>>,
}

impl ResourceContents {
    /// Text. `uri` is absolute, and characters that no URI has are percent-encoded; an empty one
    /// means the one that the client has asked for.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(uri.into(), ResourceBody::Text(text.into()))
    }

    /// Bytes. `uri` is that of [`ResourceContents::text`].
    pub fn blob(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::new(uri.into(), ResourceBody::Blob(STANDARD.encode(bytes)))
    }

    /// Sets the media type. Default: that of the resource.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Adds an entry of `_meta`.
    pub fn with_meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }

    /// The text; `None` for bytes.
    pub fn as_text(&self) -> Option<&str> {
        match &self.body {
            ResourceBody::Text(text) => Some(text),
            ResourceBody::Blob(_) => None,
        }
    }

    /// The bytes, decoded; `None` for text, and for what is not base64.
    #[inline]
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        match &self.body {
            ResourceBody::Text(_) => None,
            ResourceBody::Blob(blob) => STANDARD.decode(blob).ok(),
        }
    }

    pub(super) fn new(uri: String, body: ResourceBody) -> Self {
        let uri = encoded_uri(&uri, false).into_owned();
        Self { uri, mime_type: None, body, meta: Map::new() }
    }
}
