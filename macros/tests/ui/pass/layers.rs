//! Closures around the calls of tools.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use toolwright::{Next, State, ToolCall, ToolRegistry, ToolResult, tool};

#[tool]
async fn echo(text: String, user: Option<State<String>>) -> String {
    user.map_or(text.clone(), |user| format!("{}: {text}", *user))
}

pub fn main() {
    let calls = Arc::new(AtomicU64::new(0));
    let count = async move |mut call: ToolCall, next: Next| {
        calls.fetch_add(1, Ordering::Relaxed);
        call.insert(String::from("ann"));
        next.run(call).await
    };
    let refuse = |call: ToolCall, next: Next| async move {
        match call.name() {
            "forbidden" => ToolResult::error("No."),
            _ => next.run(call).await,
        }
    };
    let echo = echo::tool().layer(refuse);
    ToolRegistry::builder("echo").layer(count).tool(echo).build().unwrap();
}
