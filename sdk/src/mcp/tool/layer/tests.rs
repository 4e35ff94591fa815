use std::collections::HashMap;
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Duration;

use expect_test::expect;
use serde_json::{Value, json};
use toolwright::mcp::protocol::Revision;
use toolwright::{
    Context, Json, Next, State, Tool, ToolCall, ToolRegistry, ToolRegistryBuilder, ToolResult,
    tool, tools,
};

#[tool(read_only, meta("price" = 3))]
async fn double(n: u8) -> Json<u16> {
    Json(2 * u16::from(n))
}

#[tool]
async fn fall() {
    panic!("on purpose")
}

/// What the layers have said, in order.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<String>>>);

impl Said {
    fn say(&self, text: impl Into<String>) {
        self.0.lock().unwrap().push(text.into());
    }

    fn take(&self) -> String {
        std::mem::take(&mut *self.0.lock().unwrap()).join(" ")
    }
}

/// A layer that says when it is entered and left, and with what result.
macro_rules! says {
    ($said:expr, $name:literal) => {{
        let said = $said.clone();
        async move |call: ToolCall, next: Next| {
            said.say(concat!("<", $name));
            let result = next.run(call).await;
            said.say(format!("{}{}>", if result.is_error { "!" } else { "" }, $name));
            result
        }
    }};
}

fn registry(
    change: impl FnOnce(ToolRegistryBuilder) -> ToolRegistryBuilder,
    tools: impl IntoIterator<Item = Tool>,
) -> ToolRegistry {
    change(ToolRegistry::builder("toy")).tools(tools).build().unwrap()
}

/// The result of a call that never waits.
fn call(registry: &ToolRegistry, name: &str, arguments: Value) -> ToolResult {
    let mut called = pin!(registry.call(name, arguments));
    match called.as_mut().poll(&mut TaskContext::from_waker(Waker::noop())) {
        Poll::Ready(result) => result.unwrap(),
        Poll::Pending => panic!("`{name}` waits"),
    }
}

fn text(registry: &ToolRegistry, name: &str, arguments: Value) -> String {
    call(registry, name, arguments).to_text()
}

fn list(registry: &ToolRegistry) -> String {
    let list = registry.tool_list().now();
    String::from_utf8(list.page(Revision::LATEST_LEGACY, None).unwrap().to_vec()).unwrap()
}

#[test]
fn the_layers_of_a_registry_are_outside_of_those_of_a_tool() {
    let said = Said::default();
    let tool = double::tool().layer(says!(said, "c")).layer(says!(said, "d"));
    let registry =
        registry(|builder| builder.layer(says!(said, "a")).layer(says!(said, "b")), [tool]);
    assert_eq!(text(&registry, "double", json!({"n": 21})), "42");
    assert_eq!(said.take(), "<a <b <c <d d> c> b> a>");
    // A tool that is added later is within them too.
    registry.add(Tool::typed("late", "", async |_: HashMap<String, Value>, _| "")).unwrap();
    call(&registry, "late", json!({}));
    assert_eq!(said.take(), "<a <b b> a>");
}

#[test]
fn a_tool_in_two_registries_has_the_layers_of_each() {
    let said = Said::default();
    let tool = double::tool().layer(says!(said, "own"));
    let first = registry(|builder| builder.layer(says!(said, "first")), [tool]);
    let second = registry(|builder| builder.layer(says!(said, "second")), first.tools());
    let third = registry(|builder| builder, []);
    third.add(second.get("double").unwrap()).unwrap();
    for (registry, expected) in [
        (first, "<first <own own> first>"),
        (second, "<second <own own> second>"),
        (third, "<own own>"),
    ] {
        call(&registry, "double", json!({"n": 1}));
        assert_eq!(said.take(), expected);
    }
}

