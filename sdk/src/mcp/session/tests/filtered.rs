//! Tools that are there for some clients only.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;
use toolwright::{Caching, Context, Next, Tool, ToolCall, ToolRegistry, tools};

use super::harness::World;
use super::toys::{self, Toys};

/// The `_meta` of a client for which all tools are there.
const ALL: &str = r#""_meta":{"example.com/all":true}"#;

fn served(page_size: usize, filter: fn(&Tool, &Context) -> bool) -> World {
    let registry = ToolRegistry::builder("toy")
        .tools(tools![toys::nothing, toys::refuse, toys::squares])
        .page_size(page_size)
        .tools_caching(Caching::public(Duration::from_secs(60)))
        .tool_filter(filter);
    World::serving(registry.build().unwrap(), Arc::new(Toys::default()))
}

fn hides_refuse(tool: &Tool, cx: &Context) -> bool {
    tool.name() != "refuse" || cx.meta().contains_key("example.com/all")
}

fn answer(world: &mut World, request: &str) -> Value {
    serde_json::from_str(&world.play(request)).unwrap()
}

/// The names of the tools on a page.
fn names(world: &mut World, request: &str) -> Vec<String> {
    let answer = answer(world, request);
    let tools = answer["result"]["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_list_has_the_tools_of_who_asks() {
    let mut world = served(10, hides_refuse);
    for era in ["legacy", "modern"] {
        let list = format!("{era} 1 tools/list");
        assert_eq!(names(&mut world, &list), ["nothing", "squares"]);
        let list = format!("{list} {{{ALL}}}");
        assert_eq!(names(&mut world, &list), ["nothing", "refuse", "squares"]);
    }
    assert_eq!(world.running(), 0);
}

#[test]
fn a_tool_that_is_not_there_is_an_unknown_one() {
    let mut world = served(10, hides_refuse);
    for era in ["legacy", "modern"] {
        let call = |name: &str, more: &str| {
            format!(r#"{era} 1 tools/call {{"name":"{name}","arguments":{{"reason":"no"}}{more}}}"#)
        };
        let [hidden, unknown] =
            ["refuse", "absent"].map(|name| answer(&mut world, &call(name, ""))["error"].take());
        assert_eq!([&hidden["code"], &unknown["code"]], [-32602, -32602]);
        assert_eq!(
            [&hidden["message"], &unknown["message"]],
            ["Unknown tool: refuse", "Unknown tool: absent"]
        );
        let there = answer(&mut world, &call("refuse", &format!(",{ALL}")));
        assert_eq!(there["result"]["content"][0]["text"], "no");
    }
}

#[test]
fn pages_are_those_of_who_asks() {
    let mut world = served(1, hides_refuse);
    let list =
        |cursor: &str, more: &str| format!(r#"modern 1 tools/list {{"cursor":"{cursor}"{more}}}"#);
    assert_eq!(names(&mut world, &list("page-1", "")), ["squares"]);
    assert_eq!(names(&mut world, &list("page-1", &format!(",{ALL}"))), ["refuse"]);
    assert_eq!(answer(&mut world, &list("page-2", ""))["error"]["code"], -32602);
    assert_eq!(answer(&mut world, r#"legacy 1 tools/list {"cursor":1}"#)["error"]["code"], -32602);
}

#[test]
fn no_cache_gives_the_list_of_one_user_to_another() {
    let listed = answer(&mut served(10, hides_refuse), "modern 1 tools/list");
    assert_eq!(listed["result"]["cacheScope"], "private");
    assert_eq!(listed["result"]["ttlMs"], 60_000);
}

#[test]
fn a_list_may_be_in_a_batch() {
    let mut world = served(10, hides_refuse);
    world.play(r#"legacy 1 initialize {"protocolVersion":"2025-03-26"}"#);
    let batch = r#"[{"jsonrpc":"2.0","id":2,"method":"tools/list"},{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"refuse"}}]"#;
    let answers = answer(&mut world, batch);
    assert_eq!(answers[0]["result"]["tools"].as_array().unwrap().len(), 2);
    assert_eq!(answers[1]["error"]["code"], -32602);
}

#[test]
fn a_filter_that_panics_shows_nothing() {
    let mut world = served(10, |_, cx| match cx.meta().contains_key("example.com/all") {
        true => true,
        false => panic!("on purpose"),
    });
    assert!(names(&mut world, "legacy 1 tools/list").is_empty());
    let called = answer(&mut world, r#"legacy 2 tools/call {"name":"nothing"}"#);
    assert_eq!(called["error"]["message"], "Unknown tool: nothing");
    assert_eq!(names(&mut world, &format!("legacy 3 tools/list {{{ALL}}}")).len(), 3);
}

#[test]
fn a_tool_that_is_added_is_filtered_too() {
    let registry = ToolRegistry::builder("toy").tool_filter(|tool, _| tool.name() != "late");
    let registry = registry.build().unwrap();
    registry.add(toys::late()).unwrap();
    let mut world = World::serving(registry.clone(), Arc::new(Toys::default()));
    assert!(names(&mut world, "legacy 1 tools/list").is_empty());
    let called = answer(&mut world, r#"legacy 2 tools/call {"name":"late"}"#);
    assert_eq!(called["error"]["message"], "Unknown tool: late");
    // The program itself has all of its tools.
    assert_eq!(registry.allowed_tools(), ["mcp__toy__late"]);
}

#[test]
fn layers_see_no_calls_of_tools_that_are_not_there() {
    let calls = Arc::new(AtomicUsize::new(0));
    let seen = calls.clone();
    let registry = ToolRegistry::builder("toy")
        .tools(tools![toys::nothing, toys::refuse])
        .layer(async move |call: ToolCall, next: Next| {
            seen.fetch_add(1, Ordering::Relaxed);
            next.run(call).await
        })
        .tool_filter(hides_refuse);
    let mut world = World::serving(registry.build().unwrap(), Arc::new(Toys::default()));
    for (name, total) in [("nothing", 1), ("refuse", 1), ("nothing", 2)] {
        answer(&mut world, &format!(r#"legacy 1 tools/call {{"name":"{name}"}}"#));
        assert_eq!(calls.load(Ordering::Relaxed), total, "{name}");
    }
}
