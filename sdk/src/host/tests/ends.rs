//! What remains of a call whose end comes early, or at an unusual moment.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use serde_json::json;
use toolwright::host::{Limits, Received};
use toolwright::{CancelToken, Next, State, ToolCall, ToolRegistry, tool, tools};

use super::scene::{Scene, in_time};
use super::server::Server;

type Gate = Mutex<Receiver<()>>;
type Count = Arc<AtomicUsize>;
type Lent = Mutex<Option<CancelToken>>;

/// Keeps its thread until the sender of the gate sends something, or is dropped.
#[tool]
fn hold(gate: State<Gate>, count: State<Count>) {
    count.fetch_add(1, Ordering::SeqCst);
    let _ = gate.lock().unwrap().recv();
}

/// Counts the calls that are alive.
#[tool]
async fn wait(count: State<Count>) {
    struct Counted(Count);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }
    count.fetch_add(1, Ordering::SeqCst);
    let _counted = Counted((*count).clone());
    std::future::pending::<()>().await;
}

#[tool]
async fn lend(cancel: CancelToken, lent: State<Arc<Lent>>) {
    tokio::task::yield_now().await;
    *lent.lock().unwrap() = Some(cancel);
}

#[tool]
fn lend_plain(cancel: CancelToken, lent: State<Arc<Lent>>) {
    *lent.lock().unwrap() = Some(cancel);
}

#[tool(task)]
fn plain() -> &'static str {
    "passed"
}

fn scene(change: impl FnOnce(&mut Limits)) -> (Scene, Count, Sender<()>) {
    let (count, (gate, passes)) = (Count::default(), channel());
    let registry = ToolRegistry::builder("toy")
        .tools(tools![hold, wait])
        .state(count.clone())
        .state(Gate::new(passes))
        .build();
    let mut limits = Limits::default();
    change(&mut limits);
    (Scene::new(&registry.unwrap(), limits), count, gate)
}

#[test]
fn a_closed_session_leaves_no_function_that_waits_for_a_thread() {
    in_time(|| {
        let (scene, count, _gate) = scene(|limits| limits.sync_threads = 1);
        (1..=3).for_each(|id| scene.call(id, "hold", "{}"));
        while count.load(Ordering::SeqCst) == 0 {
            std::thread::yield_now();
        }
        scene.runner.close();
        assert_eq!((scene.runner.left(), count.load(Ordering::SeqCst)), ([0; 4], 1));
    });
}

#[test]
fn the_token_of_a_call_that_is_done_is_not_cancelled() {
    in_time(|| {
        for tool in ["lend", "lend_plain"] {
            let lent = Arc::<Lent>::default();
            let registry = ToolRegistry::builder("toy").tools(tools![lend, lend_plain]);
            let registry = registry.state(lent.clone()).build().unwrap();
            let scene = Scene::new(&registry, Limits::default());
            scene.call(1, tool, "{}");
            scene.settle();
            scene.runner.close();
            let token = lent.lock().unwrap().take().unwrap();
            assert!(!token.is_cancelled(), "{tool}");
        }
    });
}

#[test]
fn a_call_that_is_cancelled_before_it_is_spawned_is_dropped() {
    in_time(|| {
        let (scene, count, _gate) = scene(|_| {});
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}"#;
        let Received::Call(call) = scene.runner.receive(line.as_bytes()) else { panic!() };
        let run = scene.runner.begin(call).unwrap();
        scene.cancel(1);
        scene.runner.spawn(run);
        for _ in 0..10 {
            scene.runtime.block_on(tokio::task::yield_now());
        }
        assert_eq!((scene.runner.left(), count.load(Ordering::SeqCst)), ([0; 4], 0));
        assert_eq!(scene.runtime.metrics().num_alive_tasks(), 0);
    });
}

#[test]
fn a_layer_of_a_plain_function_may_wait_once_its_call_is_a_task() {
    in_time(|| {
        let (gate, passes) = channel();
        let passes = Arc::new(Gate::new(passes));
        let layer = move |call: ToolCall, next: Next| {
            let passes = passes.clone();
            async move {
                // In its first poll, while the call becomes a task.
                let _ = passes.lock().unwrap().recv();
                tokio::task::yield_now().await;
                next.run(call).await
            }
        };
        let registry = ToolRegistry::builder("toy").tools(tools![plain]).layer(layer);
        let server = Server::of(registry.build().unwrap());
        let id = server.task("plain", json!({}));
        gate.send(()).unwrap();
        while server.get(&id)["status"] == "working" {
            std::thread::yield_now();
        }
        assert_eq!(server.get(&id)["result"]["content"][0]["text"], "passed");
    });
}
