//! References inside of types, and to paths.

use std::borrow::Cow;
use std::path::Path;

use toolwright::{ToolRegistry, tool, tools};

#[tool]
async fn join(
    words: &[&str],
    more: Vec<&str>,
    last: Option<&str>,
    file: &Path,
    bytes: Option<&[u8]>,
    text: Cow<'_, str>,
) -> String {
    let words = words.iter().chain(&more).copied().chain(last).collect::<Vec<_>>().join(" ");
    format!("{words} {} {} {text}", file.display(), bytes.map_or(0, <[u8]>::len))
}

pub fn main() {
    ToolRegistry::builder("words").tools(tools![join]).build().unwrap();
}
