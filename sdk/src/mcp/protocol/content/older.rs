//! Content blocks for revisions that do not have all that a block can have.

use serde_json::Map;

use super::super::{Profile, write_json};
use super::{Audio, Content, EmbeddedResource, ResourceBody, ResourceContents, ResourceLink, Text};

/// Writes content blocks in the form of a revision.
pub(crate) fn write_content(out: &mut Vec<u8>, content: &[Content], profile: &Profile) {
    if profile.has_audio && profile.has_resource_links && profile.has_meta {
        return write_json(out, content);
    }
    // Few clients are so old that copies matter.
    let older: Vec<_> = content.iter().map(|block| block.within(profile)).collect();
    write_json(out, &older);
}

impl Content {
    /// What a revision has of it, or in its place.
    fn within(&self, profile: &Profile) -> Self {
        let mut block = match self {
            Self::Audio(audio) if !profile.has_audio => audio.to_resource().into(),
            Self::ResourceLink(link) if !profile.has_resource_links => link.to_text(),
            block => block.clone(),
        };
        if profile.has_meta {
            return block;
        }
        let annotations = match &mut block {
            Self::Text(text) => {
                text.meta = None;
                text.annotations.as_deref_mut()
            }
            Self::Image(image) => {
                image.meta.clear();
                image.annotations.as_mut()
            }
            Self::Audio(audio) => {
                audio.meta.clear();
                audio.annotations.as_mut()
            }
            Self::ResourceLink(link) => {
                link.meta.clear();
                link.annotations.as_mut()
            }
            Self::Resource(resource) => {
                resource.meta.clear();
                resource.annotations.as_mut()
            }
        };
        if let Some(annotations) = annotations {
            annotations.last_modified = None;
        }
        block
    }
}

impl Audio {
    fn to_resource(&self) -> EmbeddedResource {
        let resource = ResourceContents {
            uri: "embedded:audio".into(),
            mime_type: Some(self.mime_type.clone()),
            body: ResourceBody::Blob(self.data.clone()),
        };
        EmbeddedResource { resource, annotations: self.annotations.clone(), meta: Map::new() }
    }
}

impl ResourceLink {
    fn to_text(&self) -> Content {
        Content::Text(Text {
            text: format!("{}: {}", self.name, self.uri),
            annotations: self.annotations.clone().map(Box::new),
            meta: None,
        })
    }
}