#[test]
fn clients_see_no_difference() {
    let said = Said::default();
    let bare = registry(|builder| builder, tools![double, fall]);
    let layered = registry(|builder| builder.layer(says!(said, "a")), tools![double, fall]);
    assert_eq!(list(&layered), list(&bare));
    let tool = double::tool()
        .layer(says!(said, "a"))
        .with_title("Double")
        .with_timeout(Duration::from_secs(1));
    assert_eq!((tool.title(), tool.timeout()), (Some("Double"), Some(Duration::from_secs(1))));
    let registry = registry(|builder| builder, [tool]);
    assert_eq!(call(&registry, "double", json!({"n": 1})).structured_content(), Some("2"));
    assert_eq!(said.take(), "<a a>");
}

#[test]
fn a_layer_sees_the_call() {
    let said = Said::default();
    let sees = {
        let said = said.clone();
        async move |call: ToolCall, next: Next| {
            said.say(format!("{} {}", call.name(), call.arguments()));
            said.say(format!("{:?}", call.annotations().read_only_hint));
            said.say(format!("{:?} {:?}", call.tool_meta()["price"], call.context().host()));
            said.say(format!("{:?}", call.decode::<HashMap<String, u8>>().unwrap()));
            said.say(format!("{call:?} {next:?}"));
            next.run(call).await
        }
    };
    let registry = registry(|builder| builder.layer(sees), tools![double]);
    call(&registry, "double", json!({"n": 7}));
    expect![[
        r#"double {"n":7} Some(true) Number(3) Detached {"n": 7} ToolCall { name: "double", context: Context(None), .. } Next { tool: double, .. }"#
    ]]
    .assert_eq(&said.take());
}

#[test]
fn a_layer_that_answers_itself_decodes_and_runs_nothing() {
    let seen = Arc::new(Mutex::new(HashMap::<String, ToolResult>::new()));
    let ran = Arc::new(AtomicUsize::new(0));
    let caches = async move |call: ToolCall, next: Next| {
        let key = format!("{} {}", call.name(), call.arguments());
        if let Some(result) = seen.lock().unwrap().get(&key) {
            return result.clone();
        }
        let result = next.run(call).await;
        seen.lock().unwrap().insert(key, result.clone());
        result
    };
    let counts = ran.clone();
    let slow = Tool::typed("slow", "", async move |_: HashMap<String, u8>, _| {
        counts.fetch_add(1, Ordering::Relaxed)
    });
    let refuses = async |_: ToolCall, _: Next| ToolResult::error("Not today.");
    let closed = double::tool().layer(refuses);
    let registry = registry(|builder| builder.layer(caches), [slow, closed]);
    for _ in 0..3 {
        assert_eq!(text(&registry, "slow", json!({"n": 1})), "0");
    }
    assert_eq!(text(&registry, "slow", json!({"n": 2})), "1");
    assert_eq!(ran.load(Ordering::Relaxed), 2);
    let refused = call(&registry, "double", json!({"no": "such"}));
    assert_eq!((refused.is_error, refused.to_text()), (true, "Not today.".into()));
}

#[test]
fn refused_arguments_and_panics_reach_the_layers_as_error_results() {
    let said = Said::default();
    let breaks = async |_: ToolCall, _: Next| -> ToolResult { panic!("a bug in a layer") };
    let broken = Tool::typed("broken", "", async |_: HashMap<String, u8>, _| "").layer(breaks);
    let bare = registry(|builder| builder, [double::tool(), fall::tool()]);
    let layered =
        registry(|builder| builder.layer(says!(said, "a")), [double::tool(), fall::tool(), broken]);
    for (name, arguments) in [("double", json!({"n": 256, "m": 1})), ("fall", json!({}))] {
        let result = call(&layered, name, arguments.clone());
        assert!(result.is_error);
        assert_eq!(result, call(&bare, name, arguments));
        assert_eq!(said.take(), "<a !a>");
    }
    expect!["The tool `broken` failed: an internal error stopped it."].assert_eq(&text(
        &layered,
        "broken",
        json!({}),
    ));
    assert_eq!(said.take(), "<a !a>");
}

