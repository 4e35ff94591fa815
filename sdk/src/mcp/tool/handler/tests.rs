use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context as TaskContext, Poll, Waker};

use expect_test::expect;
use serde_json::{Value, json};
use toolwright::{Args, Context, Json, Tool, ToolRegistry, ToolResult, data, tool, tools};

/// What is looked for.
#[data]
#[serde(deny_unknown_fields)]
struct Search {
    /// Part of the note.
    text: String,
    #[serde(default)]
    #[schemars(range(min = 1, max = 9))]
    limit: Option<usize>,
    #[serde(default)]
    within: Vec<Folder>,
}

#[data]
struct Folder {
    depth: u8,
}

/// Search the notes
#[tool]
async fn by_macro(Args(search): Args<Search>, cx: &Context) -> Json<Vec<String>> {
    cx.progress(0.5, "");
    Json(vec![search.text])
}

/// The result of a tool that never waits.
fn result(registry: &ToolRegistry, name: &str, arguments: Value) -> ToolResult {
    let mut called = pin!(registry.call(name, arguments));
    match called.as_mut().poll(&mut TaskContext::from_waker(Waker::noop())) {
        Poll::Ready(result) => result.unwrap(),
        Poll::Pending => panic!("`{name}` waits"),
    }
}

fn text(registry: &ToolRegistry, name: &str, arguments: Value) -> String {
    result(registry, name, arguments).to_text()
}

