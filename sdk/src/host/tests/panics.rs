//! A panic in user code ends neither the reader nor a thread for plain functions.

use std::future::{Future, pending, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Wake;

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::host::Limits;
use toolwright::{CancelToken, Context, Tool, ToolRegistry, tool};
use tracing::Event;

use super::scene::{OnEvent, Scene, in_time};

#[tool(inline)]
fn falls() {
    panic!("a bug");
}

#[test]
fn a_call_that_panics_is_answered_although_its_trace_panics_too() {
    in_time(|| {
        let registry = ToolRegistry::builder("toy").tool(falls::tool()).build().unwrap();
        let scene = Scene::new(&registry, Limits::default());
        tracing::subscriber::with_default(
            OnEvent(|_: &Event<'_>| panic!("the disk is full")),
            || {
                scene.line("not JSON");
                scene.line(r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#);
                scene.call(2, "falls", "{}");
                scene.settle();
            },
        );
        let said = scene.said.text();
        assert!(
            said.contains(r#""id":1,"error""#) && said.contains(r#""id":2,"result""#),
            "{said}"
        );
    });
}

struct Captured;

impl Drop for Captured {
    fn drop(&mut self) {
        panic!("a bug in a destructor");
    }
}

static REGISTRY: Mutex<Option<ToolRegistry>> = Mutex::new(None);

/// Its first decoding removes its tool from the registry and lets the session notice that. Each
/// fails: a refused value is decoded again, to find the place of the error.
struct Removes;

static SCENE: Mutex<Option<Arc<toolwright::host::Runner>>> = Mutex::new(None);

impl<'de> Deserialize<'de> for Removes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer)?;
        if let Some(registry) = REGISTRY.lock().unwrap().take() {
            assert!(registry.remove("removed"));
            let runner = SCENE.lock().unwrap().take().unwrap();
            let _ = runner.receive(br#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#);
        }
        Err(serde::de::Error::custom("refused"))
    }
}

#[test]
fn what_a_removed_tool_has_captured_may_panic_after_its_last_decoding() {
    in_time(|| {
        let captured = Arc::new(Captured);
        let removed = move |_: Removes, _: Context| {
            let _captured = &captured;
            async { "done" }
        };
        let removed = Tool::new("removed", "", json!({"type": "object"}), removed);
        let registry = ToolRegistry::builder("toy").tool(removed).build().unwrap();
        let scene = Scene::new(&registry, Limits::default());
        *REGISTRY.lock().unwrap() = Some(registry);
        *SCENE.lock().unwrap() = Some(scene.runner.clone());
        scene.call(1, "removed", "{}");
        assert!(scene.said.text().contains("refused"), "{}", scene.said.text());
    });
}

struct PanicsOnWake;

impl Wake for PanicsOnWake {
    fn wake(self: Arc<Self>) {
        panic!("a bug in an executor");
    }
}

#[test]
fn a_waker_may_panic_when_its_call_is_cancelled() {
    in_time(|| {
        let kept = Arc::new(Mutex::new(None));
        let keep = kept.clone();
        let keeps = move |_: Value, cx: Context| {
            *keep.lock().unwrap() = Some(cx.cancel_token().clone());
            pending::<&str>()
        };
        let keeps = Tool::new("keeps", "", json!({"type": "object"}), keeps);
        let registry = ToolRegistry::builder("toy").tool(keeps).build().unwrap();
        let scene = Scene::new(&registry, Limits::default());
        scene.call(1, "keeps", "{}");
        scene.runtime.block_on(tokio::task::yield_now());
        let token: CancelToken = kept.lock().unwrap().take().unwrap();
        let mut cancelled = pin!(token.cancelled());
        let waker = Arc::new(PanicsOnWake).into();
        let mut cx = std::task::Context::from_waker(&waker);
        assert!(cancelled.as_mut().poll(&mut cx).is_pending());
        scene.cancel(1);
        assert!(token.is_cancelled());
        scene.runtime.block_on(poll_fn(|cx| cancelled.as_mut().poll(cx)));
    });
}
