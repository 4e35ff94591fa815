//! Layers wait, are cancelled and time out as what they are around, plain functions included.

use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context as TaskContext, Poll};
use std::thread;
use std::time::Duration;

use expect_test::expect;
use serde_json::json;
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use toolwright::host::Limits;
use toolwright::{
    CancelToken, Context, Next, Tool, ToolCall, ToolRegistry, ToolRegistryBuilder, Value, tool,
    tools,
};

use super::scene::{Scene, in_time};

#[tool]
async fn quick(n: u8) -> u8 {
    n + 1
}

/// Uses a runtime of its own, as a plain function may.
#[tool]
fn plain(n: u8) -> u8 {
    let runtime = Builder::new_current_thread().build().unwrap();
    runtime.block_on(async { n + 2 })
}

#[tool]
async fn forever(cx: &Context) {
    let _one = cx.extension::<Counts>().map(Counts::one);
    pending::<()>().await;
}

fn scene(change: impl FnOnce(ToolRegistryBuilder) -> ToolRegistryBuilder) -> Scene {
    let builder = ToolRegistry::builder("toy");
    Scene::new(&change(builder).build().unwrap(), Limits::default())
}

async fn rest() {
    tokio::time::sleep(Duration::from_millis(2)).await;
}

/// Lets the runtime work until something is the case.
fn until(scene: &Scene, is_so: impl Fn() -> bool) {
    scene.runtime.block_on(async {
        while !is_so() {
            tokio::task::yield_now().await;
        }
    });
}

/// Counts the values that are alive, and those that were dropped.
#[derive(Clone, Default)]
struct Counts(Arc<(AtomicUsize, AtomicUsize)>);

struct Counted(Counts);

impl Counts {
    fn one(&self) -> Counted {
        self.0.0.fetch_add(1, Ordering::SeqCst);
        Counted(self.clone())
    }

    fn alive_and_dropped(&self) -> (usize, usize) {
        (self.0.0.load(Ordering::SeqCst), self.0.1.load(Ordering::SeqCst))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.0.0.fetch_sub(1, Ordering::SeqCst);
        self.0.0.1.fetch_add(1, Ordering::SeqCst);
    }
}

/// Is ready at its second poll. The first one wakes it and uses up what unparks its thread, as a
/// channel may that a layer or a plain function waits for.
struct Greedy(bool);

impl Future for Greedy {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        thread::park();
        Poll::Pending
    }
}

