//! Notifications, progress and logs.

use serde_json::json;
use toolwright::testing::TestClient;
use toolwright::{Context, LoggingLevel, ToolRegistry, tool, tools};

#[tool]
async fn work(steps: u32, cx: &Context) {
    for step in 1..=steps {
        cx.progress_of(step.into(), steps.into(), format!("step {step}"));
    }
    cx.log(LoggingLevel::Debug, "worked");
    cx.log_as("worker", LoggingLevel::Error, json!({"steps": steps}));
}

#[tool]
async fn fresh() {}

#[tool]
async fn work_again() {}

/// Logs until it is cancelled.
#[tool]
fn chatter(cx: &Context) {
    while !cx.is_cancelled() {
        cx.log(LoggingLevel::Debug, "on");
    }
}

fn registry() -> ToolRegistry {
    ToolRegistry::builder("toy").tools(tools![work]).build().unwrap()
}

#[test]
fn progress_and_logs_arrive_before_the_result() {
    for modern in [false, true] {
        let mut client = TestClient::in_memory(&registry()).unwrap();
        client = if modern { client.modern() } else { client };
        client.call("work", json!({"steps": 2})).unwrap();
        assert_eq!(client.progress().unwrap(), [(1.0, 2.0, "step 1"), (2.0, 2.0, "step 2")]);
        let logs = client.logs().unwrap();
        assert_eq!(logs[0], (LoggingLevel::Debug, "worked"));
        assert_eq!(logs[1], (LoggingLevel::Error, json!({"steps": 2})));
        assert_eq!(logs[1].logger.as_deref(), Some("worker"));
        // What was taken is gone.
        assert!(client.progress().unwrap().is_empty());
        assert!(client.logs().unwrap().is_empty());
        assert!(client.notifications().unwrap().is_empty());
    }
}

#[test]
fn a_total_that_the_tool_does_not_know_is_zero() {
    #[tool]
    async fn count(cx: &Context) {
        cx.progress_of(3.0, 0.0, "files");
    }
    let registry = ToolRegistry::builder("toy").tools(tools![count]).build().unwrap();
    let mut client = TestClient::in_memory(&registry).unwrap();
    client.call("count", json!({})).unwrap();
    assert_eq!(client.progress().unwrap(), [(3.0, 0.0, "files")]);
}

#[test]
fn notifications_hold_what_was_not_taken() {
    let mut client = TestClient::in_memory(&registry()).unwrap();
    let id = client.start_call("work", json!({"steps": 1})).unwrap();
    client.finish_call(id).unwrap();
    client.logs().unwrap();
    let rest = client.notifications().unwrap();
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_eq!(rest[0]["params"]["progressToken"], id);
}

#[test]
fn an_answer_that_nobody_took_is_no_notification() {
    let mut client = TestClient::in_memory(&registry()).unwrap();
    let id = client.start_call("work", json!({"steps": 0})).unwrap();
    client.request("ping", json!({})).unwrap();
    client.logs().unwrap();
    assert!(client.notifications().unwrap().is_empty());
    assert!(client.finish_call(id).is_ok());
}

#[test]
fn a_change_of_the_tools_arrives() {
    let registry = registry();
    let mut client = TestClient::in_memory(&registry).unwrap();
    assert!(client.notifications().unwrap().is_empty());
    registry.add(fresh::tool()).unwrap();
    assert_eq!(client.list_tools().unwrap().len(), 2);
    registry.remove("fresh");
    let methods: Vec<_> =
        client.notifications().unwrap().iter().map(|message| message["method"].clone()).collect();
    assert_eq!(methods, ["notifications/tools/list_changed"; 2]);
    assert_eq!(client.list_tools().unwrap().len(), 1);
}

#[test]
fn a_list_is_read_to_its_last_page() {
    let tools = tools![work, fresh, work_again];
    let registry = ToolRegistry::builder("toy").tools(tools).page_size(2).build().unwrap();
    let mut client = TestClient::in_memory(&registry).unwrap();
    let page = client.request("tools/list", json!({})).unwrap();
    assert!(page["result"]["nextCursor"].is_string(), "all are on one page");
    assert_eq!(client.list_tools().unwrap().len(), 3);
}

#[test]
fn what_comes_without_end_is_taken_up_to_now() {
    let registry = ToolRegistry::builder("toy").tools(tools![chatter]).build().unwrap();
    let mut client = TestClient::in_memory(&registry).unwrap();
    client.start_call("chatter", json!({})).unwrap();
    // A second time it is in full swing.
    for _ in 0..2 {
        while client.logs().unwrap().is_empty() {
            std::thread::yield_now();
        }
    }
}
