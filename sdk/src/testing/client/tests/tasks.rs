//! Calls that go on as tasks.

use std::future::pending;
use std::io::ErrorKind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::yield_now;
use toolwright::testing::{Direction, TaskStatus, TestClient};
use toolwright::{AskError, Context, State, ToolRegistry, tool, tools};

use super::program;

/// How many calls of `hang` there are.
type Count = Arc<AtomicUsize>;

struct Counted(Count);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[tool(task)]
async fn quick() -> &'static str {
    "done"
}

#[tool(task)]
async fn slow(times: u32) -> u32 {
    for _ in 0..times {
        yield_now().await;
    }
    times
}

#[tool(task = "required")]
async fn fail() -> Result<(), &'static str> {
    yield_now().await;
    Err("it has failed")
}

#[tool(task)]
async fn roots(cx: &Context) -> Result<usize, AskError> {
    yield_now().await;
    Ok(cx.roots().await?.len())
}

/// Asks in a round, then twice at once in a task, and then once more.
#[tool(task)]
async fn ask(cx: &Context) -> Result<String, AskError> {
    let first = cx.confirm("First?").await?;
    yield_now().await;
    let one = async { cx.confirm("One?").await };
    let two = async { cx.confirm("Two?").await };
    let (one, two) = tokio::try_join!(one, two)?;
    Ok(format!("{first} {one} {two} {}", cx.confirm("Last?").await?))
}

#[tool(task)]
async fn hang(count: State<Count>) {
    count.fetch_add(1, Ordering::SeqCst);
    let _counted = Counted((*count).clone());
    pending::<()>().await;
}

/// A plain function that ends when the test says so.
#[tool(task)]
fn block(gate: State<Mutex<mpsc::Receiver<()>>>) -> &'static str {
    gate.lock().unwrap().recv().unwrap();
    "passed"
}

fn connected() -> (TestClient, Count, mpsc::Sender<()>) {
    let (count, (gate, passes)) = (Count::default(), mpsc::channel());
    let registry = ToolRegistry::builder("toy")
        .tools(tools![quick, slow, fail, roots, ask, hang, block])
        .state(count.clone())
        .state(Mutex::new(passes))
        .build()
        .unwrap();
    (TestClient::in_memory(&registry).unwrap().tasks(), count, gate)
}

#[test]
fn a_call_gives_the_result_of_its_task() {
    let (mut client, _, _gate) = connected();
    assert_eq!(client.call("quick", ()).unwrap().to_text(), "done");
    assert_eq!(client.call_as::<u32>("slow", json!({"times": 3})).unwrap(), 3);
    let (one, two) = (
        client.start_call("slow", json!({"times": 1})).unwrap(),
        client.start_call("slow", json!({"times": 2})).unwrap(),
    );
    assert_eq!(client.finish_call(two).unwrap().to_text(), "2");
    assert_eq!(client.finish_call(one).unwrap().to_text(), "1");
    assert_eq!(client.expect_error("fail", ()).unwrap(), "it has failed");
    let error = client.expect_error("roots", ()).unwrap();
    assert!(error.contains("roots"), "{error}");
    // What is on the wire is shown as it is.
    assert_eq!(client.call_tool("fail", json!({})).unwrap()["resultType"], "task");
    // The subscriptions were the client's own.
    assert_eq!(client.notifications().unwrap(), [json!(null); 0]);
}