#[test]
fn a_closure_has_the_schemas_and_the_answers_of_a_function() {
    let by_hand = Tool::typed("by_macro", "Search the notes", async |search: Search, cx| {
        cx.progress(0.5, "");
        Json(vec![search.text])
    });
    let of_macro = by_macro::tool();
    assert_eq!(by_hand.description(), of_macro.description());
    assert_eq!(by_hand.input_schema().get(), of_macro.input_schema().get());
    assert!(by_hand.input_schema().get().contains("Part of the note."));
    assert!(by_hand.output_schema().is_some());
    assert_eq!(
        by_hand.output_schema().map(|schema| schema.get()),
        of_macro.output_schema().map(|schema| schema.get())
    );

    let by_hand = ToolRegistry::builder("toy").tool(by_hand).build().unwrap();
    let of_macro = ToolRegistry::builder("toy").tools(tools![by_macro]).build().unwrap();
    for (arguments, is_error) in [
        (json!({"text": "a", "limit": 9, "within": [{"depth": 255}]}), false),
        (json!({"text": 1, "limit": 2}), true),
        (json!({"txt": "a"}), true),
        (json!({"text": "a", "limit": 10}), true),
        (json!({"text": "a", "limit": 0, "within": [{"depth": 256}, {}, 1]}), true),
        (json!({}), true),
    ] {
        let answer = result(&by_hand, "by_macro", arguments.clone());
        assert_eq!(answer.is_error, is_error, "{arguments}");
        assert_eq!(answer, result(&of_macro, "by_macro", arguments));
    }
    expect![[r#"
        Invalid arguments for `by_macro`:
        - /limit: expected 1 to 9, got 10"#]]
    .assert_eq(&text(&by_hand, "by_macro", json!({"text": "a", "limit": 10})));
}

#[test]
fn every_form_of_a_handler_may_capture() {
    let captured = Arc::new(Mutex::new(0));
    let count = |captured: &Mutex<usize>| {
        let mut calls = captured.lock().unwrap();
        *calls += 1;
        *calls
    };
    let schema = || json!({"type": "object"});
    let owned = captured.clone();
    let closure =
        Tool::typed("closure", "", async move |_: Search, cx| (count(&owned), cx.is_cancelled()).0);
    let owned = captured.clone();
    let returns_future = Tool::typed("returns_future", "", move |_: Search, _| async move {
        let calls = count(&owned);
        drop(owned);
        calls
    });
    let owned = captured.clone();
    let by_hand = Tool::new("by_hand", "", schema(), async move |_: Value, _| count(&owned));
    let function = Tool::typed("function", "", handler);
    let owned = String::from("a value");
    let moves = Tool::typed("moves", "", async move |_: Folder, _| owned);

    let tools = [closure, returns_future, by_hand, function, moves];
    let registry = ToolRegistry::builder("toy").tools(tools).build().unwrap();
    for round in 0..3 {
        for (at, name) in ["closure", "returns_future", "by_hand"].into_iter().enumerate() {
            let calls = 3 * round + at + 1;
            assert_eq!(text(&registry, name, json!({"text": ""})), calls.to_string(), "{name}");
        }
        assert_eq!(text(&registry, "function", json!({"depth": 7})), "7");
        assert_eq!(text(&registry, "moves", json!({"depth": 7})), "a value");
    }
}

async fn handler(folder: Folder, _: Context) -> Result<u8, std::io::Error> {
    Ok(folder.depth)
}

#[test]
fn what_a_handler_has_captured_is_dropped_with_its_tool() {
    let captured = Arc::new(());
    let owned = captured.clone();
    let registry = ToolRegistry::builder("toy")
        .tool(Tool::typed("late", "", async move |_: Folder, _| drop(owned)))
        .build()
        .unwrap();
    assert_eq!(text(&registry, "late", json!({"depth": 1})), "");
    assert_eq!(Arc::strong_count(&captured), 2, "calls leave nothing behind");
    let mut runs = Box::pin(registry.call("late", json!({"depth": 1})));
    assert!(registry.remove("late"));
    assert_eq!(Arc::strong_count(&captured), 1);
    let ends = runs.as_mut().poll(&mut TaskContext::from_waker(Waker::noop()));
    assert!(matches!(ends, Poll::Ready(Err(_))), "it had not begun");
}

#[test]
fn arguments_that_are_no_object_are_a_complaint_of_build() {
    let tool = Tool::typed("list", "", async |list: Vec<u8>, _| list.len());
    let error = ToolRegistry::builder("toy").tool(tool).build().unwrap_err();
    expect![[r#"tool `list`: the input schema must say `"type": "object"` at its root"#]]
        .assert_eq(&error.to_string());

    #[tool]
    async fn any(Args(_): Args<Value>) {}
    let error = ToolRegistry::builder("toy").tools(tools![any]).build().unwrap_err();
    expect![[r#"tool `any`: the input schema must say `"type": "object"` at its root; that of a `Map<String, Value>` says it"#]]
        .assert_eq(&error.to_string());
    let tool = Tool::typed("ping", "", async |_: (), _| "pong");
    let error = ToolRegistry::builder("toy").tool(tool).build().unwrap_err();
    expect![[r#"tool `ping`: the input schema must say `"type": "object"` at its root; a struct without fields stands for no arguments"#]]
        .assert_eq(&error.to_string());
    #[tool]
    async fn open(Args(_): Args<serde_json::Map<String, Value>>) {}
    assert!(ToolRegistry::builder("toy").tools(tools![open]).build().is_ok());
}

#[test]
fn no_arguments_are_a_unit() {
    let schema = || json!({"type": "object"});
    let ping = Tool::new("ping", "", schema(), async |_: (), _| "pong");
    let maybe = Tool::new("maybe", "", schema(), async |folder: Option<Folder>, _| {
        folder.map_or(0, |folder| folder.depth)
    });
    let registry = ToolRegistry::builder("toy").tools([ping, maybe]).build().unwrap();
    assert_eq!(text(&registry, "ping", json!({})), "pong");
    assert_eq!(text(&registry, "ping", Value::Null), "pong");
    assert!(result(&registry, "ping", json!({"a": 1})).is_error);
    assert_eq!(text(&registry, "maybe", json!({})), "0");
    assert_eq!(text(&registry, "maybe", json!({"depth": 2})), "2");
    assert!(result(&registry, "maybe", json!({"deep": 2})).is_error);
}
