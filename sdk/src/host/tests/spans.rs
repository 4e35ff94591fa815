//! The spans of calls.

use std::future::pending;
use std::sync::{Arc, Mutex};

use expect_test::expect;
use serde_json::{Map, Value, json};
use toolwright::host::Limits;
use toolwright::{
    AskError, Context, ErrorObject, LoggingLevel, Next, Prompt, Tool, ToolCall, ToolRegistry,
    ToolRegistryBuilder, ToolResult, tool, tools,
};
use tracing::{Span, info};

use super::recorder::{Spans, with_default};
use super::scene::{Scene, in_time};

#[tool]
async fn quick(n: u8) -> u8 {
    info!("quick");
    n
}

#[tool]
fn plain(n: u8) -> Result<u8, String> {
    info!("plain");
    Err(format!("{n} is too much"))
}

#[tool]
async fn falls() {
    std::panic::resume_unwind(Box::new("a bug"));
}

#[tool]
async fn forever() {
    pending::<()>().await;
}

#[tool(timeout = "1ms")]
async fn limited() {
    pending::<()>().await;
}

#[tool]
async fn asks(cx: &Context) -> Result<bool, AskError> {
    cx.confirm("Go on?").await
}

fn builder() -> ToolRegistryBuilder {
    ToolRegistry::builder("toy").tools(tools![quick, plain, falls, forever, limited])
}

/// Runs calls while a subscriber listens.
fn listened(spans: &Spans, builder: ToolRegistryBuilder, calls: impl Fn(&Scene) + Send + 'static) {
    let (spans, registry) = (spans.clone(), builder.build().unwrap());
    in_time(move || {
        with_default(spans, || {
            let scene = Scene::new(&registry, Limits::default());
            calls(&scene);
            scene.settle();
            scene.runner.close();
        });
    });
}

