use std::future::pending;

use serde_json::{Value, json};

use super::*;
use crate::{Context, Tool};

fn servers(channel: &Arc<Channel>, jobs: &Arc<Jobs>, registry: ToolRegistry) -> Servers {
    let options = AgentOptions::builder().mcp_server(registry).build().unwrap();
    let (run, running) = (RunRef::default(), Arc::default());
    let callbacks =
        Callbacks::new(channel.clone(), jobs.clone(), &options, run.clone(), Arc::clone(&running));
    Servers::new(channel, jobs, &Arc::new(callbacks), &options, &run, &running)
}

#[tokio::test]
async fn a_cancelled_control_request_leaves_nothing_behind() {
    let waits =
        Tool::new("waits", "", json!({"type": "object"}), |_: Value, _: Context| pending::<&str>());
    let registry = ToolRegistry::builder("toy").tool(waits).build().unwrap();
    let channel = Arc::new(Channel::default());
    let servers = servers(&channel, &Jobs::new(channel.clone()), registry);
    for id in ["a", "b"] {
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"waits"}}"#;
        servers.receive(channel.open(id, 1).unwrap().0, "toy", call);
        assert_eq!(servers.open().begun[0].route().calls(), 1);
        channel.cancel(id);
        assert_eq!(servers.open().begun[0].route().calls(), 0);
    }
    servers.close();
}

/// As `toggle_mcp_server` and `reconnect_mcp_server` make the CLI do.
#[tokio::test]
async fn a_server_that_is_connected_again_runs_no_call_of_before() {
    let waits =
        Tool::new("waits", "", json!({"type": "object"}), |_: Value, _: Context| pending::<&str>());
    let registry = ToolRegistry::builder("toy").tool(waits).build().unwrap();
    let channel = Arc::new(Channel::default());
    let servers = servers(&channel, &Jobs::new(channel.clone()), registry);
    let receive = |id: &str, message: &str| {
        servers.receive(channel.open(id, 1).unwrap().0, "toy", message);
    };
    let calls = || servers.open().begun[0].route().calls();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"waits","arguments":{"a":"initialize"}}}"#;
    receive("a", call);
    receive("b", &call.replace("\"id\":1", "\"id\":2"));
    assert_eq!(calls(), 2);
    receive(
        "c",
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
    );
    assert_eq!(calls(), 0);
    receive("d", call);
    assert_eq!(calls(), 1);
    for id in ["a", "b", "c"] {
        assert!(channel.open(id, 1).is_some(), "{id} is answered");
    }
    servers.close();
}

#[tokio::test]
async fn a_server_that_is_switched_off_runs_no_call() {
    let waits =
        Tool::new("waits", "", json!({"type": "object"}), |_: Value, _: Context| pending::<&str>());
    let registry = ToolRegistry::builder("toy").tool(waits).build().unwrap();
    let channel = Arc::new(Channel::default());
    let servers = servers(&channel, &Jobs::new(channel.clone()), registry);
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"waits"}}"#;
    servers.receive(channel.open("a", 1).unwrap().0, "toy", call);
    servers.switched_off("other");
    assert_eq!(servers.open().begun[0].route().calls(), 1);
    servers.switched_off("toy");
    assert_eq!(servers.open().begun[0].route().calls(), 0);
    assert!(channel.open("a", 1).is_some(), "it is answered");
    servers.close();
}

#[tokio::test]
async fn a_batch_is_answered_by_its_control_request() {
    let waits =
        Tool::new("waits", "", json!({"type": "object"}), |_: Value, _: Context| pending::<&str>());
    let quick =
        Tool::new("quick", "", json!({"type": "object"}), async |_: Value, _: Context| "done");
    let registry = ToolRegistry::builder("toy").tools([waits, quick]).build().unwrap();
    let channel = Arc::new(Channel::default());
    let jobs = Jobs::new(channel.clone());
    let servers = servers(&channel, &jobs, registry);
    let receive = |id: &str, message: &str| {
        servers.receive(channel.open(id, 1).unwrap().0, "toy", message);
    };
    receive(
        "a",
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}"#,
    );
    let call = |id: u32, tool: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}"}}}}"#
        )
    };
    receive("b", &format!("[{},{}]", call(1, "waits"), call(2, "quick")));
    assert_eq!(servers.open().begun[0].route().calls(), 1);
    let ping = r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#;
    receive("c", &format!("[{ping},{ping}]"));
    receive("d", r#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#);
    receive(
        "e",
        r#"[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}]"#,
    );
    receive("f", &format!("[{}]", call(4, "waits")));
    channel.cancel("f");
    for id in ["a", "c", "d", "e"] {
        assert!(channel.open(id, 1).is_some(), "{id} is answered");
    }
    assert_eq!(servers.open().begun[0].route().calls(), 1);
    servers.close();
    assert_eq!(servers.open().begun[0].route().calls(), 0);
}

#[tokio::test]
async fn servers_are_added_once_and_closed() {
    let registry = |name: &str| ToolRegistry::builder(name).build().unwrap();
    let (toy, other) = (registry("toy"), registry("other"));
    let channel = Arc::new(Channel::default());
    let servers = servers(&channel, &Jobs::new(channel.clone()), toy.clone());
    let added = || -> Vec<String> {
        servers.open().added.iter().map(|server| server.name().to_owned()).collect()
    };
    assert_eq!(servers.add(&[("toy", &toy), ("other", &other), ("other", &other)]), ["other"]);
    assert_eq!(added(), ["other"]);
    servers.keep(|name| name == "other");
    assert_eq!(added(), ["other"]);
    servers.keep(|_| false);
    assert!(added().is_empty() && servers.open().find("toy").is_some());
    servers.add(&[("other", &other)]);
    servers.close();
    assert!(servers.add(&[("other", &other)]).is_empty() && servers.open().running.is_none());
}
