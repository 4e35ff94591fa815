//! The parts of a result: MCP's content blocks.

mod older;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
#[cfg(feature = "testing")]
use serde::Deserialize;
use serde::Serialize;
use serde_json::{Map, Value};

pub(crate) use older::write_content;

/// One content block of a result.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(Deserialize))]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// Text.
    Text(Text),
    /// A picture.
    Image(Box<Image>),
    /// Sound.
    Audio(Box<Audio>),
    /// A link to a resource that the client can read.
    ResourceLink(Box<ResourceLink>),
    /// A resource whose content is part of the block.
    Resource(Box<EmbeddedResource>),
}

/// A text block.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(Deserialize))]
#[non_exhaustive]
pub struct Text {
    /// The text.
    pub text: String,
    /// The intended readers and the importance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Box<Annotations>>,
    /// `_meta`.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Box<Map<String, Value>>>,
}

/// A picture, encoded as base64.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(Deserialize))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Image {
    data: String,
    /// Its media type, such as `image/png`.
    pub mime_type: String,
    /// The intended readers and the importance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

/// Sound, encoded as base64.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(Deserialize))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Audio {
    data: String,
    /// Its media type, such as `audio/wav`.
    pub mime_type: String,
    /// The intended readers and the importance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

/// A link to a resource.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(Deserialize))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResourceLink {
    /// The URI of the resource.
    pub uri: String,
    /// Its name for programs.
    pub name: String,
    /// Its display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The intended readers and the importance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

/// A resource whose content is part of the block.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(Deserialize))]
#[non_exhaustive]
pub struct EmbeddedResource {
    resource: ResourceContents,
    /// The intended readers and the importance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

/// The intended readers of a block and its importance, for clients.
///
/// ```
/// use toolwright::mcp::protocol::{Annotations, Image, Role};
///
/// let mut chart = Image::png(b"...");
/// chart.annotations = Some(Annotations::default().audience([Role::User]).priority(0.3));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(Deserialize))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotations {
    /// The intended readers; empty leaves them open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Role>,
    /// The importance, from 0 (can be omitted) to 1 (required).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<f64>,
    /// When the content was last changed, as an ISO 8601 time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

/// Who reads a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "testing", derive(Deserialize))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(Deserialize))]
#[serde(rename_all = "camelCase")]
struct ResourceContents {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(flatten)]
    body: ResourceBody,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "testing", derive(Deserialize))]
#[serde(rename_all = "lowercase")]
enum ResourceBody {
    Text(String),
    Blob(String),
}

impl Annotations {
    /// Sets the intended readers.
    pub fn audience(mut self, audience: impl IntoIterator<Item = Role>) -> Self {
        self.audience = audience.into_iter().collect();
        self
    }

    /// Sets the importance, from 0 (can be omitted) to 1 (required).
    pub fn priority(mut self, priority: f64) -> Self {
        self.priority = Some(priority);
        self
    }

    /// Sets when the content was last changed, as an ISO 8601 time.
    pub fn last_modified(mut self, time: impl Into<String>) -> Self {
        self.last_modified = Some(time.into());
        self
    }
}

impl Content {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text { text: text.into(), ..Text::default() })
    }
}

impl Image {
    /// A picture of the given media type, from its bytes.
    pub fn new(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        let (data, mime_type) = (STANDARD.encode(bytes), mime_type.into());
        Self { data, mime_type, annotations: None, meta: Map::new() }
    }

    /// A PNG picture, from its bytes.
    pub fn png(bytes: impl AsRef<[u8]>) -> Self {
        Self::new(bytes, "image/png")
    }

    /// A JPEG picture, from its bytes.
    pub fn jpeg(bytes: impl AsRef<[u8]>) -> Self {
        Self::new(bytes, "image/jpeg")
    }
}

impl Audio {
    /// Sound of the given media type, from its bytes.
    pub fn new(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        let (data, mime_type) = (STANDARD.encode(bytes), mime_type.into());
        Self { data, mime_type, annotations: None, meta: Map::new() }
    }

    /// A WAV recording, from its bytes.
    pub fn wav(bytes: impl AsRef<[u8]>) -> Self {
        Self::new(bytes, "audio/wav")
    }
}

impl ResourceLink {
    /// A link to the resource at `uri`.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            annotations: None,
            meta: Map::new(),
        }
    }
}

impl EmbeddedResource {
    /// A resource of text.
    pub fn text(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        Self::new(uri, mime_type, ResourceBody::Text(text.into()))
    }

    /// A resource of bytes, encoded as base64.
    pub fn blob(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        bytes: impl AsRef<[u8]>,
    ) -> Self {
        Self::new(uri, mime_type, ResourceBody::Blob(STANDARD.encode(bytes)))
    }

    fn new(uri: impl Into<String>, mime_type: impl Into<String>, body: ResourceBody) -> Self {
        let (uri, mime_type) = (uri.into(), Some(mime_type.into()));
        let resource = ResourceContents { uri, mime_type, body };
        Self { resource, annotations: None, meta: Map::new() }
    }
}

macro_rules! into_content {
    ($($type:ty, $value:ident => $content:expr;)*) => {$(
        impl From<$type> for Content {
            fn from($value: $type) -> Self {
                $content
            }
        }
    )*};
}

into_content! {
    Image, image => Self::Image(Box::new(image));
    Audio, audio => Self::Audio(Box::new(audio));
    ResourceLink, link => Self::ResourceLink(Box::new(link));
    EmbeddedResource, resource => Self::Resource(Box::new(resource));
    String, text => Self::text(text);
    &str, text => Self::text(text);
}
