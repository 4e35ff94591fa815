//! Queues are bounded, and a cancelled call releases its memory wherever it waits.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::task::Poll;

use serde_json::json;
use toolwright::host::{Limits, Received};
use toolwright::{Context, Resource, Tool, ToolRegistry, Value, tool};

use super::scene::{Scene, in_time};

/// Counts the values that are alive.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(alive: &Arc<AtomicUsize>) -> Self {
        alive.fetch_add(1, Ordering::SeqCst);
        Self(alive.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn waits(alive: &Arc<AtomicUsize>) -> Tool {
    let alive = alive.clone();
    Tool::new("waits", "", json!({"type": "object"}), move |_: Value, _: Context| {
        let counted = Counted::new(&alive);
        async move {
            let _counted = counted;
            std::future::pending::<()>().await;
        }
    })
}

fn scene(tool: Tool, change: impl FnOnce(&mut Limits)) -> Scene {
    let registry = ToolRegistry::builder("toy").tool(tool).build().unwrap();
    let mut limits = Limits::default();
    change(&mut limits);
    Scene::new(&registry, limits)
}

#[test]
fn a_call_that_is_one_too_many_is_refused() {
    in_time(|| {
        let scene = scene(waits(&Arc::default()), |limits| {
            (limits.max_running, limits.max_waiting_calls) = (1, 2);
        });
        (1..=4).for_each(|id| scene.call(id, "waits", "{}"));
        assert_eq!(
            scene.said.text(),
            "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\
             \"The tool `waits` was not called: too many calls wait already.\"}],\"isError\":true}}\n"
        );
    });
}

#[test]
fn waiting_calls_are_counted_in_bytes_too() {
    in_time(|| {
        let scene = scene(waits(&Arc::default()), |limits| {
            (limits.max_running, limits.max_waiting) = (1, 1_000);
        });
        let long = format!(r#"{{"x":"{}"}}"#, "x".repeat(2_000));
        scene.call(1, "waits", &long);
        scene.call(2, "waits", &long);
        scene.call(3, "waits", "{}");
        assert!(scene.said.text().starts_with("{\"jsonrpc\":\"2.0\",\"id\":3,"));
        scene.cancel(2);
        scene.call(4, "waits", "{}");
        assert!(!scene.said.text().contains("\"id\":4"));
    });
}

#[test]
fn cancelled_calls_make_way_for_those_that_wait() {
    in_time(|| {
        let alive = Arc::default();
        let scene = scene(waits(&alive), |limits| limits.max_running = 2);
        (1..=1_000).for_each(|id| scene.call(id, "waits", "{}"));
        // In any order, running calls among them.
        for id in (1..=1_000).map(|id| id * 617 % 1_009).filter(|id| (1..=990).contains(id)) {
            scene.cancel(id);
        }
        (991..=1_000).for_each(|id| scene.cancel(id));
        let leftover: Vec<u64> = (1..=990).collect();
        leftover.into_iter().for_each(|id| scene.cancel(id));
        scene.settle();
        scene.runtime.block_on(tokio::task::yield_now());
        assert_eq!((scene.said.text(), alive.load(Ordering::SeqCst)), (String::new(), 0));
    });
}

#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
    entered: AtomicUsize,
}

static GATE: Gate =
    Gate { is_open: Mutex::new(false), opened: Condvar::new(), entered: AtomicUsize::new(0) };
static ALIVE: AtomicUsize = AtomicUsize::new(0);

/// An argument that is counted.
#[derive(toolwright::JsonSchema)]
#[schemars(crate = "toolwright::__private::schemars")]
struct Heavy;

impl<'de> serde::Deserialize<'de> for Heavy {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer)?;
        ALIVE.fetch_add(1, Ordering::SeqCst);
        Ok(Self)
    }
}

