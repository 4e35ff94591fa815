//! The keys of the attribute.

use toolwright::mcp::Kind;
use toolwright::{TaskSupport, json, prompt, prompts, resource, resources, tool};

use super::listed;

const KEY_VALUE: u32 = 7;

/// Remove a file.
#[tool(
    name = "remove-file.v2",
    title = "Remove a file",
    read_only = false,
    destructive,
    idempotent = true,
    open_world = false,
    icon = "https://example.com/a.png",
    icon = "data:image/png;base64,AA==",
    meta("example.com/list" = [1, { "a": null }], "example.com/const" = KEY_VALUE),
    meta("example.com/more" = "x"),
    always_load,
    search_hint = "files",
    max_result_chars = 3_000_000_000,
    scopes = ["files:read", "files:write",],
    timeout = "1500ms"
)]
async fn remove(path: &str) -> String {
    path.to_owned()
}

#[test]
fn every_key_arrives_in_the_list() {
    let mut entry = listed(remove::tool());
    entry.as_object_mut().unwrap().remove("inputSchema");
    assert_eq!(
        entry,
        json!({
            "name": "remove-file.v2",
            "title": "Remove a file",
            "description": "Remove a file.",
            "annotations": {"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": false},
            "icons": [{"src": "https://example.com/a.png"}, {"src": "data:image/png;base64,AA=="}],
            "_meta": {
                "example.com/list": [1, {"a": null}],
                "example.com/const": 7,
                "example.com/more": "x",
                "anthropic/alwaysLoad": true,
                "anthropic/searchHint": "files",
                "anthropic/maxResultSizeChars": 3_000_000_000_u64,
            },
        })
    );
}

/// List the files.
#[tool(ui = "ui://files", visibility = ["model", "app"], meta("example.com/a" = 1))]
async fn list() {}

#[test]
fn a_view_is_one_entry() {
    let ui = json!({"resourceUri": "ui://files", "visibility": ["model", "app"]});
    assert_eq!(json!(list::tool().meta()), json!({"example.com/a": 1, "ui": ui}));
}

#[test]
fn scopes_are_not_in_the_list_but_with_the_tool() {
    assert_eq!(remove::tool().scopes(), ["files:read", "files:write"]);
    assert!(bare::tool().scopes().is_empty());
}

#[tool(always_load = false)]
async fn bare() {}

#[test]
fn what_is_not_said_is_not_there() {
    assert_eq!(
        listed(bare::tool()),
        json!({
            "name": "bare",
            "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
            "_meta": {"anthropic/alwaysLoad": false},
        })
    );
}

#[tool]
fn slow() {}

#[tool(inline)]
fn quick() {}

#[test]
fn the_kind_follows_from_the_function_and_inline() {
    assert_eq!(bare::tool().kind(), Kind::Async);
    assert_eq!(slow::tool().kind(), Kind::Sync);
    assert_eq!(quick::tool().kind(), Kind::Inline);
}

#[test]
fn a_timeout_goes_with_the_call() {
    let registry = super::registry(remove::tool());
    let line = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remove-file.v2","arguments":{"path":"x"}}}"#;
    assert_eq!(super::timeout_of(&registry, line), Some(std::time::Duration::from_millis(1500)));
}

#[tool(timeout = "2m", task = "required")]
async fn long() {}

#[tool(timeout = "3h", task)]
async fn longer() {}

#[test]
fn a_time_has_a_unit() {
    let seconds = |tool: toolwright::Tool| tool.timeout().unwrap().as_secs();
    assert_eq!((seconds(long::tool()), seconds(longer::tool())), (120, 10_800));
}

#[test]
fn a_task_may_be_required() {
    assert_eq!(long::tool().task(), Some(TaskSupport::Required));
    assert_eq!(longer::tool().task(), Some(TaskSupport::Optional));
    assert_eq!(bare::tool().task(), None);
}

#[prompt(timeout = "2s")]
async fn remind() -> &'static str {
    "Remember."
}

#[resource("memory://all", timeout = "3s")]
async fn memory() -> &'static str {
    "Nothing."
}

#[test]
fn prompts_and_resources_have_a_timeout_too() {
    let registry = toolwright::ToolRegistry::builder("test")
        .prompts(prompts![remind])
        .resources(resources![memory])
        .build()
        .unwrap();
    let seconds = |method: &str, params: toolwright::Value| {
        let line = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        super::timeout_of(&registry, line.to_string().as_bytes()).unwrap().as_secs()
    };
    assert_eq!(seconds("prompts/get", json!({"name": "remind"})), 2);
    assert_eq!(seconds("resources/read", json!({"uri": "memory://all"})), 3);
}
