//! `#[arg]` on parameters.

use toolwright::{ToolRegistry, tool, tools};

const MOST: u32 = 100;

#[tool]
async fn search(
    /// Replaced.
    #[arg(rename = "q", description = "What to look for.", min_length = 1, pattern = "^[a-z]+$")]
    query: &str,
    #[arg(default = 10, min = 1, max = MOST, example = 5, example = 50)] limit: u32,
    #[arg(default = "any", max_length = 9)] place: String,
    #[arg(default = vec![0.5], max_length = 3)] weights: Vec<f64>,
    #[arg(min = -1.5)] offset: Option<f64>,
) -> String {
    format!("{query} {limit} {place} {weights:?} {offset:?}")
}

pub fn main() {
    ToolRegistry::builder("notes").tools(tools![search]).build().unwrap();
}
