//! A result that borrows from an argument.

use toolwright::{ToolRegistry, tool, tools};

#[tool]
async fn first(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

#[tool]
fn last(words: &[String]) -> Option<&str> {
    words.last().map(String::as_str)
}

pub fn main() {
    ToolRegistry::builder("words").tools(tools![first, last]).build().unwrap();
}
