//! Calls that last: several at once, cancelled, timed out, cut off.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolwright::mcp::Host;
use toolwright::testing::TestClient;
use toolwright::{Context, Eras, Tool, ToolRegistry, tool, tools};

use super::program;

/// Waits for ever.
#[tool]
async fn hang() {
    pending::<()>().await;
}

#[tool(timeout = "1ms")]
async fn late() {
    pending::<()>().await;
}

#[tool]
async fn quick() -> &'static str {
    "done"
}

/// A plain function that runs until it is cancelled.
#[tool]
fn spin(cx: &Context) {
    cx.progress(0.5, "spinning");
    while !cx.is_cancelled() {
        std::thread::yield_now();
    }
}

#[tool]
async fn whoami(cx: &Context) -> String {
    let client = cx.client().map(|client| client.name.clone()).unwrap_or_default();
    format!("{client} {} {:?}", cx.protocol_version(), cx.host())
}

fn registry() -> ToolRegistry {
    let tools = tools![hang, late, quick, spin, whoami];
    ToolRegistry::builder("toy").tools(tools).build().unwrap()
}

fn client() -> TestClient {
    TestClient::in_memory(&registry()).unwrap()
}

#[test]
fn a_client_is_connected() {
    let mut client = client();
    let legacy = format!("toolwright-test-client 2025-11-25 {:?}", Host::InProcess);
    assert_eq!(client.call("whoami", json!({})).unwrap().to_text(), legacy);
    let mut client = client.modern();
    assert!(client.call("whoami", json!({})).unwrap().to_text().contains("2026-07-28"));
}

#[test]
fn what_was_asked_before_a_client_begins_anew_is_not_waited_for() {
    let mut client = client();
    client.initialize().unwrap();
    let id = client.send("ping", json!({})).unwrap();
    let error = client.modern().answer(id).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{error}");
}

#[test]
fn a_modern_client_has_had_no_handshake() {
    let registry = registry();
    let mut client = TestClient::in_memory(&registry).unwrap().modern();
    registry.remove("quick");
    assert_eq!(client.list_tools().unwrap().len(), 4);
    // It has not asked for any.
    assert_eq!(client.notifications().unwrap(), Vec::<Value>::new());
}

#[test]
fn a_registry_of_one_era_gets_a_client_of_it() {
    for (eras, version) in [(Eras::Legacy, "2025-11-25"), (Eras::Modern, "2026-07-28")] {
        let registry = ToolRegistry::builder("toy").tools(tools![whoami]).eras(eras).build();
        let mut client = TestClient::in_memory(&registry.unwrap()).unwrap();
        assert!(client.call("whoami", ()).unwrap().to_text().contains(version));
        let id = client.start_call("whoami", ()).unwrap();
        assert!(client.finish_call(id).is_ok());
    }
}

#[test]
fn no_arguments_are_not_null() {
    let (sends, sent) = std::sync::mpsc::channel();
    let watch = move |_, line: &str| sends.send(line.to_owned()).unwrap();
    let mut client = TestClient::in_memory(&registry()).unwrap().watch(watch);
    client.call("quick", ()).unwrap();
    client.call_tool("quick", Value::Null).unwrap();
    let calls: Vec<_> = sent.try_iter().filter(|line| line.contains("tools/call")).collect();
    assert_eq!(calls.len(), 2);
    assert!(!calls.iter().any(|call| call.contains("arguments")), "{calls:?}");
}

#[test]
fn calls_end_in_any_order() {
    let mut client = client();
    let hangs = client.start_call("hang", json!({})).unwrap();
    let first = client.start_call("quick", json!({})).unwrap();
    let second = client.start_call("quick", json!({})).unwrap();
    assert_eq!(client.finish_call(second).unwrap().to_text(), "done");
    assert_eq!(client.finish_call(first).unwrap().to_text(), "done");
    client.cancel(hangs).unwrap();
}

#[test]
fn a_cancelled_tool_is_dropped_when_cancel_returns() {
    let alive = Arc::new(AtomicBool::new(false));
    let watched = alive.clone();
    let tool = Tool::new("guard", "", json!({"type": "object"}), move |_: Value, _: Context| {
        let alive = watched.clone();
        async move {
            alive.store(true, Ordering::SeqCst);
            let _guard = Guard(alive);
            pending::<()>().await;
        }
    });
    let registry = ToolRegistry::builder("toy").tool(tool).build().unwrap();
    for modern in [false, true] {
        let mut client = TestClient::in_memory(&registry).unwrap();
        client = if modern { client.modern() } else { client };
        for _ in 0..50 {
            let id = client.start_call("guard", json!({})).unwrap();
            client.request("ping", json!({})).unwrap();
            assert!(alive.load(Ordering::SeqCst), "it has not begun");
            client.cancel(id).unwrap();
            assert!(!alive.load(Ordering::SeqCst), "it has not been dropped");
        }
    }
}

