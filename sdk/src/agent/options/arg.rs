//! One argument of the CLI, in the command line or in a file.

use std::ffi::{OsStr, OsString};

/// The maximum length of one argument: 100 KiB. Linux allows 128 KiB, with the zero byte at the
/// end.
pub(super) const LONGEST: usize = 100 * 1024;
/// The maximum length of all arguments together: 256 KiB. macOS allows 1 MiB, with the environment.
pub(super) const LONGEST_TOGETHER: usize = 256 * 1024;
/// Longer values go into files when all arguments together would be too long: 4 KiB.
pub(super) const CROWDED: usize = 4 * 1024;

/// One argument of the CLI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Arg {
    /// In the command line.
    Inline(OsString),
    /// `<flag>=<path>` of a private file, which the client writes before it starts the CLI and
    /// deletes after the end.
    File { flag: &'static str, file: File },
}

/// A file for a value that is too long or too private for an argument.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct File {
    /// The file's name, such as `mcp-config.json`; unique among the files of a run.
    pub(crate) name: &'static str,
    pub(crate) contents: String,
}

impl Arg {
    /// The length in bytes. The path of a file is not known here; it is counted as 256 bytes.
    pub(super) fn len(&self) -> usize {
        const PATH: usize = 256;
        match self {
            Self::Inline(arg) => arg.len() + 1,
            Self::File { flag, .. } => flag.len() + PATH,
        }
    }

    /// The name of the flag, without dashes.
    pub(super) fn flag(&self) -> &str {
        let flag = match self {
            Self::Inline(arg) => arg.to_str().unwrap_or_else(|| longest_text(arg)),
            Self::File { flag, .. } => flag,
        };
        flag.split('=').next().unwrap_or_default().trim_start_matches('-')
    }
}

/// The valid UTF-8 at the beginning of an argument. A flag is always valid UTF-8.
fn longest_text(arg: &OsStr) -> &str {
    arg.as_encoded_bytes().utf8_chunks().next().map(|chunk| chunk.valid()).unwrap_or_default()
}

impl std::fmt::Debug for File {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("File")
            .field("name", &self.name)
            .field("bytes", &self.contents.len())
            .finish()
    }
}
