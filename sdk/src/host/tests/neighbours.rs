//! Tasks beside the other calls of their server.

use std::future::pending;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;
use toolwright::host::Limits;
use toolwright::{AskError, Context, State, ToolRegistry, tool, tools};

use super::scene::in_time;
use super::server::Server;

const LONG: Duration = Duration::from_secs(5);

#[tool(task)]
async fn work() {
    sleep(LONG).await;
}

#[tool(task)]
async fn wait() {
    pending::<()>().await;
}

#[tool(task)]
async fn ask(cx: &Context) -> Result<bool, AskError> {
    sleep(LONG).await;
    cx.confirm("Sure?").key("sure").await
}

/// Waits for another call, without a question for its client.
#[tool(task)]
async fn watch(has_come: State<AtomicBool>, cx: &Context) -> Result<&'static str, AskError> {
    sleep(LONG).await;
    cx.confirm("Now?").key("now").await?;
    while !has_come.load(Ordering::SeqCst) {
        cx.next_round().await?;
    }
    Ok("it has come")
}

/// The key of a question, after turns that need none.
#[tool(task)]
async fn turn(seconds: u64, cx: &Context) -> Result<String, AskError> {
    sleep(Duration::from_secs(seconds)).await;
    for _ in 0..3 {
        cx.next_round().await?;
    }
    Ok(cx.key_of("round", ""))
}

#[tool]
async fn come(has_come: State<AtomicBool>) {
    has_come.store(true, Ordering::SeqCst);
}

fn served() -> Server {
    let registry = ToolRegistry::builder("toy").tools(tools![work, wait, ask, watch, turn, come]);
    Server::of(registry.state(AtomicBool::new(false)).build().unwrap())
}

/// One call runs at once.
fn one() -> Limits {
    Limits { max_running: 1, ..Limits::default() }
}

#[test]
fn a_task_takes_no_place_of_a_running_call() {
    let server = served();
    let (runner, said) = server.connect(one());
    let request = |method: &str, params: Value| {
        server.send(&runner, 1, method, params);
        server.answer(&runner, &said)
    };
    let begun = request("tools/call", json!({"name": "ask", "arguments": {}}));
    let task = json!({"taskId": begun["taskId"]});
    server.pass(LONG);
    assert_eq!(request("tasks/get", task.clone())["status"], "input_required");
    let answers = json!({"sure": {"action": "accept"}});
    request("tasks/update", json!({"taskId": begun["taskId"], "inputResponses": answers}));
    server.pass(Duration::from_millis(1));
    assert_eq!(request("tasks/get", task)["status"], "completed");

    let begun = request("tools/call", json!({"name": "wait", "arguments": {}}));
    let task = json!({"taskId": begun["taskId"]});
    assert_eq!(request("tasks/cancel", task.clone())["resultType"], "complete");
    assert_eq!(request("tasks/get", task)["status"], "cancelled");
    assert_eq!(runner.left(), [0; 4]);
}

#[test]
fn a_call_that_waits_begins_when_another_one_goes_on_as_a_task() {
    let server = served();
    let (runner, said) = server.connect(one());
    // How many calls run, how many wait, and how many are answered with tasks.
    let state = || {
        let [running, waiting, ..] = runner.left();
        [running, waiting, said.text().matches(r#""resultType":"task""#).count()]
    };
    // The tasks of the first time count no longer the second time.
    for answered in [0, 3] {
        for id in 1..=3 {
            server.send(&runner, id, "tools/call", json!({"name": "work", "arguments": {}}));
        }
        assert_eq!(state(), [1, 2, answered]);
        for begun in 1..=3 {
            server.pass(Duration::from_millis(1_010));
            let waiting = 2_usize.saturating_sub(begun);
            assert_eq!(state(), [3 - waiting, waiting, answered + begun]);
        }
        server.pass(2 * LONG);
        assert_eq!(state(), [0, 0, answered + 3]);
    }
}

#[test]
fn a_task_that_waits_without_a_question_lets_others_run() {
    in_time(|| {
        let server = served();
        let id = server.task("watch", json!({}));
        server.becomes(&id, "input_required");
        server.update(&id, json!({"now": {"action": "accept"}}));
        server.call("come", json!({}));
        let task = server.becomes(&id, "completed");
        assert_eq!(task["result"]["content"][0]["text"], "it has come");
    });
}

#[test]
fn where_there_are_no_rounds_none_is_kept() {
    let server = served();
    let id = server.task("turn", json!({"seconds": 5}));
    let task = server.becomes(&id, "completed");
    assert_eq!(task["result"]["content"][0]["text"], "round-1");
    // Outside of a session, as before 2026-07-28.
    let called = server.runtime.block_on(server.registry.call("turn", json!({"seconds": 0})));
    assert_eq!(called.unwrap().to_text(), "round-1");
}
