//! Clients that listen for tasks.

use std::future::IntoFuture;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use toolwright::{AskError, Context, ToolRegistry, tool, tools};

use super::scene::Said;
use super::server::Server;

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
    let mut told: Vec<_> = of_tasks
        .map(|message| {
            let task = &message["params"];
            let has = ["inputRequests", "result", "error"].map(|it| task.get(it).is_some());
            assert!(task["createdAt"].is_string() && task.get("resultType").is_none());
            assert_eq!(task["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
            json!([task["taskId"], task["status"], has])
        })
        .collect();
    told.dedup();
    told
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
