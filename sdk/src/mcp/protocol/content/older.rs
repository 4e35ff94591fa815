//! Content blocks for revisions that do not have all that a block can have.

use serde_json::Map;

use super::super::resource::ResourceBody;
use super::super::{Profile, ResourceContents, write_json};
use super::{Audio, Content, EmbeddedResource, ResourceLink, Text};

/// Writes content blocks in the form of a revision.
#[inline(never)]
pub(crate) fn write_content(out: &mut Vec<u8>, content: &[Content], profile: &Profile) {
    if content.iter().all(|block| block.fits(profile)) {
        return write_json(out, content);
    }
    // Few clients are so old that copies matter.
    let mut older = Vec::with_capacity(content.len());
    for block in content {
        older.push(block.within(profile));
    }
    write_json(out, &older);
}

/// Writes one content block in the form of a revision.
pub(crate) fn write_block(out: &mut Vec<u8>, block: &Content, profile: &Profile) {
    match block.fits(profile) {
        true => write_json(out, block),
        false => write_json(out, &block.within(profile)),
    }
}

impl Content {
    /// True if a revision has all of it.
    fn fits(&self, profile: &Profile) -> bool {
        let has_icons = matches!(self, Self::ResourceLink(link) if !link.icons.is_empty());
        let has_most = profile.has_audio && profile.has_resource_links && profile.has_meta;
        has_most && (profile.has_icons || !has_icons)
    }

    /// What a revision has of it, or in its place.
    fn within(&self, profile: &Profile) -> Self {
        let mut block = match self {
            Self::Audio(audio) if !profile.has_audio => audio.to_resource().into(),
            Self::ResourceLink(link) if !profile.has_resource_links => link.to_text(),
            block => block.clone(),
        };
        if let Self::ResourceLink(link) = &mut block
            && !profile.has_icons
        {
            link.icons.clear();
        }
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
                resource.resource.meta.clear();
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
        let body = ResourceBody::Blob(self.data.clone());
        let resource = ResourceContents::new("embedded:audio".into(), body);
        let resource = resource.mime_type(self.mime_type.clone());
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