#[test]
fn a_layer_that_uses_up_what_unparks_its_thread_is_still_woken() {
    in_time(|| {
        let scene = scene(|builder| {
            let greedy = async |call: ToolCall, next: Next| {
                let result = next.run(call).await;
                // The first poll of a plain function has no waker to count on.
                tokio::task::yield_now().await;
                Greedy(false).await;
                result
            };
            builder.tools(tools![plain]).layer(greedy)
        });
        scene.call(1, "plain", r#"{"n":1}"#);
        scene.settle();
        assert!(scene.said.take().contains("\"text\":\"3\""));
    });
}

#[test]
fn a_layer_may_wait_before_and_after_a_function_of_each_kind() {
    in_time(|| {
        let (permits, most) = (Arc::new(Semaphore::new(2)), Arc::new(AtomicUsize::new(0)));
        let counts = Counts::default();
        let (seen, counted) = (most.clone(), counts.clone());
        let limits = async move |call: ToolCall, next: Next| {
            let _permit = permits.acquire().await;
            let _one = counted.one();
            seen.fetch_max(counted.alive_and_dropped().0, Ordering::SeqCst);
            rest().await;
            let result = next.run(call).await;
            rest().await;
            result
        };
        let scene = scene(|builder| builder.tools(tools![quick, plain]).layer(limits));
        for id in 0..8 {
            let (tool, sum) = if id % 2 == 0 { ("quick", 1) } else { ("plain", 2) };
            scene.call(id, tool, &format!(r#"{{"n":{}}}"#, 10 * id as usize + 1 - sum));
        }
        scene.settle();
        let said = scene.said.text();
        for id in 0..8 {
            let text = format!(
                r#""id":{id},"result":{{"content":[{{"type":"text","text":"{}"}}"#,
                10 * id + 1
            );
            assert!(said.contains(&text), "{said}");
        }
        assert_eq!((most.load(Ordering::SeqCst), counts.alive_and_dropped()), (2, (0, 8)));
    });
}

#[test]
fn a_cancelled_call_drops_its_layers_and_its_tool_once_and_has_no_answer() {
    in_time(|| {
        for (name, alive) in [("forever", 3), ("quick", 2), ("plain", 2)] {
            let counts = Counts::default();
            let (outer, inner) = (counts.clone(), counts.clone());
            let holds = async move |call: ToolCall, next: Next| {
                let _one = outer.one();
                next.run(call).await
            };
            let waits = async move |call: ToolCall, next: Next| {
                let _one = inner.one();
                if call.name() != "forever" {
                    pending::<()>().await;
                }
                next.run(call).await
            };
            let scene = scene(|builder| {
                let builder = builder.tools(tools![forever, quick, plain]);
                builder.extension(counts.clone()).layer(holds).layer(waits)
            });
            scene.call(1, name, if name == "forever" { "{}" } else { r#"{"n":1}"# });
            until(&scene, || counts.alive_and_dropped() == (alive, 0));
            scene.cancel(1);
            until(&scene, || counts.alive_and_dropped() == (0, alive));
            scene.settle();
            assert_eq!(scene.said.text(), "", "{name}");
            assert_eq!(scene.runner.left(), [0; 4]);
        }
    });
}

#[test]
fn the_timeout_of_a_tool_includes_its_layers() {
    in_time(|| {
        for tool in [quick::tool(), plain::tool()] {
            let counts = Counts::default();
            let counted = counts.clone();
            let waits = async move |call: ToolCall, next: Next| {
                let _one = counted.one();
                pending::<()>().await;
                next.run(call).await
            };
            let tool = tool.with_timeout(Duration::from_millis(1));
            let name = tool.name().to_owned();
            let scene = scene(|builder| builder.tool(tool).layer(waits));
            scene.call(1, &name, r#"{"n":1}"#);
            scene.settle();
            until(&scene, || counts.alive_and_dropped().0 == 0);
            let said = scene.said.take();
            assert!(said.contains("was stopped: it did not finish within 1ms"), "{said}");
        }
    });
}

#[test]
fn layers_and_tools_send_progress_of_one_call() {
    in_time(|| {
        let steps =
            Tool::new("steps", "", json!({"type": "object"}), async |_: Value, cx: Context| {
                cx.progress(0.5, "tool")
            });
        let reports = async |call: ToolCall, next: Next| {
            let cx = call.context().clone();
            cx.progress(0.25, "before");
            let result = next.run(call).await;
            cx.progress(0.75, "after");
            result
        };
        let scene = scene(|builder| builder.tool(steps).layer(reports));
        scene.line(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"steps","arguments":{},"_meta":{"progressToken":"t"}}}"#,
        );
        scene.settle();
        expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":0.25,"total":1.0,"message":"before"}}
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":0.5,"total":1.0,"message":"tool"}}
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":0.75,"total":1.0,"message":"after"}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        "#]]
        .assert_eq(&scene.said.text());
    });
}

#[tool]
fn cancels_itself(cancel: CancelToken) -> bool {
    cancel.cancel();
    cancel.is_cancelled()
}

#[test]
fn a_function_that_cancels_its_own_token_is_answered() {
    in_time(|| {
        let rests = async |call: ToolCall, next: Next| {
            let result = next.run(call).await;
            rest().await;
            result
        };
        let scene = scene(|builder| builder.tools(tools![cancels_itself]).layer(rests));
        scene.call(1, "cancels_itself", "{}");
        scene.settle();
        assert!(scene.said.text().contains(r#""text":"true""#), "{}", scene.said.text());
        // And it can still be cancelled by its client.
        let counts = Counts::default();
        let counted = counts.clone();
        let waits = async move |call: ToolCall, next: Next| {
            let result = next.run(call).await;
            let _one = counted.one();
            pending::<()>().await;
            result
        };
        let scene = self::scene(|builder| builder.tools(tools![cancels_itself]).layer(waits));
        scene.call(1, "cancels_itself", "{}");
        until(&scene, || counts.alive_and_dropped() == (1, 0));
        scene.cancel(1);
        until(&scene, || counts.alive_and_dropped() == (0, 1));
        assert_eq!(scene.said.text(), "");
    });
}

#[test]
fn arguments_that_are_no_json_reach_no_layer() {
    in_time(|| {
        let entered = Arc::new(AtomicUsize::new(0));
        let counts = entered.clone();
        let layer = async move |call: ToolCall, next: Next| {
            counts.fetch_add(1, Ordering::SeqCst);
            next.run(call).await
        };
        let answer = |scene: &Scene| {
            scene.call(1, "quick", r#"{"n":01}"#);
            scene.settle();
            scene.said.take()
        };
        let layered = scene(|builder| builder.tools(tools![quick]).layer(layer));
        let bare = scene(|builder| builder.tools(tools![quick]));
        let said = answer(&layered);
        assert!(said.contains("-32700"), "{said}");
        assert_eq!(said, answer(&bare));
        assert_eq!(entered.load(Ordering::SeqCst), 0);
    });
}

/// Changes the registry when it is dropped, which notifies every session of it.
struct Changes(Arc<Mutex<Option<ToolRegistry>>>, Counted);

impl Drop for Changes {
    fn drop(&mut self) {
        let registry = self.0.lock().unwrap().clone();
        let Some(registry) = registry else { return };
        let brief = Tool::new("brief", "", json!({"type": "object"}), async |_: Value, _| ());
        let _ = registry.add(brief);
        registry.remove("brief");
        assert!(self.1.0.alive_and_dropped().0 > 0);
    }
}

#[test]
fn what_a_layer_holds_may_use_the_registry_when_it_is_dropped() {
    in_time(|| {
        let counts = Counts::default();
        let late = Arc::new(Mutex::new(None));
        let captured = Arc::new(Changes(late.clone(), counts.one()));
        let (holds, counted) = (late.clone(), counts.clone());
        let layer = async move |call: ToolCall, next: Next| {
            let _captured = &captured;
            let _held = Changes(holds.clone(), counted.one());
            next.run(call).await
        };
        let registry = ToolRegistry::builder("toy").tools(tools![quick]).build().unwrap();
        registry.add(forever::tool().layer(layer)).unwrap();
        *late.lock().unwrap() = Some(registry.clone());
        let scene = Scene::new(&registry, Limits::default());
        scene.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        scene.call(1, "forever", "{}");
        until(&scene, || counts.alive_and_dropped() == (2, 0));
        scene.cancel(1);
        until(&scene, || counts.alive_and_dropped() == (1, 1));
        // The session drops the old list with its next request.
        assert!(registry.remove("forever"));
        scene.line(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#);
        until(&scene, || counts.alive_and_dropped() == (0, 2));
        late.lock().unwrap().take();
    });
}
