//! Tools without the attribute, beside one with it.

use std::sync::Arc;

use toolwright::{Context, Tool, ToolRegistry, Value, data, json, tool};

#[data]
pub struct Shout {
    text: String,
}

#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

pub fn main() {
    let prefix = Arc::new(String::from("> "));
    let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    let quote = Tool::new("quote", "Quotes a text", schema, {
        let prefix = prefix.clone();
        async move |args: Value, _: Context| format!("{prefix}{}", args["text"])
    });
    let shout = Tool::typed("shout", "Says it loudly", async move |shout: Shout, cx| {
        cx.progress(1.0, prefix.as_str());
        shout.text.to_uppercase()
    });
    let tools = [quote, shout];
    ToolRegistry::builder("texts").tools(tools).tool(add::tool()).build().unwrap();
}
