//! The parts of a result: MCP's content blocks.

mod older;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Annotations, Icon, ResourceContents, encoded_uri};

pub(crate) use older::{write_block, write_content};

/// One content block of a result.
///
/// It implements `Deserialize` for blocks that another server has sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
///
/// ```
/// use toolwright::{Image, tool};
///
/// #[tool]
/// async fn pixel() -> Image {
///     Image::new("<svg/>", "image/svg+xml")
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// assert_eq!(pixel().await.to_bytes().as_deref(), Some(&b"<svg/>"[..]));
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Image {
    pub(super) data: String,
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Audio {
    pub(super) data: String,
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
///
/// ```
/// use toolwright::{Icon, ResourceLink};
///
/// let mut link = ResourceLink::new("file:///notes.txt", "notes");
/// link.title = Some("Notes".into());
/// link.icons.push(Icon::new("https://example.com/text.png").size("48x48"));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// Its icons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// The intended readers and the importance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

/// A resource whose content is part of the block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EmbeddedResource {
    /// The resource.
    pub resource: ResourceContents,
    /// The intended readers and the importance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// `_meta`.
    #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

impl Content {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text { text: text.into(), ..Text::default() })
    }

    /// Sets the intended readers and the importance.
    pub fn annotated(mut self, annotations: Annotations) -> Self {
        match &mut self {
            Self::Text(text) => text.annotations = Some(Box::new(annotations)),
            Self::Image(image) => image.annotations = Some(annotations),
            Self::Audio(audio) => audio.annotations = Some(annotations),
            Self::ResourceLink(link) => link.annotations = Some(annotations),
            Self::Resource(resource) => resource.annotations = Some(annotations),
        }
        self
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

    /// Its bytes, decoded; `None` for what is not base64.
    #[inline]
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        STANDARD.decode(&self.data).ok()
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

    /// Its bytes, decoded; `None` for what is not base64.
    #[inline]
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        STANDARD.decode(&self.data).ok()
    }
}

impl ResourceLink {
    /// A link to the resource at `uri`, an absolute URI. Characters that no URI has are
    /// percent-encoded, as in the lists of resources.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: encoded_uri(&uri.into(), false).into_owned(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            icons: Vec::new(),
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
        ResourceContents::text(uri, text).mime_type(mime_type).into()
    }

    /// A resource of bytes, encoded as base64.
    pub fn blob(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        bytes: impl AsRef<[u8]>,
    ) -> Self {
        ResourceContents::blob(uri, bytes).mime_type(mime_type).into()
    }
}

impl From<ResourceContents> for EmbeddedResource {
    fn from(resource: ResourceContents) -> Self {
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
    &String, text => Self::text(text);
}
