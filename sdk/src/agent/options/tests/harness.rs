//! Options in a line, and what they come to.

use std::path::PathBuf;

use expect_test::Expect;
use serde_json::json;

use crate::agent::options::{AgentOptions, AgentOptionsBuilder};
use crate::{Tool, ToolRegistry, ToolResult};

pub(super) const UUID: &str = "0b3e1f0a-5d3c-4b8e-9d7a-1c2d3e4f5a6b";
pub(super) const OTHER_UUID: &str = "ffffffff-0000-4000-8000-000000000001";

pub(super) fn options(f: impl FnOnce(AgentOptionsBuilder) -> AgentOptionsBuilder) -> AgentOptions {
    f(AgentOptions::builder()).build().unwrap()
}

/// A registry with the tools `add` and `echo`.
pub(super) fn registry(name: &str) -> ToolRegistry {
    let tool = |name: &'static str| {
        Tool::new(
            name,
            "Does something.",
            json!({"type": "object"}),
            async |_: serde_json::Value, _| ToolResult::text(""),
        )
    };
    ToolRegistry::builder(name).tools([tool("add"), tool("echo")]).build().unwrap()
}

/// The arguments with `/files/<name>` where files come in, and the files after them.
pub(super) fn argv(options: &AgentOptions) -> Vec<String> {
    let mut files = Vec::new();
    let launch = options.launch_with(|file| {
        files.push(format!("# {}: {}", file.name, file.contents));
        Ok::<_, std::convert::Infallible>(PathBuf::from("/files").join(file.name))
    });
    let Ok(launch) = launch;
    let args = launch.args.into_iter().map(|arg| arg.into_string().unwrap());
    args.chain(files).collect()
}

/// What the setters add to the arguments of a builder that nothing was said to.
pub(super) fn added(f: impl FnOnce(AgentOptionsBuilder) -> AgentOptionsBuilder) -> Vec<String> {
    let plain = argv(&AgentOptions::default());
    argv(&options(f)).into_iter().filter(|arg| !plain.contains(arg)).collect()
}

/// Takes the builder's complaints, one a line.
pub(super) fn complaints(f: impl FnOnce(AgentOptionsBuilder) -> AgentOptionsBuilder) -> String {
    f(AgentOptions::builder()).build().map_or_else(|error| error.to_string(), |_| "none".into())
}

pub(super) fn lines(expected: Expect, lines: impl IntoIterator<Item = String>) {
    expected.assert_eq(&lines.into_iter().map(|line| line + "\n").collect::<String>());
}
