//! Names that only Rust needs, and names that a macro could take for its own.

use toolwright::{ToolRegistry, tool, tools};

#[tool]
async fn r#match(r#type: &str, _unused: u8, mut total: f64) -> f64 {
    total += r#type.len() as f64;
    total
}

#[tool]
async fn tool(input: u8, returned: u8, start: u8, param_0: u8, function: u8) -> u8 {
    input + returned + start + param_0 + function
}

#[tool]
async fn main_tool(self_: u8, this: u8, krate: u8, private: u8) -> u8 {
    self_ + this + krate + private
}

pub fn main() {
    let tools = tools![r#match, self::tool, main_tool];
    let registry = ToolRegistry::builder("names").tools(tools).build().unwrap();
    assert!(registry.get("match").is_some());
}
