//! What calls of built-in tools are about: a file, a folder, a host.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::json::str;

/// A call of a tool that rules decide about.
pub(super) struct Subject<'a> {
    pub(super) tool: &'a str,
    pub(super) input: &'a Value,
    /// The full path of what it reads.
    pub(super) read: Option<PathBuf>,
}

/// The tools that change files.
const EDITS: [&str; 4] = ["Edit", "MultiEdit", "NotebookEdit", "Write"];

/// The file that a tool changes, if it is one that changes files.
pub(super) fn edited<'a>(tool: &str, input: &'a Value) -> Option<&'a Path> {
    let mut paths = ["file_path", "notebook_path"].iter().filter_map(|it| input[it].as_str());
    paths.next().filter(|_| EDITS.contains(&tool)).map(Path::new)
}

/// What a tool reads, if it is one that only reads.
pub(super) fn read(tool: &str, input: &Value) -> Option<PathBuf> {
    let folder = Path::new(str(&input["path"]));
    match tool {
        "Read" => input["file_path"].as_str().map(PathBuf::from),
        "Glob" => Some(folder.join(str(&input["pattern"]))),
        "Grep" => Some(folder.to_owned()),
        _ => None,
    }
}

/// The content of a rule about a host.
pub(super) fn domain(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    Some(format!("domain:{}", rest.split(['/', '?', '#', ':']).next()?))
}
