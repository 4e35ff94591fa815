use crate::agent::wire::{RawJson, record};

record! {
    /// An image.
    pub struct ImageBlock {
        /** The image itself. */ pub source: MediaSource,
    }

    /// A document.
    pub struct DocumentBlock {
        /** The document itself. */ pub source: MediaSource,
        /** Its title. */ pub title: Option<String>,
        /** Context for the model. */ pub context: Option<String>,
        /** Whether it may be cited, in the API's form. */ pub citations: Option<RawJson>,
    }

    /// Where an image or a document is.
    pub struct MediaSource {
        /** `base64`, `text`, `url`, `file` or `content`. */ pub r#type: String = "type",
        /** The media type, such as `image/png`. */ pub media_type: Option<String>,
        /** The bytes in base64, or the text. */ pub data: Option<String>,
        /** Its address. */ pub url: Option<String>,
        /** The id under which it was uploaded. */ pub file_id: Option<String>,
        /** A document of blocks, in the API's form. */ pub content: Option<RawJson>,
    }

    /// A file for the code execution container.
    pub struct ContainerUploadBlock {
        /** The id under which it was uploaded. */ pub file_id: String,
    }
}