impl Drop for Heavy {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Blocks its thread until the gate opens.
#[tool]
fn block(heavy: Heavy) {
    let _heavy = heavy;
    GATE.entered.fetch_add(1, Ordering::SeqCst);
    let is_open = GATE.is_open.lock().unwrap();
    drop(GATE.opened.wait_while(is_open, |is_open| !*is_open).unwrap());
}

#[test]
fn a_cancelled_plain_function_gives_back_its_memory_while_all_threads_are_busy() {
    in_time(|| {
        let scene = scene(block::tool(), |limits| limits.sync_threads = 2);
        (1..=100).for_each(|id| scene.call(id, "block", r#"{"heavy":1}"#));
        while GATE.entered.load(Ordering::SeqCst) < 2 {
            std::thread::yield_now();
        }
        (1..=100).for_each(|id| scene.cancel(id));
        assert_eq!(ALIVE.load(Ordering::SeqCst), 2, "those that run cannot be dropped");
        *GATE.is_open.lock().unwrap() = true;
        GATE.opened.notify_all();
        while ALIVE.load(Ordering::SeqCst) > 0 {
            std::thread::yield_now();
        }
        assert_eq!(GATE.entered.load(Ordering::SeqCst), 2);
    });
}

#[test]
fn one_call_may_wait_where_the_limit_says_none() {
    in_time(|| {
        let scene = scene(waits(&Arc::default()), |limits| {
            (limits.max_running, limits.max_waiting_calls) = (1, 0);
        });
        (1..=2).for_each(|id| scene.call(id, "waits", "{}"));
        assert_eq!(scene.said.text(), "");
    });
}

#[test]
fn cancellations_and_pings_are_heard_at_the_bound() {
    in_time(|| {
        let scene = scene(waits(&Arc::default()), |limits| {
            (limits.max_running, limits.max_waiting, limits.max_waiting_calls) = (1, 0, 1);
        });
        (1..=2).for_each(|id| scene.call(id, "waits", "{}"));
        scene.line(r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#);
        assert_eq!(scene.said.take(), "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n");
        scene.cancel(2);
        scene.call(4, "waits", "{}");
        assert_eq!(scene.said.text(), "", "the cancelled call has made room");
    });
}

#[test]
fn no_call_starts_while_the_client_is_behind() {
    in_time(|| {
        let alive = Arc::default();
        let scene = scene(waits(&alive), |limits| limits.max_waiting_calls = 2);
        scene.said.is_behind(true);
        (1..=3).for_each(|id| scene.call(id, "waits", "{}"));
        scene.runtime.block_on(tokio::task::yield_now());
        assert!(scene.said.take().starts_with("{\"jsonrpc\":\"2.0\",\"id\":3,"), "refused");
        assert_eq!(scene.runner.left(), [0, 2, scene.runner.left()[2], 0]);
        scene.said.is_behind(false);
        scene.runner.resume();
        assert_eq!(scene.runner.left(), [2, 0, 0, 0]);
    });
}

#[test]
fn a_client_that_is_behind_gets_one_notification_of_many_changes() {
    in_time(|| {
        let registry = ToolRegistry::builder("toy").build().unwrap();
        let scene = Scene::new(&registry, Limits::default());
        scene.line(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#);
        scene.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        scene.said.take();
        scene.said.is_behind(true);
        for _ in 0..1_000 {
            registry.add(waits(&Arc::default())).unwrap();
            assert!(registry.remove("waits"));
        }
        assert_eq!(scene.said.text(), "");
        scene.said.is_behind(false);
        scene.runner.resume();
        assert_eq!(
            scene.said.text(),
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n"
        );
    });
}

#[test]
fn a_client_that_is_behind_hears_once_of_a_resource_that_it_has_subscribed_to() {
    in_time(|| {
        let resource = Resource::new("toy://a", "a", "", async |_, _| "Hello");
        let registry = ToolRegistry::builder("toy").resources([resource]).build().unwrap();
        let scene = Scene::new(&registry, Limits::default());
        scene.line(
            r#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"toy://a"}}"#,
        );
        scene.said.take();
        scene.said.is_behind(true);
        (0..100).for_each(|_| registry.resource_updated("toy://a"));
        scene.said.is_behind(false);
        scene.runner.resume();
        assert_eq!(
            scene.said.text(),
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\
             \"params\":{\"uri\":\"toy://a\"}}\n"
        );
    });
}

#[test]
fn no_change_is_noted_that_a_client_which_is_behind_has_not_subscribed_to() {
    in_time(|| {
        let registry = ToolRegistry::builder("toy").tool(waits(&Arc::default())).build().unwrap();
        let scene = Scene::new(&registry, Limits::default());
        scene.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        scene.said.is_behind(true);
        (0..1_000).for_each(|n| registry.resource_updated(format!("toy:///{n}")));
        assert_eq!(scene.runner.lock().changed.len(), 0);
    });
}

#[test]
fn a_client_that_is_behind_misses_the_notifications_of_the_servers_own() {
    in_time(|| {
        let registry = ToolRegistry::builder("toy").build().unwrap();
        let scene = Scene::new(&registry, Limits::default());
        scene.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        let notify = |text| registry.notify("toy/event", serde_json::json!({"text": text}));
        scene.said.is_behind(true);
        notify("missed").unwrap();
        scene.said.is_behind(false);
        scene.runner.resume();
        notify("heard").unwrap();
        assert_eq!(
            scene.said.text(),
            "{\"jsonrpc\":\"2.0\",\"method\":\"toy/event\",\"params\":{\"text\":\"heard\"}}\n"
        );
    });
}

#[test]
fn calls_that_are_received_together_keep_the_bound_too() {
    in_time(|| {
        let alive = Arc::default();
        let scene = scene(waits(&alive), |limits| limits.max_running = 2);
        let line = |id| {
            format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"waits"}}}}"#
            )
        };
        let lines: Vec<_> = (1..=5).map(line).collect();
        let calls: Vec<_> =
            lines.iter().map(|line| scene.runner.receive(line.as_bytes())).collect();
        for call in calls {
            let Received::Call(call) = call else { panic!() };
            scene.runner.run(call);
        }
        assert_eq!(scene.runner.left()[..2], [2, 3]);
        (1..=5).for_each(|id| scene.cancel(id));
        assert_eq!(scene.runner.left(), [0; 4]);
    });
}

#[test]
fn questions_that_are_withdrawn_do_not_pile_up_for_a_client_that_is_behind() {
    in_time(|| {
        // Asks so many questions, and drops each at once. Returns how many were refused.
        let schema = json!({"type": "object"});
        let drops = Tool::new("drops", "", schema, async |asked: Value, cx: Context| {
            let mut refused = 0;
            for _ in 0..asked["questions"].as_u64().unwrap_or_default() {
                let mut params = |_: &mut Vec<u8>| {};
                let mut question = pin!(cx.ask("roots/list", &mut params));
                let polled = poll_fn(|cx| Poll::Ready(question.as_mut().poll(cx))).await;
                refused += u32::from(polled.is_ready());
            }
            refused.to_string()
        });
        let scene = scene(drops, |_| {});
        let count = |id, expected: &str| {
            scene.call(id, "drops", r#"{"questions":100}"#);
            scene.said.is_behind(true);
            scene.settle();
            let said = scene.said.take();
            assert!(said.contains(&format!("\"text\":\"{expected}\"")), "{said}");
            scene.said.is_behind(false);
        };
        count(1, "36");
        // It has read them.
        scene.runner.resume();
        count(2, "36");
    });
}
