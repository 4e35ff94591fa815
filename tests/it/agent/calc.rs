//! The server that most of these tests use.

use std::future::Future;

use toolwright::{Context, IntoOutput, Tool, ToolRegistry, Value, json, tool, tools};

/// Add two numbers.
#[tool(read_only)]
pub(super) async fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// Forget everything.
#[tool(destructive)]
pub(super) async fn forget(what: String) -> String {
    format!("forgot {what}")
}

pub(super) fn registry() -> ToolRegistry {
    with([])
}

/// The usual tools and some more.
pub(super) fn with(more: impl IntoIterator<Item = Tool>) -> ToolRegistry {
    ToolRegistry::builder("calc").tools(tools![add, forget]).tools(more).build().unwrap()
}

/// A read-only tool that takes anything.
pub(super) fn reader<F, Fut, O, K>(name: &'static str, handler: F) -> Tool
where
    F: FnOnce(Value, Context) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = O> + Send + 'static,
    O: IntoOutput<K> + 'static,
    K: 'static,
{
    let tool = Tool::new(name, "A tool of a test.", json!({"type": "object"}), handler);
    tool.annotate(|annotations| annotations.read_only_hint = Some(true))
}

/// A red pixel, as PNG.
pub(super) const RED: [u8; 69] = [
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0,
    1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xde, 0, 0, 0, 12, b'I', b'D', b'A', b'T',
    0x08, 0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0, 0, 3, 1, 1, 0, 0x18, 0xdd, 0x8d, 0xb0, 0, 0, 0, 0, b'I',
    b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];