struct Guard(Arc<AtomicBool>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

#[test]
fn a_plain_function_sees_that_it_is_cancelled() {
    let mut client = client();
    let id = client.start_call("spin", json!({})).unwrap();
    let started = client.receive().unwrap().unwrap();
    assert_eq!(started["params"]["message"], "spinning");
    client.cancel(id).unwrap();
    // The session does not end before the function does.
    assert!(client.close().unwrap().success());
}

#[test]
fn a_call_that_was_answered_cannot_be_cancelled() {
    let mut client = client();
    let id = client.start_call("quick", json!({})).unwrap();
    let error = client.cancel(id).unwrap_err().to_string();
    assert!(error.contains("answered before it was cancelled"), "{error}");
    assert!(error.contains("done"), "{error}");
    assert!(error.contains(r#""name":"quick""#), "{error}");
}

#[test]
fn a_call_that_does_not_run_cannot_be_cancelled() {
    let mut client = client();
    let answered = client.start_call("quick", json!({})).unwrap();
    client.finish_call(answered).unwrap();
    let cancelled = client.start_call("hang", json!({})).unwrap();
    client.cancel(cancelled).unwrap();
    for id in [answered, cancelled, 99] {
        let error = client.cancel(id).unwrap_err().to_string();
        let why = "there is no such call, its answer was taken already, or it was cancelled";
        assert!(error.starts_with(why), "{error}");
    }
}

#[test]
fn a_call_that_has_asked_is_cancelled_by_its_first_id() {
    let answer = |id: u64, result: Value| json!({"jsonrpc": "2.0", "id": id, "result": result});
    let lines = [
        answer(0, json!({"resultType": "input_required", "inputRequests": {}})).to_string(),
        "This is no answer.".to_owned(),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled"}).to_string(),
        answer(2, json!({})).to_string(),
    ];
    let (said, heard) = channel();
    let watch = move |_, line: &str| said.send(line.to_owned()).unwrap();
    let mut client = program(lines).modern().watch(watch);
    let id = client.start_call("ask", json!({})).unwrap();
    client.finish_call(id).unwrap_err();
    client.cancel(id).unwrap();
    let cancels = heard.try_iter().filter(|line| line.contains("requestId"));
    assert_eq!(
        Vec::from_iter(cancels),
        [r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#]
    );
}

#[test]
fn what_has_no_answer_any_more_fails_at_once() {
    let mut client = client().timeout(Duration::from_secs(3_600));
    let begin = Instant::now();
    let cancelled = client.start_call("hang", json!({})).unwrap();
    client.cancel(cancelled).unwrap();
    let answered = client.start_call("quick", json!({})).unwrap();
    client.finish_call(answered).unwrap();
    let received = client.start_call("quick", json!({})).unwrap();
    assert_eq!(client.receive().unwrap().unwrap()["id"], received);
    for id in [cancelled, answered, received] {
        let error = client.finish_call(id).unwrap_err().to_string();
        assert!(error.contains("taken already, or it was cancelled"), "{error}");
    }
    assert!(begin.elapsed() < Duration::from_secs(600));
}

#[test]
fn the_timeout_of_a_tool_applies() {
    let text = client().expect_error("late", json!({})).unwrap();
    assert_eq!(text, "The tool `late` was stopped: it did not finish within 1ms.");
}

#[test]
fn a_session_that_ends_stops_its_calls_and_answers_them() {
    let mut client = client();
    let id = client.start_call("hang", json!({})).unwrap();
    client.end_input();
    let error = client.finish_call(id).unwrap_err().to_string();
    assert!(error.contains("the answer is an error"), "{error}");
    assert!(client.close().unwrap().success());
}

#[test]
fn what_came_before_the_end_is_there_after_it() {
    let mut client = client();
    let id = client.start_call("quick", ()).unwrap();
    client.end_input();
    assert!(client.wait().unwrap().success());
    assert_eq!(client.finish_call(id).unwrap().to_text(), "done");
}

#[test]
fn a_timeout_that_no_clock_can_tell_is_none() {
    let mut client = client().timeout(Duration::MAX);
    assert_eq!(client.call("quick", ()).unwrap().to_text(), "done");
    assert!(client.close().unwrap().success());
}

#[test]
fn an_ended_session_takes_nothing_more() {
    let mut client = client();
    client.end_input();
    assert_eq!(client.call("quick", ()).unwrap_err().kind(), std::io::ErrorKind::BrokenPipe);
}

/// A client that is dropped lets go of everything, also of calls that would run for ever.
#[test]
fn a_dropped_client_stops_its_server() {
    let (gone, is_gone) = channel::<()>();
    let tool = Tool::new("holds", "", json!({"type": "object"}), move |_: Value, _: Context| {
        let gone = gone.clone();
        async move {
            let _gone = gone;
            pending::<()>().await;
        }
    });
    let registry = ToolRegistry::builder("toy").tool(tool).build().unwrap();
    let mut client = TestClient::in_memory(&registry).unwrap();
    client.start_call("holds", ()).unwrap();
    drop((registry, client));
    let timeout = Duration::from_secs(60);
    assert_eq!(is_gone.recv_timeout(timeout), Err(std::sync::mpsc::RecvTimeoutError::Disconnected));
}

#[tokio::test]
async fn a_client_works_inside_of_a_runtime() {
    let mut client = client();
    assert_eq!(client.call_as::<String>("quick", ()).unwrap(), "done");
    client.close().unwrap();
}

#[test]
fn several_clients_have_sessions_of_their_own() {
    let registry = registry();
    let clients = || TestClient::in_memory(&registry).unwrap();
    let (mut one, mut two) = (clients(), clients());
    let (first, second) =
        (one.start_call("hang", ()).unwrap(), two.start_call("hang", ()).unwrap());
    assert_eq!(first, second);
    one.cancel(first).unwrap();
    two.cancel(second).unwrap();
}

#[test]
fn a_batch_is_a_line_of_its_own() {
    let registry = ToolRegistry::builder("toy").tools(tools![late, quick]).build().unwrap();
    let mut client = TestClient::in_memory(&registry).unwrap();
    client.request("initialize", json!({"protocolVersion": "2025-03-26"})).unwrap();
    let call = |id: &str| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": id}});
    client.send_line(&json!([call("late"), call("quick")]).to_string()).unwrap();
    let answers = client.receive().unwrap().unwrap();
    let ids: Vec<_> = answers.as_array().unwrap().iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, ["quick", "late"]);
}
