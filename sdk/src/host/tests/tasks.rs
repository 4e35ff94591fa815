//! Calls that take longer than a second, and the tasks that they go on as.

use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;
use toolwright::host::Received;
use toolwright::{AskError, Context, State, TaskSupport, Tool, ToolRegistry, tool, tools};

use super::scene::in_time;
use super::server::Server;

const LONG: Duration = Duration::from_secs(5);
const HOUR: Duration = Duration::from_secs(3_600);

/// Counts its drops.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// How often something has happened.
type Count = Arc<AtomicUsize>;

#[tool(task)]
async fn work(seconds: u64) -> String {
    sleep(Duration::from_secs(seconds)).await;
    format!("{seconds} seconds")
}

#[tool(task = "required")]
async fn must() -> Result<(), &'static str> {
    sleep(LONG).await;
    Err("it has failed")
}

#[tool(task)]
async fn wait(drops: State<Count>) {
    let _counted = Counted((*drops).clone());
    pending::<()>().await;
}

#[tool(task)]
async fn ask(runs: State<Count>, cx: &Context) -> Result<String, AskError> {
    runs.fetch_add(1, Ordering::SeqCst);
    sleep(LONG).await;
    let ask = |text| cx.elicit_schema(text, name()).into_future();
    let (one, two) = tokio::try_join!(ask("One?"), ask("Two?"))?;
    let (one, two) = (one.accepted()?, two.accepted()?);
    Ok(format!("{} {}", one["name"], two["name"]))
}

/// Asks under one key, again and again.
#[tool(task)]
async fn insist(cx: &Context) -> Result<(), AskError> {
    sleep(LONG).await;
    for number in 0.. {
        cx.confirm(format!("Question {number}?")).key("same").await?;
    }
    Ok(())
}

/// Asks in a round, and then in a task.
#[tool(task = "required")]
async fn twice(cx: &Context) -> Result<String, AskError> {
    let first = cx.confirm("First?").key("first").await?;
    sleep(LONG).await;
    Ok(format!("{first} {}", cx.confirm("Second?").key("second").await?))
}

#[tool(task)]
async fn missing(cx: &Context) -> Result<usize, AskError> {
    sleep(LONG).await;
    Ok(cx.roots().await?.len())
}

#[tool(task, timeout = "10s")]
async fn late() {
    pending::<()>().await;
}

#[tool(task)]
fn block(gate: State<Mutex<mpsc::Receiver<()>>>) -> &'static str {
    gate.lock().unwrap().recv().unwrap();
    "passed"
}

fn name() -> Value {
    let name = json!({"type": "string", "maxLength": 5});
    json!({"type": "object", "properties": {"name": name}, "required": ["name"]})
}

/// A server with these tools, what counts for it, and what lets `block` pass.
fn served() -> (Server, Count, mpsc::Sender<()>) {
    let count = Count::default();
    let (gate, passes) = mpsc::channel();
    let registry = ToolRegistry::builder("toy")
        .tools(tools![work, must, wait, ask, insist, twice, missing, late, block])
        .state(count.clone())
        .state(Mutex::new(passes))
        .build()
        .unwrap();
    (Server::of(registry), count, gate)
}