/// Panics when it is dropped.
#[derive(Clone)]
struct Bomb(#[allow(dead_code, reason = "only the last one panics")] Arc<Charge>);

struct Charge;

impl Drop for Charge {
    fn drop(&mut self) {
        panic!("a bug in a destructor");
    }
}

#[test]
fn what_a_layer_has_captured_may_panic_when_it_is_dropped() {
    let bomb = Bomb(Arc::new(Charge));
    let holds = async move |call: ToolCall, next: Next| {
        let _bomb = &bomb;
        next.run(call).await
    };
    let own = Arc::new(OnceLock::<ToolRegistry>::new());
    let known = own.clone();
    let removes = async move |_: HashMap<String, u8>, _| known.get().unwrap().remove("removes");
    let removes = Tool::typed("removes", "", removes).layer(holds);
    let registry = own.get_or_init(|| registry(|builder| builder, [removes]));
    // From its removal on the call alone holds the layer.
    assert_eq!(text(registry, "removes", json!({})), "true");
    assert!(registry.tools().is_empty());
}

#[test]
fn a_layer_may_change_the_call_and_run_it_again() {
    let retries = async |mut call: ToolCall, next: Next| {
        let result = next.clone().run(call.clone()).await;
        if !result.is_error {
            return result;
        }
        call.set_arguments(json!({"n": 1})).unwrap();
        next.run(call).await.with_meta("com.example/again", true)
    };
    let registry = registry(|builder| builder, [double::tool().layer(retries)]);
    assert_eq!(call(&registry, "double", json!({"n": 4})).meta, None);
    let again = call(&registry, "double", json!({"n": 400}));
    assert_eq!((again.structured_content(), again.meta.is_some()), (Some("2"), true));
}

struct Tenant(&'static str);

#[tool]
async fn tenant(cx: &Context) -> Option<String> {
    cx.extension::<Tenant>().map(|tenant| tenant.0.to_owned())
}

#[tool]
async fn stated(tenant: State<Tenant>) -> &'static str {
    tenant.0.0
}

#[test]
fn a_layer_may_give_the_tool_values() {
    let names = |name| {
        move |mut call: ToolCall, next: Next| async move {
            call.insert(Tenant(name));
            next.run(call).await
        }
    };
    let plain = |builder: ToolRegistryBuilder| builder.state(Tenant("everybody"));
    let tools = || [tenant::tool(), stated::tool()];
    assert_eq!(text(&registry(plain, tools()), "tenant", json!({})), "everybody");
    let layered = registry(|builder| plain(builder).layer(names("acme")), tools());
    assert_eq!(text(&layered, "tenant", json!({})), "acme");
    assert_eq!(text(&layered, "stated", json!({})), "acme");
    let inner =
        registry(|builder| builder.layer(names("acme")), [tenant::tool().layer(names("us"))]);
    assert_eq!(text(&inner, "tenant", json!({})), "us");
}

#[test]
fn a_layer_may_call_other_tools_of_its_registry() {
    let own = Arc::new(Mutex::new(None::<ToolRegistry>));
    let known = own.clone();
    let asks = async move |call: ToolCall, next: Next| {
        let registry = known.lock().unwrap().clone().unwrap();
        let other = registry.call("double", json!({"n": 4})).await.unwrap();
        let result = next.run(call).await;
        ToolResult::text(format!("{} {}", other.to_text(), result.to_text()))
    };
    let tools = [double::tool(), tenant::tool().layer(asks)];
    let registry = registry(|builder| builder.extension(Tenant("acme")), tools);
    *own.lock().unwrap() = Some(registry.clone());
    assert_eq!(text(&registry, "tenant", json!({})), "8 acme");
    own.lock().unwrap().take();
}

#[test]
fn a_layer_keeps_the_promise_of_the_output_schema() {
    let answers = async |_: ToolCall, _: Next| ToolResult::text("just text");
    let registry = registry(|builder| builder, [double::tool().layer(answers)]);
    let result = call(&registry, "double", json!({"n": 1}));
    assert!(result.is_error, "{result:?}");
}