#[test]
fn a_call_that_is_answered_is_no_task() {
    let (mut client, _, _gate) = connected();
    let error = client.task("quick", ()).unwrap_err().to_string();
    assert!(error.starts_with("the call was answered before it went on as a task: {"), "{error}");
    assert!(error.contains(r#""name":"quick""#), "{error}");
    let unknown = client.task("unknown", ()).unwrap_err().to_string();
    assert!(unknown.contains("Unknown tool: unknown"), "{unknown}");
}

#[test]
fn a_client_without_the_extension_gets_results() {
    let (mut client, _, _gate) = connected();
    client.answers.tasks = false;
    assert_eq!(client.call("slow", json!({"times": 3})).unwrap().to_text(), "3");
    let error = client.expect_error("fail", ()).unwrap();
    assert_eq!(error, "The client must declare the extension io.modelcontextprotocol/tasks");
    let error = client.task("slow", json!({"times": 3})).unwrap_err().to_string();
    assert!(error.contains("answered before it went on as a task"), "{error}");
}

#[test]
fn the_questions_of_a_task_are_answered() {
    let (mut client, _, _gate) = connected();
    let (asked, heard) = mpsc::channel();
    client
        .on_elicit(move |question| {
            asked.send(question.message().to_owned()).unwrap();
            match question.message() {
                "Two?" => question.decline(),
                _ => question.agree(),
            }
        })
        .unwrap();
    assert_eq!(client.call("ask", ()).unwrap().to_text(), "true true false true");
    assert_eq!(Vec::from_iter(heard.try_iter()), ["First?", "One?", "Two?", "Last?"]);
    assert_eq!(client.notifications().unwrap(), [json!(null); 0]);
}

#[test]
fn a_test_may_answer_by_itself() {
    let (mut client, _, _gate) = connected();
    client.on_elicit(|asked| asked.agree()).unwrap();
    let task = client.task("ask", ()).unwrap();
    let keys = |client: &mut TestClient| {
        assert_eq!(task.wait(client).unwrap(), TaskStatus::InputRequired);
        let state = task.get(client).unwrap();
        Vec::from_iter(state["inputRequests"].as_object().unwrap().keys().cloned())
    };
    let both = keys(&mut client);
    assert_eq!(both.len(), 2);
    task.update(&mut client, json!({&both[0]: {"action": "decline"}})).unwrap();
    assert_eq!(keys(&mut client), both[1..]);
    assert_eq!(task.result(&mut client).unwrap().to_text(), "true false true true");
    assert_eq!(task.status(&mut client).unwrap(), TaskStatus::Completed);
    assert_eq!(task.wait(&mut client).unwrap(), TaskStatus::Completed);
}

#[test]
fn a_question_that_the_client_does_not_answer_is_an_error() {
    let (mut client, _, _gate) = connected();
    client
        .on_elicit(|asked| match asked.message() {
            "First?" => asked.agree(),
            _ => asked.refuse(-1, "no"),
        })
        .unwrap();
    let task = client.task("ask", ()).unwrap();
    let error = task.result(&mut client).unwrap_err().to_string();
    assert!(error.starts_with("the task asks what the client does not answer: {"), "{error}");
    assert!(error.contains("One?") && error.contains(r#""name":"ask""#), "{error}");
    assert_eq!(task.status(&mut client).unwrap(), TaskStatus::InputRequired);
}

#[test]
fn a_cancelled_task_is_dropped_when_cancel_returns() {
    let (mut client, count, _gate) = connected();
    for _ in 0..50 {
        let task = client.task("hang", ()).unwrap();
        assert_eq!(task.status(&mut client).unwrap(), TaskStatus::Working);
        assert_eq!(count.load(Ordering::SeqCst), 1);
        task.cancel(&mut client).unwrap();
        assert_eq!(count.load(Ordering::SeqCst), 0);
        let error = task.result(&mut client).unwrap_err().to_string();
        assert!(error.starts_with("the task was cancelled\n"), "{error}");
        task.cancel(&mut client).unwrap();
    }
    let ended = client.task("slow", json!({"times": 1})).unwrap();
    ended.result(&mut client).unwrap();
    let error = ended.cancel(&mut client).unwrap_err().to_string();
    assert!(error.starts_with("the task had ended before it was cancelled: {"), "{error}");
}

#[test]
fn the_end_of_the_session_ends_its_tasks() {
    let (mut client, count, _gate) = connected();
    let task = client.task("hang", ()).unwrap();
    assert_eq!(task.id().len(), 32);
    client.close().unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 0);
}

#[test]
fn changes_of_a_task_are_heard() {
    let (mut client, _, _gate) = connected();
    client.on_elicit(|asked| asked.agree()).unwrap();
    let task = client.task("ask", ()).unwrap();
    task.listen(&mut client).unwrap();
    task.result(&mut client).unwrap();
    let heard = client.notifications().unwrap();
    assert_eq!(heard[0]["params"]["notifications"]["taskIds"], json!([task.id()]));
    let told = |message: &Value| (message["method"].clone(), message["params"]["status"].clone());
    let last = heard.last().map(told).unwrap();
    assert_eq!(last, (json!("notifications/tasks"), json!("completed")));
}

#[test]
fn what_a_test_listens_for_is_not_taken_by_a_wait() {
    let (mut client, _, gate) = connected();
    let task = client.task("block", ()).unwrap();
    task.listen(&mut client).unwrap();
    // It ends once the wait has seen that it works.
    let mut client = client.watch(move |direction, line| {
        if direction == Direction::ToClient && line.contains(r#""status":"working""#) {
            gate.send(()).unwrap();
        }
    });
    assert_eq!(task.wait(&mut client).unwrap(), TaskStatus::Completed);
    let heard = client.notifications().unwrap();
    let methods = Vec::from_iter(heard.iter().map(|message| message["method"].clone()));
    assert_eq!(methods, ["notifications/subscriptions/acknowledged", "notifications/tasks"]);
}

#[test]
fn a_plain_function_goes_on_as_a_task() {
    let (mut client, _, gate) = connected();
    let task = client.task("block", ()).unwrap();
    assert_eq!(task.status(&mut client).unwrap(), TaskStatus::Working);
    gate.send(()).unwrap();
    assert_eq!(task.result(&mut client).unwrap().to_text(), "passed");
}

#[test]
fn the_timeout_is_one_of_each_change() {
    let (mut client, _, _gate) = connected();
    let task = client.task("hang", ()).unwrap();
    let (said, lines) = mpsc::channel();
    let watch = move |_, line: &str| said.send(line.to_owned()).unwrap();
    let mut client = client.watch(watch).timeout(Duration::from_millis(50));
    assert_eq!(task.wait(&mut client).unwrap_err().kind(), ErrorKind::TimedOut);
    // The client no longer listens.
    assert!(lines.try_iter().any(|line| line.contains("notifications/cancelled")));
}

#[test]
fn a_ping_during_the_wait_for_a_task_is_answered() {
    let answer = |id: u64, result: Value| json!({"jsonrpc": "2.0", "id": id, "result": result});
    let ping = json!({"jsonrpc": "2.0", "id": 0, "method": "ping"});
    let note = json!({"jsonrpc": "2.0", "method": "notifications/message"});
    let changed = json!({
        "jsonrpc": "2.0", "method": "notifications/tasks",
        "params": {"_meta": {"io.modelcontextprotocol/subscriptionId": 1}},
    });
    let result = json!({"content": [{"type": "text", "text": "done"}]});
    let lines = [
        answer(0, json!({"resultType": "task", "taskId": "t"})).to_string(),
        note.to_string(),
        format!("{}\n{ping}", answer(2, json!({"status": "working", "pollIntervalMs": 60_000}))),
        // It comes once the ping was answered.
        changed.to_string(),
        answer(3, json!({"status": "completed", "result": result})).to_string(),
        note.to_string(),
        answer(4, json!({})).to_string(),
    ];
    let mut client = program(lines).tasks();
    let task = client.task("build", ()).unwrap();
    assert_eq!(task.result(&mut client).unwrap().to_text(), "done");
}
