//! Numbers, flags and texts.

use toolwright::{ToolRegistry, tool, tools};

/// Repeat a text.
#[tool]
async fn repeat(
    /// What to repeat.
    text: String,
    /// How often.
    times: u8,
    separator: char,
    loudly: bool,
    pitch: f64,
) -> String {
    let text = if loudly { text.to_uppercase() } else { text };
    let separator = format!("{separator}{pitch}");
    vec![text; usize::from(times)].join(&separator)
}

pub fn main() {
    ToolRegistry::builder("text").tools(tools![repeat]).build().unwrap();
}