#[test]
fn a_span_has_the_names_of_opentelemetry() {
    let spans = Spans::default();
    listened(&spans, builder(), |scene| {
        scene.line(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#);
        scene.call(1, "quick", r#"{"n":7}"#);
        scene.line(r#"{"jsonrpc":"2.0","id":"two","method":"tools/list"}"#);
        scene.call(3, "plain", r#"{"n":7}"#);
        scene.settle();
    });
    expect![[r#"
        tools/call (1 events)
          gen_ai.operation.name execute_tool
          gen_ai.tool.name quick
          jsonrpc.request.id 1
          mcp.method.name tools/call
          mcp.protocol.version 2025-11-25
          mcp.session.id N
          otel.kind server
          otel.name tools/call quick
        tools/call (0 events)
          error.type tool_error
          gen_ai.operation.name execute_tool
          gen_ai.tool.name plain
          jsonrpc.request.id 3
          mcp.method.name tools/call
          mcp.protocol.version 2025-11-25
          mcp.session.id N
          otel.kind server
          otel.name tools/call plain
          otel.status_code ERROR
    "#]]
    .assert_eq(&spans.take());
}

#[test]
fn a_span_says_how_its_call_has_ended() {
    let passes = async |call: ToolCall, next: Next| next.run(call).await;
    for builder in [builder(), builder().layer(passes).layer(passes)] {
        assert_eq!(
            endings(builder),
            ["invalid_arguments", "invalid_arguments", "panic", "timeout", "cancelled"]
        );
    }
    // What a layer makes of a result is its own.
    let says = async |call: ToolCall, next: Next| match next.run(call).await {
        result if result.is_error => ToolResult::error("no"),
        result => result,
    };
    assert_eq!(
        endings(builder().layer(says)),
        ["invalid_arguments", "tool_error", "tool_error", "timeout", "cancelled"]
    );
}

/// The errors of calls that end in different ways.
fn endings(builder: ToolRegistryBuilder) -> Vec<String> {
    let spans = Spans::default();
    listened(&spans, builder, |scene| {
        scene.call(1, "quick", r#"{"n":7}"#);
        scene.call(2, "quick", r#"{"n":"#);
        scene.call(3, "quick", r#"{"n":01}"#);
        scene.call(4, "quick", r#"{"m":1}"#);
        scene.call(5, "falls", "{}");
        scene.settle();
        scene.call(6, "limited", "{}");
        scene.settle();
        scene.runtime.block_on(tokio::task::yield_now());
        scene.call(7, "forever", "{}");
        scene.cancel(7);
        scene.runtime.block_on(tokio::task::yield_now());
    });
    spans.errors()
}

#[test]
fn a_span_says_that_its_call_was_answered_by_an_error_of_the_protocol() {
    let refuses = async |_: Value, _| Err::<(), _>(ErrorObject::new(-31001, "no"));
    let refuses = Tool::new("refuses", "", json!({"type": "object"}), refuses);
    let fails = Prompt::new("fails", "", [], async |_, _| Err::<String, _>("no"));
    let spans = Spans::default();
    listened(&spans, builder().tool(refuses).prompts([fails]), |scene| {
        scene.call(1, "refuses", "{}");
        scene.line(r#"{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"fails"}}"#);
        scene.settle();
    });
    assert_eq!(spans.errors(), ["protocol_error", "protocol_error"]);
}

/// In 2026-07-28 a question ends the round, and its answer begins another one.
#[test]
fn a_round_that_asks_has_a_span_without_an_error() {
    let spans = Spans::default();
    listened(&spans, builder().tools(tools![asks]), |scene| {
        scene.line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"asks","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}}}"#);
        scene.settle();
    });
    let spans = spans.take();
    assert!(spans.contains("gen_ai.tool.name asks"), "{spans}");
    assert!(!spans.contains("error.type"), "{spans}");
}

#[test]
fn a_call_that_is_one_too_many_has_a_span_too() {
    let spans = Spans::default();
    let heard = spans.clone();
    in_time(move || {
        let registry = builder().build().unwrap();
        with_default(heard, || {
            let limits = Limits { max_running: 1, max_waiting_calls: 1, ..Limits::default() };
            let scene = Scene::new(&registry, limits);
            (1..=3).for_each(|id| scene.call(id, "forever", "{}"));
            scene.runner.close();
            scene.runtime.block_on(tokio::task::yield_now());
        });
    });
    let mut errors = spans.errors();
    errors.sort();
    assert_eq!(errors, ["cancelled", "cancelled", "overloaded"]);
}

#[test]
fn the_parent_of_a_span_comes_from_the_request() {
    let spans = Spans::default();
    let (seen, recorded) = (Arc::new(Mutex::new(Vec::new())), spans.clone());
    let sees = seen.clone();
    let connect = move |span: &Span, meta: &Map<String, Value>| {
        let is_entered = recorded.is_entered();
        assert!(!span.is_disabled() && !is_entered);
        sees.lock().unwrap().push(meta.get("traceparent").cloned());
    };
    let tools = builder().parent(connect);
    let calls = |scene: &Scene| {
        scene.call(1, "quick", r#"{"n":7}"#);
        scene.line(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"quick","arguments":{"n":1},"_meta":{"traceparent":"00-1-2-01"}}}"#);
    };
    listened(&spans, tools, calls);
    assert_eq!(*seen.lock().unwrap(), [None, Some(json!("00-1-2-01"))]);
    // A panic leaves the call without a span.
    let tools = builder().parent(|_, _| std::panic::resume_unwind(Box::new("a bug")));
    listened(&spans, tools, move |scene| {
        calls(scene);
        scene.settle();
        assert_eq!(scene.said.text().matches(r#""isError""#).count(), 0);
        assert_eq!(scene.said.text().matches(r#""result""#).count(), 2);
    });
}

#[test]
fn layers_are_in_the_span() {
    let spans = Spans::default();
    let layer = async |call: ToolCall, next: Next| {
        info!("before");
        tokio::task::yield_now().await;
        let result = next.run(call).await;
        info!("after");
        result
    };
    listened(&spans, builder().layer(layer), |scene| scene.call(1, "quick", r#"{"n":7}"#));
    let text = spans.take();
    assert!(text.starts_with("tools/call (3 events)"), "{text}");
}

#[test]
fn a_call_without_a_client_has_a_span_of_its_own() {
    let spans = Spans::default();
    let (inner, known) = (Arc::new(Mutex::new(None::<ToolRegistry>)), spans.clone());
    let captured = inner.clone();
    let asks = async move |_: Value, _: Context| {
        let registry = captured.lock().unwrap().take().unwrap();
        registry.call("quick", json!({"n": 1})).await.unwrap_or_default()
    };
    let tools = builder().tool(Tool::new("asks", "", json!({"type": "object"}), asks));
    let registry = tools.build().unwrap();
    *inner.lock().unwrap() = Some(registry.clone());
    with_default(known, || {
        let scene = Scene::new(&registry, Limits::default());
        scene.call(1, "asks", "{}");
        scene.settle();
    });
    let text = spans.take();
    let (_, own) = text.split_once("execute_tool (1 events)\n").unwrap();
    expect![[r#"
          gen_ai.operation.name execute_tool
          gen_ai.tool.name quick
          otel.kind internal
          otel.name execute_tool quick
    "#]]
    .assert_eq(&own.replace("  gen", "gen").replace("  otel", "otel"));
}

#[test]
fn a_subscriber_may_speak_and_panic() {
    in_time(|| {
        let kept = Arc::new(Mutex::new(None::<Context>));
        let keep = kept.clone();
        let keeps = async move |_: Value, cx: Context| {
            keep.lock().unwrap().replace(cx);
            pending::<ToolResult>().await
        };
        let tools = builder().tool(Tool::new("keeps", "", json!({"type": "object"}), keeps));
        let registry = tools.build().unwrap();
        let scene = Scene::new(&registry, Limits::default());
        scene.call(1, "keeps", "{}");
        scene.runtime.block_on(tokio::task::yield_now());
        let speaks = move || {
            let cx = kept.lock().unwrap().clone();
            cx.unwrap().log(LoggingLevel::Error, "a span");
            let brief = Tool::new("brief", "", json!({"type": "object"}), async |_: Value, _| ());
            let _ = registry.add(brief);
            registry.remove("brief");
        };
        with_default(Spans::running(speaks), || {
            scene.call(2, "quick", r#"{"n":1}"#);
            scene.call(3, "forever", "{}");
            scene.cancel(3);
            scene.call(4, "limited", "{}");
            scene.cancel(1);
            scene.settle();
        });
        let said = scene.said.text();
        assert!(said.contains("a span") && said.contains(r#""id":2,"result""#), "{said}");
        assert!(said.contains(r#""id":4,"result""#), "{said}");
        let panics = || std::panic::resume_unwind(Box::new("a bug in a subscriber"));
        with_default(Spans::running(panics), || {
            scene.call(5, "quick", r#"{"n":1}"#);
            scene.call(6, "quick", r#"{"m":1}"#);
            scene.settle();
        });
        let said = scene.said.text();
        assert!(
            said.contains(r#""id":5,"result""#) && said.contains(r#""id":6,"result""#),
            "{said}"
        );
    });
}