fn accept(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

/// Of the questions that wait.
fn keys(task: &Value) -> Vec<&str> {
    task["inputRequests"].as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn a_call_that_takes_longer_than_a_second_goes_on_as_a_task() {
    let (server, _, _gate) = served();
    let begun = server.call("work", json!({"seconds": 5}));
    assert_eq!(begun["resultType"], "task");
    assert_eq!([&begun["status"], &begun["ttlMs"]], [&json!("working"), &json!(3_600_000)]);
    let id = begun["taskId"].as_str().unwrap();
    assert_eq!(id.len(), 32);
    let task = server.get(id);
    assert_eq!([&task["status"], &task["resultType"]], ["working", "complete"]);
    assert_eq!(task["createdAt"], begun["createdAt"]);
    let task = server.becomes(id, "completed");
    assert_eq!(task["result"]["resultType"], "complete");
    assert_eq!(task["result"]["content"][0]["text"], "5 seconds");
    assert!(task["result"]["_meta"].is_object() && task.get("inputRequests").is_none());
}

#[test]
fn a_quick_call_and_one_of_a_client_without_tasks_are_answered_with_their_results() {
    let (mut server, _, _gate) = served();
    assert_eq!(server.call("work", json!({"seconds": 0}))["content"][0]["text"], "0 seconds");
    server.capabilities = json!({"extensions": {"another": {}}});
    assert_eq!(server.call("work", json!({"seconds": 5}))["content"][0]["text"], "5 seconds");
    let lacks = |error: &Value| {
        let needed = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
        assert_eq!(error["code"], -32021, "{error}");
        assert_eq!(error["data"]["requiredCapabilities"], needed);
    };
    lacks(&server.call("must", json!({})));
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        lacks(&server.request(method, json!({"taskId": "x"})));
    }
}

#[test]
fn requests_about_tasks_are_checked() {
    let (server, _, _gate) = served();
    for (method, params, code) in [
        ("tasks/get", json!({"taskId": "x"}), -32602),
        ("tasks/get", json!({}), -32602),
        ("tasks/cancel", json!({"taskId": "x"}), -32602),
        ("tasks/update", json!({"taskId": "x", "inputResponses": {}}), -32602),
        ("tasks/update", json!({"taskId": "x"}), -32602),
        ("tasks/list", json!({}), -32601),
        ("tasks/result", json!({"taskId": "x"}), -32601),
    ] {
        assert_eq!(server.request(method, params.clone())["code"], code, "{method} {params}");
    }
    let extensions = &server.request("server/discover", json!({}))["capabilities"]["extensions"];
    assert_eq!(*extensions, json!({"io.modelcontextprotocol/tasks": {}}));
    let plain = Tool::new("plain", "", json!({"type": "object"}), async |_: Value, _: Context| ());
    let plain = ToolRegistry::builder("toy").tool(plain).build().unwrap();
    let server = Server { registry: plain, ..server };
    assert_eq!(server.request("tasks/get", json!({"taskId": "x"}))["code"], -32601);
    assert!(server.request("server/discover", json!({}))["capabilities"]["extensions"].is_null());
}

#[test]
fn a_question_in_a_task_waits_for_its_answer() {
    let (server, count, _gate) = served();
    let id = server.task("ask", json!({}));
    let task = server.becomes(&id, "input_required");
    assert_eq!(keys(&task), ["elicitation-1", "elicitation-2"]);
    assert_eq!(task["inputRequests"]["elicitation-1"]["method"], "elicitation/create");
    assert_eq!(task["inputRequests"]["elicitation-1"]["params"]["message"], "One?");
    let ack = server.update(&id, json!({"elicitation-1": accept(json!({"name": "Ann"})), "x": {}}));
    assert_eq!(ack["resultType"], "complete");
    assert!(ack.as_object().unwrap().keys().eq(["resultType", "_meta"]), "{ack}");
    assert_eq!(keys(&server.get(&id)), ["elicitation-2"]);
    // The first answer counts.
    server.update(&id, json!({"elicitation-1": accept(json!({"name": "Eve"}))}));
    // One that does not fit is asked for once more, under another key.
    server.update(&id, json!({"elicitation-2": accept(json!({"name": "too long"}))}));
    let task = server.becomes(&id, "input_required");
    assert_eq!(keys(&task), ["elicitation-2-2"]);
    server.update(&id, json!({"elicitation-2": accept(json!({"name": "Bob"}))}));
    assert_eq!(keys(&server.get(&id)), ["elicitation-2-2"]);
    server.update(&id, json!({"elicitation-2-2": accept(json!({"name": "Bob"}))}));
    let task = server.becomes(&id, "completed");
    assert_eq!(task["result"]["content"][0]["text"], r#""Ann" "Bob""#);
    assert_eq!(count.load(Ordering::SeqCst), 1, "the function has run once");
}

#[test]
fn a_question_before_the_task_begins_is_one_of_a_round() {
    let (server, _, _gate) = served();
    let asked = server.call("twice", json!({}));
    assert_eq!(asked["resultType"], "input_required");
    assert!(asked["taskId"].is_null());
    let begun = server.request(
        "tools/call",
        json!({
            "name": "twice",
            "arguments": {},
            "requestState": asked["requestState"],
            "inputResponses": {"first": accept(json!({"confirm": true}))},
        }),
    );
    assert_eq!(begun["resultType"], "task", "{begun}");
    assert!(begun["requestState"].is_null());
    let id = begun["taskId"].as_str().unwrap();
    assert_eq!(keys(&server.becomes(id, "input_required")), ["second"]);
    server.update(id, json!({"second": {"action": "decline"}}));
    let task = server.becomes(id, "completed");
    assert_eq!(task["result"]["content"][0]["text"], "true false");
}

#[test]
fn the_questions_of_a_task_are_bounded() {
    let (server, _, _gate) = served();
    let id = server.task("insist", json!({}));
    for number in 1..=64 {
        let task = server.becomes(&id, "input_required");
        let key = if number == 1 { "same".to_owned() } else { format!("same-{number}") };
        assert_eq!(keys(&task), [&*key]);
        server.update(&id, json!({key: {"action": "decline"}}));
    }
    let task = server.becomes(&id, "completed");
    assert_eq!(task["result"]["isError"], true, "{task}");
}

#[test]
fn a_cancelled_task_is_dropped() {
    let (server, count, _gate) = served();
    let id = server.task("wait", json!({}));
    let cancel = || server.request("tasks/cancel", json!({"taskId": id}));
    let ack = cancel();
    assert!(ack.as_object().unwrap().keys().eq(["resultType", "_meta"]), "{ack}");
    assert_eq!(server.get(&id)["status"], "cancelled");
    server.pass(Duration::from_millis(1));
    assert_eq!(count.load(Ordering::SeqCst), 1);
    assert_eq!(cancel()["resultType"], "complete");
    assert_eq!(server.update(&id, json!({}))["resultType"], "complete");
    assert_eq!(server.get(&id)["status"], "cancelled");
}

#[test]
fn a_task_is_known_for_an_hour_and_runs_no_longer() {
    let (server, count, _gate) = served();
    let (ended, runs) =
        (server.task("work", json!({"seconds": 5})), server.task("wait", json!({})));
    server.pass(Duration::from_secs(3_590));
    assert_eq!(server.get(&ended)["status"], "completed");
    assert_eq!(server.get(&runs)["status"], "working");
    server.pass(Duration::from_secs(20));
    assert_eq!(server.get(&ended)["code"], -32602);
    assert_eq!(server.get(&runs)["code"], -32602);
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[test]
fn above_the_bound_clients_wait_for_results() {
    let (server, _, _gate) = served();
    let ids: Vec<_> = (0..64).map(|_| server.task("wait", json!({}))).collect();
    assert_eq!(server.call("work", json!({"seconds": 5}))["content"][0]["text"], "5 seconds");
    assert_eq!(server.get(&ids[0])["status"], "working");
}

#[test]
fn a_server_says_how_long_tasks_are_known_and_how_many_run() {
    let registry = ToolRegistry::builder("toy").tools(tools![work]);
    let registry = registry.task_ttl(3 * HOUR).max_tasks(2).build().unwrap();
    let server = Server::of(registry);
    let arguments = json!({"seconds": 2 * HOUR.as_secs()});
    let ids = [(); 2].map(|()| server.task("work", arguments.clone()));
    assert_eq!(server.get(&ids[0])["ttlMs"], 10_800_000);
    // A third one would be too many.
    assert_eq!(server.call("work", json!({"seconds": 5}))["content"][0]["text"], "5 seconds");
    server.pass(2 * HOUR);
    assert_eq!(server.becomes(&ids[1], "completed")["ttlMs"], 10_800_000);
    server.pass(HOUR);
    assert_eq!(server.get(&ids[1])["code"], -32602);
}

#[test]
fn a_task_of_another_sender_is_unknown() {
    let (mut server, _, _gate) = served();
    server.owner = Some("ann");
    let id = server.task("wait", json!({}));
    server.owner = Some("bob");
    assert_eq!(server.get(&id)["code"], -32602);
    assert_eq!(server.update(&id, json!({}))["code"], -32602);
    assert_eq!(server.request("tasks/cancel", json!({"taskId": id}))["code"], -32602);
    server.owner = Some("ann");
    assert_eq!(server.get(&id)["status"], "working");
}

#[test]
fn tasks_end_as_calls_do() {
    let (server, _, _gate) = served();
    let id = server.task("must", json!({}));
    assert_eq!(server.becomes(&id, "completed")["result"]["isError"], true);
    let id = server.task("missing", json!({}));
    let task = server.becomes(&id, "failed");
    assert_eq!(task["error"]["code"], -32021);
    assert!(task["error"]["message"].is_string() && task["result"].is_null());
    let id = server.task("late", json!({}));
    let task = server.becomes(&id, "completed");
    let text = task["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(text, "The tool `late` was stopped: it did not finish within 10s.");
}

#[test]
fn a_plain_function_goes_on_as_a_task_too() {
    in_time(|| {
        let (server, _, gate) = served();
        let id = server.task("block", json!({}));
        assert_eq!(server.get(&id)["status"], "working");
        gate.send(()).unwrap();
        // Its thread ends at its own time.
        while server.get(&id)["status"] == "working" {
            std::thread::yield_now();
        }
        assert_eq!(server.get(&id)["result"]["content"][0]["text"], "passed");
    });
}

#[test]
fn the_end_of_a_session_ends_its_tasks_and_a_cancellation_of_its_request_does_not() {
    let (server, count, _gate) = served();
    let params = json!({"name": "wait", "arguments": {}});
    let (runner, said) = server.begin("tools/call", params);
    server.runtime.block_on(runner.idle());
    let begun: Value = serde_json::from_str(said.take().trim()).unwrap();
    let id = begun["result"]["taskId"].as_str().unwrap();
    let cancelled =
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    assert!(matches!(runner.receive(cancelled), Received::Nothing));
    server.pass(LONG);
    assert_eq!(server.get(id)["status"], "working");
    runner.close();
    server.pass(LONG);
    assert_eq!(count.load(Ordering::SeqCst), 1);
    let task = server.get(id);
    assert_eq!(
        task["result"]["content"][0]["text"],
        "The tool `wait` was stopped: the server is shutting down."
    );
    assert_eq!(said.take(), "");
}

#[test]
fn the_support_of_a_tool_is_known() {
    assert_eq!(work::tool().task(), Some(TaskSupport::Optional));
    assert_eq!(must::tool().task(), Some(TaskSupport::Required));
    let plain = Tool::new("plain", "", json!({"type": "object"}), async |_: Value, _: Context| ());
    assert_eq!(plain.task(), None);
    assert_eq!(plain.with_task(TaskSupport::Required).task(), Some(TaskSupport::Required));
}

#[test]
fn what_waits_for_the_hour_of_tasks_to_end_is_bounded() {
    let (server, _, _gate) = served();
    for _ in 0..250 {
        let id = server.task("wait", json!({}));
        server.request("tasks/cancel", json!({"taskId": id}));
    }
    server.pass(Duration::from_millis(1));
    let waiting = server.runtime.metrics().num_alive_tasks();
    assert!((192..200).contains(&waiting), "{waiting}");
}
