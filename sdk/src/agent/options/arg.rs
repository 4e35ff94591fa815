//! One argument of the CLI, and where its value goes when an argument is no place for it.

use std::ffi::{OsStr, OsString};

/// How long one argument may be: 100 KiB. Linux ends at 128 KiB, zero byte included.
pub(super) const LONGEST: usize = 100 * 1024;
/// How long all arguments together may be: 256 KiB. macOS ends at 1 MiB, the environment included.
pub(super) const LONGEST_TOGETHER: usize = 256 * 1024;
/// What goes into a file when all arguments together would be too long: 4 KiB.
pub(super) const CROWDED: usize = 4 * 1024;

/// One argument of the CLI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Arg {
    /// As it stands.
    Inline(OsString),
    /// `<flag>=<path>` of a private file that the client writes before the start and deletes after
    /// the end.
    File { flag: &'static str, file: File },
}

/// A file for a value that is too long or too private for an argument.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct File {
    /// A name to recognise it by, such as `mcp-config.json`; unique among the files of one run.
    pub(crate) name: &'static str,
    pub(crate) contents: String,
}

impl Arg {
    /// How much of the arguments' bytes it takes; the path of a file is not known here and short.
    pub(super) fn len(&self) -> usize {
        const PATH: usize = 256;
        match self {
            Self::Inline(arg) => arg.len() + 1,
            Self::File { flag, .. } => flag.len() + PATH,
        }
    }

    /// Which flag it is, without dashes.
    pub(super) fn flag(&self) -> &str {
        let flag = match self {
            Self::Inline(arg) => arg.to_str().unwrap_or_else(|| longest_text(arg)),
            Self::File { flag, .. } => flag,
        };
        flag.split('=').next().unwrap_or_default().trim_start_matches('-')
    }
}

/// `<flag>=<value>`: one argument, so that no value can pass for a flag.
pub(super) fn with_value(flag: &str, value: impl AsRef<OsStr>) -> OsString {
    let value = value.as_ref();
    let mut arg = OsString::with_capacity(flag.len() + 1 + value.len());
    arg.push(flag);
    arg.push("=");
    arg.push(value);
    arg
}

/// The text that an argument begins with, up to its first bytes that are none; the flag is always
/// text.
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
