//! Folders that a client works in.

use serde::Deserialize;

/// A folder or a file that the client works in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// Its URI, which begins with `file://`. `Url::to_file_path` of the crate `url` makes a path of
    /// it.
    pub uri: String,
    /// Its display name.
    #[serde(default)]
    pub name: Option<String>,
}
