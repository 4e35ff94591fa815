//! Files as the CLI sees them.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::agent::error::ControlError;
use crate::agent::handle::Handle;
use crate::agent::setters::setters;
use crate::agent::wire::{Object, RawJson, kept, millis};

/// Which part of which file [`Handle::read_file`] reads, and how. A path converts by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFile {
    path: String,
    max_bytes: Option<u64>,
    is_base64: bool,
}

kept! {
    /// What [`Handle::read_file`] has read.
    pub struct FileContents {
        /** The text, or its bytes in Base64. */ pub contents: String,
        /** The absolute path of the file. */ pub abs_path: String = "absPath",
        /** The file is longer. */ pub truncated: bool,
        /** `base64`; none for a text. */ pub encoding: Option<String>,
        /** The file is no UTF-8, and U+FFFD stands for what could not be read. */
        pub lossy: Option<bool>,
    }

    /// Files that a user may mean.
    pub struct SuggestedFiles {
        /** The files, in the CLI's form, best first. */ pub suggestions: Vec<RawJson>,
        /** The folder that their paths are relative to. */ pub cwd: String,
    }
}

impl ReadFile {
    /// A file, as text. A relative path is relative to the CLI's working folder.
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), max_bytes: None, is_base64: false }
    }
}

setters! {
    impl ReadFile, file = self;

    /// Reads so many bytes at most.
    max_bytes(bytes: u64) { file.max_bytes = Some(bytes) }
    /// Reads bytes, not text: [`FileContents::bytes`] gives them.
    base64() { file.is_base64 = true }
}

impl From<&str> for ReadFile {
    fn from(path: &str) -> Self {
        Self::new(path)
    }
}

impl From<String> for ReadFile {
    fn from(path: String) -> Self {
        Self::new(path)
    }
}

impl FileContents {
    /// The bytes that were read.
    ///
    /// # Errors
    ///
    /// The CLI says that it is Base64, and it is not.
    pub fn bytes(&self) -> Result<Vec<u8>, ControlError> {
        match self.encoding.as_deref() {
            Some("base64") => STANDARD.decode(&self.contents).map_err(|error| {
                ControlError::Malformed { subtype: "read_file".into(), reason: error.to_string() }
            }),
            _ => Ok(self.contents.clone().into_bytes()),
        }
    }
}

/// Files as the CLI sees them.
impl Handle {
    /// Reads a file that the `Read` tool may read without asking.
    ///
    /// # Errors
    ///
    /// It may not be read or does not exist, and as for all requests: see [`Handle`].
    pub async fn read_file(&self, file: impl Into<ReadFile>) -> Result<FileContents, ControlError> {
        let file = file.into();
        let body = Object::default()
            .member("path", file.path)
            .optional("max_bytes", file.max_bytes)
            .optional("encoding", file.is_base64.then_some("base64"))
            .finish();
        self.typed("read_file", &body).await
    }

    /// Tells the CLI that the model knows a file, as it was at a time, so that it may edit it
    /// without reading it again.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn seed_read_state(
        &self,
        path: impl AsRef<Path>,
        modified: SystemTime,
    ) -> Result<(), ControlError> {
        let path = path.as_ref().to_string_lossy();
        let mtime = millis(modified.duration_since(UNIX_EPOCH).unwrap_or_default());
        self.request("seed_read_state", json!({"path": path, "mtime": mtime})).await.map(drop)
    }

    /// The files that a user may mean who has typed `@` and this.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn file_suggestions(&self, query: &str) -> Result<SuggestedFiles, ControlError> {
        self.typed("file_suggestions", &json!({"query": query})).await
    }
}
