//! Tasks whose server stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Notify;

use super::scene::{modern, rest, send_unjudged};
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
    let tasks = RedisTasks::connect(&url, "p").unwrap();
    let mut options = Options { tasks: Some(tasks), ..Options::default() };
    options.limits.task_after = Duration::ZERO;
    let service = Service::with(registry, options);
    let capabilities = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let meta = json!({"io.modelcontextprotocol/clientCapabilities": capabilities});
    let params = json!({"name": "ends", "arguments": {}, "_meta": meta});
    let begun = send_unjudged(&service, modern("tools/call", Some("ends"), &params)).await;
    let begun: Value = serde_json::from_str(&rest(begun.into_body()).await).unwrap();
    assert!(begun["result"]["taskId"].is_string(), "{begun}");
    if is_over {
        go.notify_one();
    }
    service.close(grace).await;
    said.load(Ordering::SeqCst)
}

#[tokio::test]
async fn a_service_stops_once_the_ends_of_its_tasks_are_stored() {
    assert_eq!(ends_that_are_said(1, true, Duration::from_secs(60)).await, 2);
    // It is stopped at the end of the grace.
    assert_eq!(ends_that_are_said(0, false, Duration::ZERO).await, 1);
}
