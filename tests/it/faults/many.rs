//! Many runs at once, with one registry between them.

use serde_json::json;
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use toolwright::agent::{AgentClient, query};
use toolwright::{Json, ToolRegistry, tool, tools};

use super::fake::Fake;
use super::{Heard, call, result, rpc, within};

pub(super) const RUNS: u64 = 64;

/// Add two numbers.
#[tool(read_only)]
async fn add(a: u64, b: u64) -> u64 {
    tokio::task::yield_now().await;
    a + b
}

/// Multiplies on a thread.
#[tool(read_only)]
fn multiply(a: u64, b: u64) -> u64 {
    a * b
}

/// Cannot be done.
#[tool]
async fn fail() -> Result<String, String> {
    Err("no such luck".into())
}

/// Panics.
#[tool]
async fn boom() -> String {
    panic!("a bug")
}

/// Never comes back.
#[tool]
async fn hang() -> Json<()> {
    std::future::pending().await
}

pub(super) fn registry() -> ToolRegistry {
    ToolRegistry::builder("calc").tools(tools![add, multiply, fail, boom, hang]).build().unwrap()
}

/// A CLI that asks many things at once; `n` tells runs apart.
fn script(n: u64) -> Fake {
    let ids =
        ["add", "add2", "multiply", "fail", "boom", "nobody", "twice", "broken", "bad", "cancel"];
    Fake::initialized()
        .then("user")
        .ask("hang", call("calc", 10, "hang", json!({})))
        .ask("hang2", call("calc", 11, "hang", json!({})))
        .ask("twice", call("calc", 10, "add", json!({"a": 1, "b": 1})))
        .ask("add", call("calc", 12, "add", json!({"a": n, "b": 1000})))
        .ask("add2", call("calc", 13, "add", json!({"a": n, "b": 2000})))
        .ask("multiply", call("calc", 14, "multiply", json!({"a": n, "b": 3})))
        .ask("fail", call("calc", 15, "fail", json!({})))
        .ask("boom", call("calc", 16, "boom", json!({})))
        .ask("nobody", call("nobody", 17, "add", json!({})))
        .ask("broken", rpc("calc", json!({"jsonrpc": "1.0", "id": 18, "method": []})))
        .ask("bad", call("calc", 19, "add", json!({"a": "one"})))
        .say(json!({"type": "control_cancel_request", "request_id": "hang"}))
        .ask("cancel", rpc("calc", json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 11}})))
        .with("answers", ids.to_vec())
        .asks("again", call("calc", 10, "add", json!({"a": n, "b": 1})))
        .asks("again2", call("calc", 11, "add", json!({"a": n, "b": 2})))
        .then("report")
        .say(result())
}

async fn run(n: u64, registry: ToolRegistry) {
    let fake = script(n);
    let mut run =
        within(query("Go.", fake.options().mcp_server(registry).build().unwrap())).await.unwrap();
    let heard = Heard::of(&mut run).await;
    assert!(heard.error.is_none(), "{heard:?}");
    let report = heard.report();
    let text = |id: &str| {
        let answer = &report.answer(id)["response"]["mcp_response"]["result"];
        (
            answer["content"][0]["text"].as_str().unwrap_or_default().to_owned(),
            answer["isError"] == true,
        )
    };
    for (id, expected) in [
        ("add", n + 1000),
        ("add2", n + 2000),
        ("multiply", n * 3),
        ("again", n + 1),
        ("again2", n + 2),
    ] {
        assert_eq!(text(id), (expected.to_string(), false), "{id}");
    }
    assert_eq!(text("fail"), ("no such luck".to_owned(), true));
    assert!(text("boom").1);
    assert!(text("bad").1);
    assert_eq!(report.answer("nobody")["error"], "SDK MCP server not found: nobody");
    for id in ["twice", "broken"] {
        assert_eq!(report.answer(id)["response"]["mcp_response"]["error"]["code"], -32600, "{id}");
    }
    assert_eq!(report.answer("cancel")["response"]["mcp_response"]["result"], json!({}));
    assert_eq!(
        (report.answers("hang").len(), report.answers("hang2").len()),
        (0, 0),
        "what is cancelled is not answered"
    );
    fake.is_gone().await;
}

async fn all() {
    let registry = registry();
    let mut runs: JoinSet<_> = (0..RUNS).map(|n| run(n, registry.clone())).collect();
    while let Some(done) = within(runs.join_next()).await {
        done.unwrap();
    }
}

#[test]
fn runs_at_once_share_a_registry_on_one_thread() {
    Builder::new_current_thread().enable_all().build().unwrap().block_on(all());
}

#[test]
fn runs_at_once_share_a_registry_on_two_threads() {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(all());
}

#[tokio::test]
async fn a_change_of_the_tools_is_told_to_all_runs() {
    let registry = registry();
    let fake = Fake::initialized()
        .then("user")
        .asks("n", rpc("calc", json!({"jsonrpc": "2.0", "method": "notifications/initialized"})))
        .say(result())
        .with("control", "mcp_message")
        .with("reply", json!({}))
        .then("user")
        .then("report")
        .say(result());
    let mut clients = Vec::new();
    for _ in 0..8 {
        let options = fake.options().mcp_server(&registry).build().unwrap();
        let mut client = within(AgentClient::connect(options)).await.unwrap();
        client.query("Go.").await.unwrap();
        Heard::of_turn(&mut client).await;
        clients.push(client);
    }
    registry.remove("hang");
    for mut client in clients {
        client.query("And?").await.unwrap();
        let report = Heard::of_turn(&mut client).await.report();
        let told = report
            .of_type("control_request")
            .into_iter()
            .filter(|line| line["request"]["subtype"] == "mcp_message");
        let methods: Vec<_> =
            told.map(|line| line["request"]["message"]["method"].clone()).collect();
        assert_eq!(methods, ["notifications/tools/list_changed"]);
        within(client.close()).await;
    }
    fake.is_gone().await;
}
