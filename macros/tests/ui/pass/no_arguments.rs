//! A function that takes and returns nothing.

use toolwright::{ToolRegistry, tool, tools};

#[tool]
async fn refresh() {}

#[tool()]
fn clear() {}

pub fn main() {
    ToolRegistry::builder("cache").tools(tools![refresh, clear]).build().unwrap();
}
