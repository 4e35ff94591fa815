//! Tasks whose server is full or stops, or whose client leaves.

use std::future::pending;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use http::Request;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::yield_now;
use tokio::time::timeout;

use super::scene::{begin, frame, modern, rest, send_unjudged};
use crate::http::{Options, RedisTasks, Service, fake_redis};
use crate::{Context, TaskSupport, Tool, ToolRegistry};

/// Redis refuses the end of the task so often. Returns how often it was said.
async fn ends_that_are_said(refused: usize, is_over: bool, grace: Duration) -> usize {
    let said = Arc::new(AtomicUsize::new(0));
    let count = said.clone();
    // The last lines of the scripts, and what a connection begins with.
    let (url, _lines) = fake_redis::start(move |line| match line {
        "CLIENT" => "+OK\r\n",
        "redis.call('SET', KEYS[3], '1', 'PX', ARGV[2])" => ":1\r\n",
        "return answers" => "*1\r\n$0\r\n\r\n",
        "return redis.call('HGETALL', KEYS[1])" => "*0\r\n",
        line if line.starts_with("if ARGV[2] == '1'") => {
            match count.fetch_add(1, Ordering::SeqCst) < refused {
                true => "-LOADING Redis is loading the dataset in memory\r\n",
                false => ":1\r\n",
            }
        }
        _ => "",
    })
    .await;
    let go = Arc::new(Notify::new());
    let gate = go.clone();
    let ends =
        Tool::new("ends", "", json!({"type": "object"}), async move |_: Value, _: Context| {
            gate.notified().await;
        });
    let ends = ends.with_task(TaskSupport::Optional);
    let registry = ToolRegistry::builder("toy").tools([ends]).build().unwrap();
    let tasks = RedisTasks::open(&url, "p").unwrap();
    let mut options = Options { tasks: Some(tasks), ..Options::default() };
    options.limits.task_after = Duration::ZERO;
    let service = Service::with(registry, options);
    task(&service, "ends").await;
    if is_over {
        go.notify_one();
    }
    service.close(grace).await;
    said.load(Ordering::SeqCst)
}

