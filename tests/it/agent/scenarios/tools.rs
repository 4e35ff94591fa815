//! Tool calls.

use std::future::Future;
use std::sync::Arc;

use serde_json::json;
use tokio::sync::Notify;
use toolwright::agent::options::McpServer;
use toolwright::agent::{HookMatcher, HookOutput};
use toolwright::testing::Reply;
use toolwright::{
    Audio, Content, Context, EmbeddedResource, Image, IntoOutput, Json, ResourceLink, Tool,
    ToolRegistry, ToolResult, Value, data, tools,
};

use super::super::calc;
use super::stage::Stage;

#[data]
struct Sum {
    sum: f64,
}

/// A call of a tool that a server of its own has alone.
async fn call_alone<F, Fut, O, K>(stage: &mut Stage, handler: F)
where
    F: FnOnce(Value, Context) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = O> + Send + 'static,
    O: IntoOutput<K> + 'static,
    K: 'static,
{
    let tool = calc::reader("look.up", handler);
    let shelf = ToolRegistry::builder("shelf").tools([tool]).build().unwrap();
    stage.script([Reply::new().call("mcp__shelf__look_up", json!({})), done()]);
    let log = stage.asked.clone();
    let options = stage.options().allowed_tools(shelf.allowed_tools()).mcp_server(shelf);
    let options = options.hook(HookMatcher::post_tool_use("*"), async move |input, _| {
        log.note(serde_json::from_str(input.raw()).unwrap());
        HookOutput::default()
    });
    stage.play(options).await;
}

/// The server of these tests. Its endless tool notifies that it has begun.
pub(super) fn registry(begun: Arc<Notify>) -> ToolRegistry {
    let slow = calc::reader("slow", async |_: Value, cx: Context| {
        for step in 1..=3 {
            cx.progress_of(f64::from(step), 3.0, format!("step {step}"));
        }
        "done"
    });
    let fails = calc::reader("fails", async |_: Value, _: Context| Err::<(), _>("no such shelf"));
    let sum = calc::reader("sum", async |_: Value, _: Context| Json(Sum { sum: 42.5 }));
    let endless = calc::reader("endless", move |_: Value, _: Context| {
        let begun = begun.clone();
        async move {
            begun.notify_one();
            std::future::pending::<()>().await;
        }
    });
    let sure = calc::reader("sure", async |_: Value, cx: Context| cx.confirm("Sure?").await);
    calc::with([slow, fails, sum, endless, sure])
}

pub(super) fn add() -> Reply {
    Reply::new().call("mcp__calc__add", json!({"a": 2, "b": 40}))
}

pub(super) fn done() -> Reply {
    Reply::new().text("Done.")
}

pub(super) async fn tool_call(stage: &mut Stage) {
    let add = Reply::new().text("Adding.").call("mcp__calc__add", json!({"a": 2, "b": 40}));
    stage.script([add, done()]);
    stage.play(stage.calc()).await;
}

/// One registry under two names.
pub(super) async fn named_server(stage: &mut Stage) {
    let calls = Reply::new()
        .call("mcp__other__add", json!({"a": 2, "b": 40}))
        .call("mcp__titled__add", json!({"a": 3, "b": 40}))
        .call("mcp__calc__add", json!({"a": 1, "b": 1}));
    stage.script([calls, done()]);
    let titled = ToolRegistry::builder("shop").title("Our Shop").tools(tools![calc::add]).build();
    let titled = McpServer::in_process(&titled.unwrap()).named("titled");
    let other = McpServer::in_process(&stage.registry()).named("other");
    stage
        .play(
            stage
                .calc()
                .mcp_server(other)
                .mcp_server(titled)
                .allowed_tools(["mcp__other__*", "mcp__titled__*"]),
        )
        .await;
}

pub(super) async fn progress(stage: &mut Stage) {
    stage.script([Reply::new().call("mcp__calc__slow", json!({})), done()]);
    stage.play(stage.calc()).await;
}

/// Arguments of another type that can be read as the right one.
pub(super) async fn converted_arguments(stage: &mut Stage) {
    let inputs = [
        json!({"count": "3", "names": "[\"a\"]", "is_new": "true", "limits": "{\"low\": 1}"}),
        json!({"count": " 3", "names": "a", "is_new": "TRUE", "limits": "{}"}),
        json!({"count": "3.5", "names": ["a"], "is_new": "false", "limits": {"low": "1"}}),
        json!({"count": "x", "names": [1], "is_new": "1", "limits": "[]"}),
        json!({"count": 3, "names": ["a"], "is_new": true, "limits": null, "title": 4}),
        json!({"count": null, "names": "null", "is_new": "yes", "limits": "null", "title": "5"}),
        json!({"price": "3.5", "some": "3", "either": "3", "named": "3", "most": "1e2"}),
        json!({"price": "3", "some": "null", "count": "-3", "names": "[1]", "unknown": "3"}),
        json!({"price": "1e2", "count": "3.0", "limits": "{\"low\": \"1\"}", "most": "x"}),
        json!({"count": "99999999999999999999", "names": " [\"a\"] ", "price": "-0", "most": ""}),
        json!({"count": "03", "price": ".5", "is_new": " true", "limits": "{\"low\":", "most": "7"}),
    ];
    let call = |input: Value| Reply::new().call("mcp__shelf__look_up", input);
    stage.script(inputs.into_iter().map(call).chain([done()]));
    let schema = json!({
        "type": "object",
        "properties": {
            "count": {"type": "integer"},
            "names": {"type": "array", "items": {"type": "string"}},
            "is_new": {"type": "boolean"},
            "limits": {"type": "object", "properties": {"low": {"type": "integer"}}},
            "title": {"type": "string"},
            "price": {"type": "number"},
            "some": {"type": ["integer", "null"]},
            "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "named": {"$ref": "#/$defs/Count"},
            "most": {"type": "integer", "maximum": 5},
        },
        "$defs": {"Count": {"type": "integer"}},
    });
    let log = stage.asked.clone();
    let tool = Tool::new("look.up", "Looks.", schema, move |input: Value, _: Context| {
        log.note(json!({"type": "called", "with": input}));
        async { "Found." }
    });
    let shelf = ToolRegistry::builder("shelf").tools([tool]).build().unwrap();
    let (log, after) = (stage.asked.clone(), stage.asked.clone());
    let options = stage.options().allowed_tools(shelf.allowed_tools()).mcp_server(shelf);
    let options = options
        .hook(HookMatcher::pre_tool_use("*"), async move |input, _| {
            log.note(serde_json::from_str(input.raw()).unwrap());
            HookOutput::default()
        })
        .hook(HookMatcher::raw("PostToolBatch", None), async move |input, _| {
            after.note(serde_json::from_str(input.raw()).unwrap());
            HookOutput::default()
        });
    stage.play(options).await;
}

