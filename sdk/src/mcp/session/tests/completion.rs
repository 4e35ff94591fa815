//! `completion/complete`.

use std::sync::Arc;

use expect_test::expect;
use toolwright::{Prompt, PromptArgument, Resource, ToolRegistry};

use super::harness::{World, check_in};
use super::toys::Toys;

fn world() -> World {
    let arguments = ["branch", "tone"].map(|name| PromptArgument::required(name, ""));
    let review = Prompt::new("review", "", arguments, async |_, _| "Hello");
    let review = review.complete("branch", async |typed: String, at| {
        let all = match at.argument("repository") {
            Some("docs") => vec!["main", "drafts"],
            _ => vec!["main", "master"],
        };
        all.into_iter().filter(|name| name.starts_with(&typed)).collect::<Vec<_>>()
    });
    let note = Resource::new("notes://{id}", "note", "", async |_, _| "Hello");
    let note = note.complete("id", async |_, _| (1..=250).map(|id| id.to_string()));
    let registry = ToolRegistry::builder("toy").version("1").prompts([review]).resources([note]);
    World::serving(registry.build().unwrap(), Arc::new(Toys::default()))
}

#[test]
fn arguments_are_completed() {
    check_in(
        world(),
        r#"legacy 1 completion/complete {"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"branch","value":"ma"}}
           modern 2 completion/complete {"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"branch","value":""},"context":{"arguments":{"repository":"docs"}}}
           legacy 3 completion/complete {"ref":{"type":"ref/prompt","name":"review","uri":7},"argument":{"name":"tone","value":""}}
           legacy 4 completion/complete {"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"none","value":""}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"completion":{"values":["main","master"],"total":2,"hasMore":false}}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","completion":{"values":["main","drafts"],"total":2,"hasMore":false},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":3,"result":{"completion":{"values":[],"total":0,"hasMore":false}}}
            {"jsonrpc":"2.0","id":4,"result":{"completion":{"values":[],"total":0,"hasMore":false}}}
        "#]],
    );
}

#[test]
fn clients_get_the_first_hundred_values() {
    let said = world().play(
        r#"legacy 1 completion/complete {"ref":{"type":"ref/resource","uri":"notes://{id}"},"argument":{"name":"id","value":""}}"#,
    );
    assert!(said.ends_with("\"99\",\"100\"],\"total\":250,\"hasMore\":true}}}\n"), "{said}");
}

/// A completion function that lists folders would else list those of the whole machine.
#[test]
fn what_a_variable_can_never_be_is_not_completed() {
    let file = Resource::new("files:///{folder}/{+path}", "file", "", async |_, _| "Hello");
    let file = file
        .complete("path", async |typed: String, at| {
            [format!("{} {typed}", at.argument("folder").unwrap_or("none"))]
        })
        .complete("folder", async |typed: String, _| [typed]);
    let values = |name: &str, typed: &str, folder: &str| {
        let registry = ToolRegistry::builder("toy").resources([file.clone()]).build().unwrap();
        let params = serde_json::json!({
            "ref": {"type": "ref/resource", "uri": "files:///{folder}/{+path}"},
            "argument": {"name": name, "value": typed},
            "context": {"arguments": {"folder": folder, "other": ".."}},
        });
        let said = World::serving(registry, Arc::new(Toys::default()))
            .play(&format!("legacy 1 completion/complete {params}"));
        let mut said: serde_json::Value = serde_json::from_str(&said).unwrap();
        said["result"]["completion"]["values"].take()
    };
    assert_eq!(values("path", "src/l", "home"), serde_json::json!(["home src/l"]));
    assert_eq!(values("path", "", "home"), serde_json::json!(["home "]));
    assert_eq!(values("folder", "ho", ""), serde_json::json!(["ho"]));
    let long = "x".repeat(8 * 1024 + 1);
    for (name, typed, folder) in [
        ("path", "../x", "home"),
        ("path", "/etc/", "home"),
        ("path", "a/../b", "home"),
        ("path", "a\\b", "home"),
        ("path", &long, "home"),
        ("path", "src", ".."),
        ("path", "src", "a/b"),
        ("folder", "..", ""),
        ("folder", "a/b", ""),
    ] {
        assert_eq!(values(name, typed, folder), serde_json::json!([]), "{name} {typed} {folder}");
    }
}

#[test]
fn wrong_requests_are_refused() {
    check_in(
        world(),
        r#"legacy 1 completion/complete {"ref":{"type":"ref/prompt","name":"other"},"argument":{"name":"a","value":""}}
           legacy 2 completion/complete {"ref":{"type":"ref/resource","uri":"notes://7"},"argument":{"name":"id","value":""}}
           legacy 3 completion/complete {"ref":{"type":"ref/tool","name":"a"},"argument":{"name":"a","value":""}}
           legacy 4 completion/complete {"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"branch","value":7}}
           legacy 5 completion/complete {"argument":{"name":"branch","value":""}}
           legacy 6 completion/complete {"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"branch","value":""},"context":{"arguments":[]}}
           legacy 7 completion/complete {"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"branch","value":""},"context":{"arguments":{"a":1e400}}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown prompt: other"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown resource template: notes://7"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"`ref` is wrong: its `type` is neither `ref/prompt` nor `ref/resource`"}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"`argument` is wrong: no text `value`"}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"`ref` is missing"}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"`context` is wrong: its `arguments` must be an object"}}
            {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"`context` is wrong: its `arguments`: number out of range at line 1 column 10"}}
        "#]],
    );
}

#[test]
fn the_capability_follows_from_what_completes() {
    check_in(
        world(),
        r#"legacy 1 initialize {"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
           legacy 2 initialize {"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
           modern 3 server/discover"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{"logging":{},"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-03-26","capabilities":{"logging":{},"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"completions":{}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"completions":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
    let registry = ToolRegistry::builder("toy").version("1").prompts([]).build().unwrap();
    let mut world = World::serving(registry.clone(), Arc::default());
    let asks = r#"modern 1 completion/complete {"ref":{"type":"ref/prompt","name":"late"},"argument":{"name":"a","value":""}}"#;
    assert!(world.play(asks).contains("Method not found"));
    let late = Prompt::new("late", "", [PromptArgument::required("a", "")], async |_, _| "Hello");
    registry.add_prompt(late.complete("a", async |_, _| ["b"])).unwrap();
    assert!(world.play(asks).contains(r#""values":["b"]"#));
    assert!(world.play("modern 2 server/discover").contains("completions"));
    check_in(
        World::new(),
        r#"legacy 1 completion/complete {"ref":{"type":"ref/prompt","name":"other"},"argument":{"name":"a","value":""}}
           modern 2 server/discover"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: completion/complete"}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}