/// A request of a client with tasks.
fn of_tasks(method: &str, name: Option<&str>, mut params: Value) -> Request<String> {
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
        json!({"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
    modern(method, name, &params)
}

/// Sends such a request. Returns the status and the result.
async fn ask(service: &Service, method: &str, name: &str, params: Value) -> (u16, Value) {
    let response = send_unjudged(service, of_tasks(method, Some(name), params)).await;
    let status = response.status().as_u16();
    let mut answer: Value = serde_json::from_str(&rest(response.into_body()).await).unwrap();
    (status, answer["result"].take())
}

async fn call(service: &Service, tool: &str) -> (u16, Value) {
    ask(service, "tools/call", tool, json!({"name": tool, "arguments": {}})).await
}

/// Calls a tool once there is room, and returns the id of the task that it becomes.
async fn task(service: &Service, tool: &str) -> String {
    for _ in 0..100 {
        let (status, begun) = call(service, tool).await;
        if status == 200 {
            return begun["taskId"].as_str().expect("a task").to_owned();
        }
        yield_now().await;
    }
    panic!("there is no room");
}

async fn about(service: &Service, method: &str, task: &str, mut params: Value) -> (u16, Value) {
    params["taskId"] = task.into();
    ask(service, method, task, params).await
}

/// A service with room for so many requests, and a tool that asks once it is told to.
fn asking(max_requests: usize) -> (Service, Arc<Notify>) {
    let go = Arc::new(Notify::new());
    let gate = go.clone();
    let schema = json!({"type": "object"});
    let asks = Tool::new("asks", "", schema, async move |_: Value, cx: Context| {
        gate.notified().await;
        cx.confirm("Sure?").key("sure").await.map(|sure| sure.to_string())
    });
    let asks = asks.with_task(TaskSupport::Required);
    let registry = ToolRegistry::builder("toy").tools([asks]).build().unwrap();
    let mut options = Options { max_requests, ..Options::default() };
    options.limits.task_after = Duration::ZERO;
    (Service::with(registry, options), go)
}

/// Waits until a task has this status, and returns it.
async fn becomes(service: &Service, task: &str, wanted: &str) -> Value {
    for _ in 0..100 {
        let (status, found) = about(service, "tasks/get", task, json!({})).await;
        assert_eq!(status, 200);
        if found["status"] == wanted {
            return found;
        }
        yield_now().await;
    }
    panic!("the task does not become {wanted}");
}

fn yes() -> Value {
    json!({"inputResponses": {"sure": {"action": "accept", "content": {"confirm": true}}}})
}

#[tokio::test]
async fn a_task_that_asks_can_be_answered_and_cancelled_by_a_server_that_is_full() {
    let (service, go) = asking(1);
    let first = task(&service, "asks").await;
    go.notify_one();
    assert_eq!(call(&service, "asks").await.0, 503);
    becomes(&service, &first, "input_required").await;
    assert_eq!(about(&service, "tasks/update", &first, yes()).await.0, 200);
    let ended = becomes(&service, &first, "completed").await;
    assert_eq!(ended["result"]["content"][0]["text"], "true", "{ended}");
    let second = task(&service, "asks").await;
    assert_eq!(about(&service, "tasks/cancel", &second, json!({})).await.0, 200);
    becomes(&service, &second, "cancelled").await;
    task(&service, "asks").await;
}

#[tokio::test]
async fn a_task_that_asks_can_be_answered_while_the_service_closes() {
    let (service, go) = asking(2);
    let task = task(&service, "asks").await;
    go.notify_one();
    becomes(&service, &task, "input_required").await;
    let mut closes = pin!(service.close(Duration::from_secs(60)));
    begin(closes.as_mut()).await;
    assert_eq!(call(&service, "asks").await.0, 503);
    assert_eq!(about(&service, "tasks/update", &task, yes()).await.0, 200);
    closes.await;
    becomes(&service, &task, "completed").await;
}

/// Tells that it is dropped.
struct Dropped(Arc<Notify>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_that_blocked_when_it_began_is_stopped_with_the_service() {
    let dropped = Arc::<Notify>::default();
    let drops = dropped.clone();
    let schema = json!({"type": "object"});
    let blocks = Tool::new("blocks", "", schema, move |_: Value, cx: Context| {
        let dropped = Dropped(drops.clone());
        async move {
            let _dropped = dropped;
            while !cx.talk().is_task() {
                std::thread::yield_now();
            }
            pending::<()>().await;
        }
    });
    let blocks = blocks.with_task(TaskSupport::Required);
    let registry = ToolRegistry::builder("toy").tools([blocks]).build().unwrap();
    let mut options = Options::default();
    options.limits.task_after = Duration::ZERO;
    let service = Service::with(registry, options);
    task(&service, "blocks").await;
    service.close(Duration::ZERO).await;
    timeout(Duration::from_secs(60), dropped.notified()).await.expect("it is stopped");
}

/// A task of another replica, which the client of this one cancels.
#[tokio::test]
async fn a_cancellation_is_told_although_its_client_leaves_at_once() {
    let is_cancelled = Arc::<AtomicBool>::default();
    let (url, _lines) = fake_redis::start(move |line| match line {
        "CLIENT" => "+OK\r\n",
        "return 1" => {
            is_cancelled.store(true, Ordering::SeqCst);
            ":1\r\n"
        }
        "return redis.call('HGETALL', KEYS[1])" => match is_cancelled.load(Ordering::SeqCst) {
            true => {
                "*6\r\n$7\r\ncreated\r\n$1\r\n1\r\n$7\r\nupdated\r\n$1\r\n1\r\n\
                 $6\r\nstatus\r\n$20\r\n\"status\":\"cancelled\"\r\n"
            }
            false => {
                "*6\r\n$7\r\ncreated\r\n$1\r\n1\r\n$7\r\nupdated\r\n$1\r\n1\r\n\
                 $6\r\nstatus\r\n$18\r\n\"status\":\"working\"\r\n"
            }
        },
        _ => "",
    })
    .await;
    let tasks = RedisTasks::open(&url, "p").unwrap();
    let none = async |_: Value, _: Context| "";
    let tool = Tool::new("none", "", json!({"type": "object"}), none);
    let tool = tool.with_task(TaskSupport::Optional);
    let registry = ToolRegistry::builder("toy").tools([tool]).build().unwrap();
    let options = Options { tasks: Some(tasks), ..Options::default() };
    let service = Service::with(registry, options);

    let wanted = json!({"notifications": {"taskIds": ["7"]}});
    let listen = of_tasks("subscriptions/listen", None, wanted);
    let mut listener = send_unjudged(&service, listen).await.into_body();
    let cancel = of_tasks("tasks/cancel", Some("7"), json!({"taskId": "7"}));
    begin(pin!(send_unjudged(&service, cancel))).await;
    let told = async { while !frame(&mut listener).await.unwrap().contains("cancelled") {} };
    timeout(Duration::from_secs(60), told).await.expect("it is told");
}

#[tokio::test]
async fn a_service_stops_once_the_ends_of_its_tasks_are_stored() {
    assert_eq!(ends_that_are_said(1, true, Duration::from_secs(60)).await, 2);
    // It is stopped at the end of the grace.
    assert_eq!(ends_that_are_said(0, false, Duration::ZERO).await, 1);
}
