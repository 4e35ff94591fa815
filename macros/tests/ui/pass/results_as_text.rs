//! Results that the model reads as text.

use std::borrow::Cow;

use toolwright::{ToolRegistry, tool, tools};

#[tool]
async fn owned() -> String {
    String::new()
}

#[tool]
async fn fixed() -> &'static str {
    "fixed"
}

#[tool]
async fn either(long: bool) -> Cow<'static, str> {
    if long { "long".repeat(9).into() } else { "short".into() }
}

#[tool]
async fn number() -> u64 {
    1
}

#[tool]
async fn real() -> f64 {
    0.5
}

#[tool]
async fn truth() -> bool {
    true
}

#[tool]
async fn maybe(there: bool) -> Option<char> {
    there.then_some('x')
}

pub fn main() {
    let tools = tools![owned, fixed, either, number, real, truth, maybe];
    ToolRegistry::builder("texts").tools(tools).build().unwrap();
}