pub(super) async fn parallel_calls(stage: &mut Stage) {
    let calls = Reply::new()
        .call("mcp__calc__add", json!({"a": 1, "b": 1}))
        .call("mcp__calc__forget", json!({"what": "it"}));
    stage.script([calls, done()]);
    stage.play(stage.calc()).await;
}

pub(super) async fn tool_errors(stage: &mut Stage) {
    stage.script([
        Reply::new().call("mcp__calc__fails", json!({})),
        Reply::new().call("mcp__calc__nope", json!({})),
        Reply::new().call("mcp__calc__add", json!({"a": "two", "b": 40})),
        done(),
    ]);
    stage.play(stage.calc()).await;
}

pub(super) async fn structured_content(stage: &mut Stage) {
    stage.script([Reply::new().call("mcp__calc__sum", json!({})), done()]);
    stage.play(stage.calc()).await;
}

pub(super) async fn elicitation(stage: &mut Stage) {
    stage.script([Reply::new().call("mcp__calc__sure", json!({})), done()]);
    let log = stage.asked.clone();
    let options = stage.calc().on_elicitation(move |question| {
        log.note(json!({"message": question.message, "server": question.mcp_server_name}));
        async move { question.accept(json!({"confirmed": true})) }
    });
    stage.play(options).await;
}

pub(super) async fn nothing(stage: &mut Stage) {
    call_alone(stage, async |_, _| {}).await;
}

pub(super) async fn empty_text(stage: &mut Stage) {
    call_alone(stage, async |_, _| "").await;
}

pub(super) async fn empty_error(stage: &mut Stage) {
    call_alone(stage, async |_, _| ToolResult::error("")).await;
}

pub(super) async fn several_blocks(stage: &mut Stage) {
    call_alone(stage, async |_, _| {
        let text = EmbeddedResource::text("file:///a.txt", "text/plain", "hello");
        let blob = EmbeddedResource::blob("file:///a", "application/octet-stream", [1, 2, 3, 4]);
        ToolResult::from(vec![Content::text("one"), Content::from(text), Content::from(blob)])
    })
    .await;
}

pub(super) async fn audio(stage: &mut Stage) {
    call_alone(stage, async |_, _| Audio::wav([1, 2, 3])).await;
}

pub(super) async fn resource_link(stage: &mut Stage) {
    call_alone(stage, async |_, _| ResourceLink::new("file:///a.txt", "a.txt")).await;
}

/// The JSON takes the place of the texts, and of nothing else.
pub(super) async fn structured_content_with_others(stage: &mut Stage) {
    call_alone(stage, async |_, _| {
        let text = EmbeddedResource::text("file:///b.txt", "text/plain", "hello");
        let link = ResourceLink::new("file:///a.txt", "a.txt");
        let sum = ToolResult::structured(&Sum { sum: 42.5 }).unwrap();
        sum.with(text).with(link).with(Audio::wav([1, 2, 3]))
    })
    .await;
}

pub(super) async fn described_link(stage: &mut Stage) {
    call_alone(stage, async |_, _| {
        let mut link = ResourceLink::new("file:///a.txt", "a.txt");
        link.title = Some("The letter A".to_owned());
        link.description = Some("What it looks like".to_owned());
        link.mime_type = Some("text/plain".to_owned());
        link.size = Some(3);
        link
    })
    .await;
}

/// An image of a type that the Messages API does not take.
pub(super) async fn drawing(stage: &mut Stage) {
    call_alone(stage, async |_, _| Image::new("<svg/>", "image/svg+xml")).await;
}

/// The model gets no image of an error.
pub(super) async fn error_without_text(stage: &mut Stage) {
    call_alone(stage, async |_, _| {
        let mut result = ToolResult::from(Content::from(Image::png([1, 2, 3])));
        result.is_error = true;
        result
    })
    .await;
}

pub(super) async fn error_with_a_link(stage: &mut Stage) {
    call_alone(stage, async |_, _| {
        ToolResult::error("no such shelf").with(ResourceLink::new("file:///a.txt", "a.txt"))
    })
    .await;
}
