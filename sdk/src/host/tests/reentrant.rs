//! No user code runs under the runner's lock: each of these would deadlock otherwise.

use std::future::{Future, poll_fn};
use std::panic::resume_unwind;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Wake;

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::host::Limits;
use toolwright::{Context, LoggingLevel, State, Tool, ToolRegistry, tool};
use tracing::Event;

use super::scene::{OnEvent, Scene, in_time};

/// Makes the session send a message when it is dropped.
struct Speaks {
    cx: Option<Context>,
    registry: ToolRegistry,
    dropped: Arc<AtomicUsize>,
}

impl Drop for Speaks {
    fn drop(&mut self) {
        self.dropped.fetch_add(1, Ordering::SeqCst);
        if let Some(cx) = &self.cx {
            cx.log(LoggingLevel::Error, "dropped");
        }
        // This notifies every session of the registry.
        let tool =
            Tool::new("brief", "", json!({"type": "object"}), async |_: Value, _: Context| ());
        let _ = self.registry.add(tool);
        self.registry.remove("brief");
    }
}

fn registry() -> ToolRegistry {
    ToolRegistry::builder("toy").build().unwrap()
}

/// The argument of a tool, which sends a message when it is dropped.
struct Held(#[allow(dead_code, reason = "it is there to be dropped")] Speaks);

static HELD: Mutex<Option<(ToolRegistry, Arc<AtomicUsize>)>> = Mutex::new(None);

impl<'de> Deserialize<'de> for Held {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer)?;
        let (registry, dropped) = HELD.lock().unwrap().clone().unwrap();
        Ok(Self(Speaks { cx: None, registry, dropped }))
    }
}

/// A tool that waits without end, and holds its argument from the moment it is decoded.
fn waits() -> Tool {
    Tool::new("waits", "", json!({"type": "object"}), |held: Held, _: Context| async move {
        let _held = held;
        std::future::pending::<()>().await;
    })
}

/// The same, with the state of the server.
fn waits_with_state() -> Tool {
    #[tool]
    async fn waits(_state: State<Speaks>) {
        std::future::pending::<()>().await;
    }
    waits::tool()
}

fn initialized(scene: &Scene) {
    scene.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
}

#[test]
fn what_a_removed_tool_has_captured_may_use_the_registry_when_it_is_dropped() {
    in_time(|| {
        let registry = registry();
        let dropped = Arc::new(AtomicUsize::new(0));
        let scene = Scene::new(&registry, Limits::default());
        initialized(&scene);
        let captured = Speaks { cx: None, registry: registry.clone(), dropped: dropped.clone() };
        let captured = Arc::new(captured);
        let handler = move |_: Value, _: Context| {
            let _captured = &captured;
            async { "done" }
        };
        registry.add(Tool::new("late", "", json!({"type": "object"}), handler)).unwrap();
        scene.call(1, "late", "{}");
        scene.settle();
        // The session still has the old list, and drops it with the next request.
        assert!(registry.remove("late"));
        scene.line(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#);
        assert_eq!(dropped.load(Ordering::SeqCst), 1);
        assert!(scene.said.text().contains(r#""id":2,"result":{"tools":["#));
    });
}

#[test]
fn the_state_of_a_server_may_use_a_registry_when_it_is_dropped() {
    in_time(|| {
        let (other, dropped) = (registry(), Arc::new(AtomicUsize::new(0)));
        let listens = Scene::new(&other, Limits::default());
        initialized(&listens);
        let state = Speaks { cx: None, registry: other, dropped: dropped.clone() };
        let registry = ToolRegistry::builder("toy").state(state).build().unwrap();
        registry.add(waits_with_state()).unwrap();
        let scene = Scene::new(&registry, Limits::default());
        initialized(&scene);
        scene.call(1, "waits", "{}");
        drop(registry);
        scene.runner.close();
        drop(scene);
        assert_eq!(dropped.load(Ordering::SeqCst), 1);
        assert!(listens.said.text().contains("list_changed"));
    });
}

#[test]
fn what_a_cancelled_call_holds_may_speak_when_it_is_dropped() {
    in_time(|| {
        let registry = registry();
        let dropped = Arc::new(AtomicUsize::new(0));
        *HELD.lock().unwrap() = Some((registry.clone(), dropped.clone()));
        registry.add(waits()).unwrap();
        let limits = Limits { max_running: 1, ..Limits::default() };
        let scene = Scene::new(&registry, limits);
        initialized(&scene);
        // The second one waits for the first one, the third one for its turn on the runtime.
        scene.call(1, "waits", "{}");
        scene.call(2, "waits", "{}");
        scene.cancel(2);
        assert_eq!(dropped.load(Ordering::SeqCst), 1);
        scene.cancel(1);
        scene.call(3, "waits", "{}");
        scene.runner.close();
        scene.runtime.block_on(async {
            while dropped.load(Ordering::SeqCst) < 3 {
                tokio::task::yield_now().await;
            }
        });
        assert!(scene.said.text().contains("the server is shutting down"));
        *HELD.lock().unwrap() = None;
    });
}

/// A payload that uses the registry, and panics itself, when it is dropped.
struct Payload(Speaks);

impl Drop for Payload {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::SeqCst);
        resume_unwind(Box::new("dropping a payload"));
    }
}

#[test]
fn the_payload_of_a_panic_may_speak_and_panic_when_it_is_dropped() {
    in_time(|| {
        let registry = registry();
        let dropped = Arc::new(AtomicUsize::new(0));
        let captured = (registry.clone(), dropped.clone());
        let falls = move |_: Value, cx: Context| {
            let (registry, dropped) = captured.clone();
            async move {
                let speaks = Speaks { cx: Some(cx), registry, dropped };
                resume_unwind(Box::new(Payload(speaks)));
                #[allow(unreachable_code, reason = "it says what the future gives")]
                ()
            }
        };
        registry.add(Tool::new("falls", "", json!({"type": "object"}), falls)).unwrap();
        let scene = Scene::new(&registry, Limits::default());
        initialized(&scene);
        scene.call(1, "falls", "{}");
        scene.settle();
        assert!(scene.said.text().contains("an internal error stopped it"));
    });
}

static REGISTRY: Mutex<Option<ToolRegistry>> = Mutex::new(None);

/// Changes the registry while it is decoded.
struct Meddles;

impl<'de> Deserialize<'de> for Meddles {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer)?;
        let registry = REGISTRY.lock().unwrap().clone();
        assert!(registry.is_some_and(|registry| registry.remove("victim")));
        Ok(Self)
    }
}

