//! Plain functions that wait for a thread.

use std::pin::pin;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

use serde_json::json;

use super::scene::{Scene, begin, call};
use crate::{State, tool, tools};

/// Opens once its other end is dropped.
struct Gate {
    opened: Mutex<Receiver<()>>,
}

/// Has its thread until the gate opens.
#[tool]
fn block(gate: State<Gate>) {
    let _ = gate.opened.lock().unwrap().recv();
}

/// Waits for a thread, and only so long.
#[tool(timeout = "10ms")]
fn hurry() {}

/// A server with one thread, and room for a call that has it and for one more.
fn scene() -> (Scene, Sender<()>) {
    let (opens, gate) = channel();
    let gate = Gate { opened: Mutex::new(gate) };
    let scene = Scene::of(
        |registry| registry.state(gate).tools(tools![block, hurry]),
        |options| {
            options.max_requests = 2;
            options.limits.sync_threads = 1;
        },
    );
    (scene, opens)
}

#[tokio::test(start_paused = true)]
async fn a_call_that_has_timed_out_before_it_had_a_thread_takes_no_place() {
    let (scene, _opens) = scene();
    let mut blocks = pin!(scene.send(call("block", &json!({}))));
    begin(blocks.as_mut()).await;
    for _ in 0..10 {
        let (status, answer) = scene.ask(call("hurry", &json!({}))).await;
        assert!(status == 200 && answer.contains("did not finish within"), "{status} {answer}");
    }
    assert_eq!(scene.ask(call("echo", &json!({}))).await.0, 200);
}

#[tokio::test]
async fn a_call_whose_client_has_left_before_it_had_a_thread_takes_no_place() {
    let (scene, _opens) = scene();
    let request = || call("block", &json!({}));
    let mut blocks = pin!(scene.send(request()));
    begin(blocks.as_mut()).await;
    for _ in 0..10 {
        begin(pin!(scene.send(request()))).await;
    }
    assert_eq!(scene.ask(call("echo", &json!({}))).await.0, 200);
}
