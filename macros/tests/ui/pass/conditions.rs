//! Functions that exist under one configuration only.

use toolwright::{ToolRegistry, tool, tools};

/// Tells the family of the system.
#[cfg(unix)]
#[tool]
async fn family() -> &'static str {
    "unix"
}

#[tool]
#[cfg(not(unix))]
async fn family() -> &'static str {
    "another"
}

#[cfg_attr(all(), tool)]
async fn conditional() {}

pub fn main() {
    ToolRegistry::builder("system").tools(tools![family, conditional]).build().unwrap();
}
