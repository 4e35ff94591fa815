use std::future::pending;
use std::io;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::*;
use crate::agent::elicitation::{ElicitationAnswer, ElicitationRequest};
use crate::agent::transport::Outgoing;
use crate::{Context, Tool};

/// What was written for the CLI.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

#[async_trait]
impl Outgoing for Written {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(())
    }

    async fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

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
    channel.writer.end();
    let written = Written::default();
    channel.run(Box::new(written.clone())).await.unwrap();
    let written = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    let answer = |id: &str| {
        let is_its = |line: &&str| line.contains(&format!(r#""request_id":"{id}""#));
        written.lines().find(is_its).unwrap().to_owned()
    };
    let pong = r#"{"jsonrpc":"2.0","id":3,"result":{}}"#;
    assert!(answer("c").contains(&format!(r#"{{"mcp_response":[{pong},{pong}]}}"#)), "{written}");
    assert!(answer("d").contains(r#"{"mcp_response":{"jsonrpc":"2.0","result":{},"id":0}}"#));
}

/// The callback may hold what only the end of the run releases. The tool has asked in a task of its
/// own, which the end of its call does not end.
#[tokio::test]
async fn a_callback_that_a_server_has_asked_ends_with_the_run() {
    let (asked, ended) = (Arc::<Notify>::default(), Arc::<Notify>::default());
    let (begins, ends) = (asked.clone(), ended.clone());
    let callback = async move |question: ElicitationRequest| -> ElicitationAnswer {
        begins.notify_one();
        question.withdrawn.cancelled().await;
        ends.notify_one();
        question.cancel()
    };
    let ask = Tool::new("ask", "", json!({"type": "object"}), async |_: Value, cx: Context| {
        tokio::spawn(async move { drop(cx.confirm("Sure?").await) }).await.is_ok().to_string()
    });
    let registry = ToolRegistry::builder("toy").tool(ask).build().unwrap();
    let options = AgentOptions::builder().mcp_server(registry).on_elicitation(callback);
    let options = options.build().unwrap();
    let channel = Arc::new(Channel::default());
    let (jobs, run, running) = (Jobs::new(channel.clone()), RunRef::default(), Arc::default());
    let callbacks =
        Callbacks::new(channel.clone(), jobs.clone(), &options, run.clone(), Arc::clone(&running));
    let servers = Servers::new(&channel, &jobs, &Arc::new(callbacks), &options, &run, &running);
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}"#;
    servers.receive(channel.open("a", 1).unwrap().0, "toy", call);
    jobs.begin();
    let moment = Duration::from_secs(60);
    timeout(moment, asked.notified()).await.expect("the callback is not asked");
    servers.close();
    timeout(moment, ended.notified()).await.expect("the callback goes on");
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
