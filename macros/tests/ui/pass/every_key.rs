//! All keys of the attribute.

use toolwright::{ToolRegistry, json, tool, tools};

const ABOUT: &str = "Removes a file.";

#[tool(
    name = "files.remove-1",
    title = "Remove a file",
    description = ABOUT,
    read_only = false,
    destructive = true,
    idempotent,
    open_world = false,
    scopes = ["files:read"],
    timeout = "1500ms",
    inline,
    icon = "https://example.com/a.png",
    icon = "data:image/png;base64,AA==",
    meta("example.com/list" = [1, { "a": null }], "example.com/text" = ABOUT),
    meta("example.com/more" = { "b": [true] }),
    always_load = false,
    search_hint = "files",
    max_result_chars = 200_000,
    visibility = ["app"],
    crate = toolwright,
)]
fn remove(path: &str) -> String {
    path.to_owned()
}

/// These two hints contradict each other only if both are true.
#[tool(read_only, destructive = false, open_world, always_load, timeout = "2m", task = "required")]
async fn list() {}

#[tool(task)]
fn count() {}

pub fn main() {
    let registry = ToolRegistry::builder("files").tools(tools![remove, list, count]).build().unwrap();
    let remove = registry.get("files.remove-1").unwrap();
    assert_eq!(remove.description(), ABOUT);
    assert_eq!(json!(remove.annotations())["destructiveHint"], true);
}
