//! Clients that listen for tasks.

use std::future::IntoFuture;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use toolwright::host::{Limits, Runner, Shell};
use toolwright::mcp::{Host, Outbox};
use toolwright::{AskError, Context, ToolRegistry, tool, tools};

use super::scene::Said;
use super::server::Server;
use crate::mcp::protocol::{TaskState, Topic};

#[tool(task)]
async fn ask(cx: &Context) -> Result<String, AskError> {
    sleep(Duration::from_secs(5)).await;
    let sure = cx.confirm("Sure?").await?;
    sleep(Duration::from_secs(5)).await;
    Ok(format!("{sure}"))
}

#[tool(task)]
async fn hurry(cx: &Context) {
    sleep(Duration::from_secs(5)).await;
    let _ = timeout(Duration::from_secs(5), cx.confirm("Sure?").into_future()).await;
    sleep(Duration::from_secs(60)).await;
}

/// What was said of tasks since the last look, without their times: the subscription, the task's
/// status, and whether it has questions, a result and an error.
fn told(said: &Said) -> Vec<Value> {
    let messages = said.take();
    let messages = messages.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let of_tasks = messages.filter(|message| message["method"] == "notifications/tasks");
    of_tasks
        .map(|message| {
            let task = &message["params"];
            let has = ["inputRequests", "result", "error"].map(|it| task.get(it).is_some());
            assert!(task["createdAt"].is_string() && task.get("resultType").is_none());
            assert_eq!(task["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
            json!([task["taskId"], task["status"], has])
        })
        .collect()
}

#[test]
fn a_listener_is_told_of_its_own_tasks_only() {
    let registry = ToolRegistry::builder("toy").tools(tools![ask]).build().unwrap();
    let mut server = Server::of(registry);
    let id = server.task("ask", json!({}));
    let other = server.task("ask", json!({}));
    let listen = |server: &Server, ids: &[&str]| {
        server.begin("subscriptions/listen", json!({"notifications": {"taskIds": ids}}))
    };
    let (_runner, said) = listen(&server, &[&id, "unknown"]);
    let begun = said.take();
    assert!(begun.contains(&format!(r#""notifications":{{"taskIds":["{id}","unknown"]}}"#)));
    server.owner = Some("bob");
    let (_of_bob, not_said) = listen(&server, &[&id]);
    not_said.take();
    server.owner = None;

    let asked = server.becomes(&id, "input_required");
    let asks = json!([id, "input_required", [true, false, false]]);
    assert_eq!(told(&said), [asks]);
    let (key, _) = asked["inputRequests"].as_object().unwrap().iter().next().unwrap();
    server.update(&id, json!({key: {"action": "accept"}}));
    server.pass(Duration::from_secs(1));
    assert_eq!(told(&said), [json!([id, "working", [false, false, false]])]);
    server.becomes(&id, "completed");
    assert_eq!(told(&said), [json!([id, "completed", [false, true, false]])]);
    // It has ended already.
    server.request("tasks/cancel", json!({"taskId": id}));
    server.pass(Duration::from_secs(1));
    assert_eq!(told(&said), [] as [Value; 0]);

    let (_runner, said) = listen(&server, &[&other]);
    server.request("tasks/cancel", json!({"taskId": other}));
    assert_eq!(told(&said), [json!([other, "cancelled", [false, false, false]])]);
    // One that asks nothing.
    let quiet = server.task("ask", json!({}));
    let (_runner, said) = listen(&server, &[&quiet]);
    server.request("tasks/cancel", json!({"taskId": quiet}));
    assert_eq!(told(&said), [json!([quiet, "cancelled", [false, false, false]])]);
    assert_eq!(not_said.text(), "");
}

#[test]
fn a_listener_is_told_of_a_question_that_is_withdrawn() {
    let registry = ToolRegistry::builder("toy").tools(tools![hurry]).build().unwrap();
    let server = Server::of(registry);
    let id = server.task("hurry", json!({}));
    let listen = json!({"notifications": {"taskIds": [id]}});
    let (_runner, said) = server.begin("subscriptions/listen", listen);
    server.becomes(&id, "input_required");
    assert_eq!(told(&said), [json!([id, "input_required", [true, false, false]])]);
    server.pass(Duration::from_secs(10));
    assert_eq!(told(&said), [json!([id, "working", [false, false, false]])]);
}

#[test]
fn a_listener_is_told_of_a_task_that_ends_with_its_session() {
    let registry = ToolRegistry::builder("toy").tools(tools![ask]).build().unwrap();
    let server = Server::of(registry);
    let call = json!({"name": "ask", "arguments": {}});
    let (runner, begun) = server.begin("tools/call", call);
    let id = server.answer(&runner, &begun)["taskId"].take();
    let listen = json!({"notifications": {"taskIds": [id]}});
    let (_runner, said) = server.begin("subscriptions/listen", listen);
    said.take();
    runner.close();
    server.pass(Duration::from_secs(1));
    assert_eq!(told(&said), [json!([id, "completed", [false, true, false]])]);
}

fn becomes(task: &str, status: &str) -> Topic {
    let members = format!(r#""taskId":"{task}","status":"{status}","createdAt":"""#);
    Topic::Task(Arc::new(TaskState { id: task.into(), owner: None, members }))
}

fn to_a_and_b() -> Value {
    json!({"notifications": {"taskIds": ["a", "b"]}})
}

#[test]
fn a_listener_that_was_behind_is_told_no_older_state_after_a_newer_one() {
    let registry = ToolRegistry::builder("toy").tools(tools![ask]).build().unwrap();
    let server = Server::of(registry.clone());
    let (runner, said) = server.begin("subscriptions/listen", to_a_and_b());
    said.is_behind(true);
    registry.changed(&becomes("a", "input_required"));
    registry.changed(&becomes("b", "working"));
    // It has read, and the host says so a little later.
    said.is_behind(false);
    registry.changed(&becomes("a", "completed"));
    runner.resume();
    let none = [false; 3];
    assert_eq!(told(&said), [json!(["a", "completed", none]), json!(["b", "working", none])]);
}

/// Of two changes in short succession, both are told of once the second one is stored.
#[test]
fn a_state_is_told_once() {
    let registry = ToolRegistry::builder("toy").tools(tools![ask]).build().unwrap();
    let server = Server::of(registry.clone());
    let (_runner, said) = server.begin("subscriptions/listen", to_a_and_b());
    for (task, status) in [("a", "working"), ("b", "working"), ("a", "working"), ("a", "failed")] {
        registry.changed(&becomes(task, status));
    }
    let wanted = [("a", "working"), ("b", "working"), ("a", "failed")];
    let none = [false; 3];
    assert_eq!(told(&said), wanted.map(|(task, status)| json!([task, status, none])));
}

/// A client that is behind again after the first message, while something changes.
struct Slow {
    said: Said,
    registry: ToolRegistry,
    change: Arc<Mutex<Option<Topic>>>,
}

impl Shell for Slow {
    fn said(&self, outbox: &mut Outbox) {
        self.said.said(outbox);
    }

    fn flush(&self, _: &dyn Fn(Vec<u8>) -> Vec<u8>) {
        let change = self.change.lock().unwrap().take();
        if let Some(change) = change {
            self.said.is_behind(true);
            self.registry.changed(&change);
        }
    }

    fn is_behind(&self) -> bool {
        Shell::is_behind(&self.said)
    }
}

#[test]
fn a_listener_that_is_behind_again_is_told_the_newest_state() {
    let registry = ToolRegistry::builder("toy").tools(tools![ask]).build().unwrap();
    let server = Server::of(registry.clone());
    let (said, change) = (Said::default(), Arc::new(Mutex::new(None)));
    let shell = Slow { said: said.clone(), registry: registry.clone(), change: change.clone() };
    let runner = {
        let _context = server.runtime.enter();
        Runner::new(&registry, Host::Http, Outbox::new(), shell, Limits::default())
    };
    server.send(&runner, 1, "subscriptions/listen", to_a_and_b());
    said.is_behind(true);
    registry.changed(&becomes("a", "working"));
    registry.changed(&becomes("b", "working"));
    said.is_behind(false);
    *change.lock().unwrap() = Some(becomes("b", "completed"));
    runner.resume();
    let none = [false; 3];
    assert_eq!(told(&said), [json!(["a", "working", none])]);
    said.is_behind(false);
    runner.resume();
    assert_eq!(told(&said), [json!(["b", "completed", none])]);
}