#[test]
fn a_decoder_may_use_the_registry() {
    in_time(|| {
        let plain = |name: &'static str| {
            Tool::new(name, "", json!({"type": "object"}), async |_: Value, _: Context| "done")
        };
        let meddles = async |_: Meddles, _: Context| "meddled";
        let registry = registry();
        registry.add(plain("victim")).unwrap();
        registry.add(Tool::new("meddles", "", json!({"type": "object"}), meddles)).unwrap();
        *REGISTRY.lock().unwrap() = Some(registry.clone());
        let scene = Scene::new(&registry, Limits::default());
        initialized(&scene);
        scene.call(1, "meddles", "{}");
        scene.settle();
        let said = scene.said.text();
        assert!(said.contains("list_changed") && said.contains("meddled"), "{said}");
    });
}

#[test]
fn a_layer_of_tracing_may_speak() {
    in_time(|| {
        let kept = Arc::new(Mutex::new(None));
        let keep = kept.clone();
        let keeps = move |_: Value, cx: Context| {
            *keep.lock().unwrap() = Some(cx);
            std::future::pending::<&str>()
        };
        let registry = registry();
        registry.add(Tool::new("keeps", "", json!({"type": "object"}), keeps)).unwrap();
        let scene = Scene::new(&registry, Limits::default());
        scene.call(1, "keeps", "{}");
        scene.runtime.block_on(tokio::task::yield_now());
        assert!(kept.lock().unwrap().is_some());
        // Sends every event to the client, as a program may wish.
        let forwards = OnEvent(move |event: &Event<'_>| {
            let cx = kept.lock().unwrap().clone();
            cx.iter().for_each(|cx| cx.log(LoggingLevel::Error, event.metadata().name()));
        });
        tracing::subscriber::with_default(forwards, || {
            // One line that is traced and dropped, and one that is traced and refused.
            scene.line("not JSON");
            scene.line(r#"{"jsonrpc":"2.0","id":2,"method":"no/such"}"#);
        });
        assert_eq!(scene.said.text().matches("notifications/message").count(), 2);
        scene.runner.close();
    });
}

/// A waker of a user's executor, which uses the registry's session.
struct Wakes(ToolRegistry);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        let tool =
            Tool::new("woken", "", json!({"type": "object"}), async |_: Value, _: Context| ());
        let _ = self.0.add(tool);
    }
}

#[test]
fn a_waker_may_use_the_registry() {
    in_time(|| {
        let registry = registry();
        let waker = Arc::new(Wakes(registry.clone()));
        let asks = move |_: Value, cx: Context| {
            let waker = waker.clone();
            async move {
                let mut params = |_: &mut Vec<u8>| {};
                let mut asked = pin!(cx.ask("roots/list", &mut params));
                // Polled by the user's executor.
                let waker = waker.into();
                poll_fn(|_| asked.as_mut().poll(&mut std::task::Context::from_waker(&waker)))
                    .await
                    .map(String::from)
            }
        };
        registry.add(Tool::new("asks", "", json!({"type": "object"}), asks)).unwrap();
        let scene = Scene::new(&registry, Limits::default());
        initialized(&scene);
        scene.call(1, "asks", "{}");
        scene.runtime.block_on(tokio::task::yield_now());
        scene.line(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
        assert!(scene.said.text().contains("list_changed"));
        scene.runner.close();
    });
}
