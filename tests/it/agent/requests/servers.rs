use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Notify;
use toolwright::Context;
use toolwright::agent::options::McpServer;
use toolwright::agent::requests::McpCall;
use toolwright::agent::{AgentClient, ControlError, Permission, PermissionMode, PermissionRequest};

use super::{Scene, connect, say, within};
use crate::agent::calc;

fn fixture(name: &str) -> McpServer {
    McpServer::stdio(name, env!("CARGO_BIN_EXE_fixture"))
}

async fn statuses(client: &AgentClient) -> Vec<(String, String)> {
    let servers = within(client.mcp_status()).await.unwrap();
    servers.into_iter().map(|server| (server.name, server.status)).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, status)| ((*name).to_owned(), (*status).to_owned())).collect()
}

fn refusal<T: std::fmt::Debug>(answer: Result<T, ControlError>) -> String {
    match answer.unwrap_err() {
        ControlError::Refused { message, .. } => message,
        error => panic!("{error:?}"),
    }
}

#[tokio::test]
async fn servers_come_go_and_come_back() {
    let Some(scene) = Scene::open().await else { return };
    let client = connect(scene.options().mcp_server(fixture("one"))).await;
    within(client.reconnect_mcp_server("one")).await.unwrap();
    assert_eq!(statuses(&client).await, pairs(&[("one", "connected")]));
    within(client.toggle_mcp_server("one", false)).await.unwrap();
    assert_eq!(statuses(&client).await, pairs(&[("one", "disabled")]));
    within(client.toggle_mcp_server("one", true)).await.unwrap();

    let set = within(client.set_mcp_servers([fixture("two")])).await.unwrap();
    assert_eq!((set.added, set.removed, set.errors.len()), (vec!["two".to_owned()], vec![], 0));
    assert_eq!(statuses(&client).await, pairs(&[("one", "connected"), ("two", "connected")]));
    let set = within(client.set_mcp_servers(Vec::<McpServer>::new())).await.unwrap();
    assert_eq!(set.removed, ["two"]);
    assert_eq!(statuses(&client).await, pairs(&[("one", "connected")]));

    for error in [
        refusal(within(client.reconnect_mcp_server("none")).await),
        refusal(within(client.toggle_mcp_server("none", true)).await),
    ] {
        assert_eq!(error, "Server not found: none");
    }
    let auto = Some(PermissionMode::Auto);
    let set = within(client.set_mcp_permission_mode_override("one", auto.clone())).await;
    assert_eq!(set.unwrap(), None);
    assert_eq!(within(client.set_mcp_permission_mode_override("one", None)).await.unwrap(), None);
    let warning = within(client.set_mcp_permission_mode_override("none", auto)).await.unwrap();
    assert!(warning.unwrap().contains("'none' is not yet known"));
    within(client.close()).await;
}

#[tokio::test]
async fn a_registry_is_added_and_taken_away() {
    let Some(scene) = Scene::open().await else { return };
    let mut client = connect(scene.options().allowed_tools(["mcp__calc__*"])).await;
    let set = within(client.set_mcp_servers([calc::registry()])).await.unwrap();
    assert_eq!((set.added, set.errors.len()), (vec!["calc".to_owned()], 0));
    scene.model.call("mcp__calc__add", json!({"a": 2, "b": 40})).say("It is 42.");
    let heard = say(&mut client, "What is 2 + 40?").await;
    assert_eq!(heard.tool_results()[0].content.text(), "42");
    assert_eq!(statuses(&client).await, pairs(&[("calc", "connected")]));
    // What is there already stays.
    within(client.set_mcp_servers([calc::registry()])).await.unwrap();
    scene.model.call("mcp__calc__add", json!({"a": 20, "b": 3})).say("It is 23.");
    let heard = say(&mut client, "What is 20 + 3?").await;
    assert_eq!(heard.tool_results()[0].content.text(), "23");

    let set = within(client.set_mcp_servers(Vec::<McpServer>::new())).await.unwrap();
    assert_eq!(set.removed, ["calc"]);
    assert_eq!(statuses(&client).await, pairs(&[]));
    within(client.close()).await;
}

/// Of the servers that a run began with, the CLI takes those of this program away unless they are
/// named again.
#[tokio::test]
async fn a_registry_of_the_options_stays_when_others_come_and_go() {
    let Some(scene) = Scene::open().await else { return };
    let options = scene.options().mcp_server(calc::registry()).mcp_server(fixture("one"));
    let mut client = connect(options.allowed_tools(["mcp__calc__*"])).await;
    let set = within(client.set_mcp_servers([fixture("two")])).await.unwrap();
    assert_eq!((set.added, set.removed, set.errors.len()), (vec!["two".to_owned()], vec![], 0));
    scene.model.call("mcp__calc__add", json!({"a": 2, "b": 40})).say("It is 42.");
    let heard = say(&mut client, "What is 2 + 40?").await;
    assert_eq!(heard.tool_results()[0].content.text(), "42");

    within(client.toggle_mcp_server("calc", false)).await.unwrap();
    let set = within(client.set_mcp_servers(Vec::<McpServer>::new())).await.unwrap();
    assert_eq!(set.removed, ["two"]);
    let mut left = statuses(&client).await;
    left.sort();
    assert_eq!(left, pairs(&[("calc", "disabled"), ("one", "connected")]));
    within(client.close()).await;
}

/// The CLI counts its requests to a server that it connects to again from the beginning.
#[tokio::test]
async fn a_registry_that_comes_back_answers_beside_a_call_from_before() {
    let Some(scene) = Scene::open().await else { return };
    let (begun, gone) = (Arc::<Notify>::default(), Arc::<Notify>::default());
    let (told, tells) = (begun.clone(), gone.clone());
    let wait = calc::reader("wait", async move |_: Value, _: Context| {
        let _tells = Tells(tells);
        told.notify_one();
        std::future::pending::<&str>().await
    });
    let options = scene.options().mcp_server(calc::with([wait])).allowed_tools(["mcp__calc__*"]);
    let client = connect(options).await;
    scene.model.call("mcp__calc__wait", json!({})).say("It has gone.");
    let turn = within(client.ask("Wait.")).await.unwrap();
    within(begun.notified()).await;
    within(client.toggle_mcp_server("calc", false)).await.unwrap();
    within(gone.notified()).await;
    within(client.toggle_mcp_server("calc", true)).await.unwrap();
    within(turn.finish()).await.unwrap();

    scene.model.call("mcp__calc__add", json!({"a": 2, "b": 40})).say("It is 42.");
    within(client.ask("What is 2 + 40?").await.unwrap().finish()).await.unwrap();
    assert_eq!(scene.results().last().unwrap().text, "42", "{:#?}", scene.results());
    within(client.close()).await;
}

#[tokio::test]
async fn tools_and_views_are_used_without_the_model() {
    let Some(scene) = Scene::open().await else { return };
    let options = scene.options().mcp_server(fixture("one")).can_use_tool(
        async |request: PermissionRequest| match request.tool_name.as_str() {
            "mcp__one__add" => Permission::allow(),
            _ => Permission::deny("not that"),
        },
    );
    let client = connect(options).await;
    let add = || McpCall::new("mcp__one__add", json!({"a": 2, "b": 40}));
    assert_eq!(within(client.mcp_call(add())).await.unwrap().text(), "42");
    let asked = add().check_permissions().result_not_for_model().timeout(Duration::from_secs(30));
    let answer = within(client.mcp_call(asked)).await.unwrap();
    assert_eq!(answer.text(), "42");
    assert!(answer.member("staging").is_some());

    let whoami = McpCall::new("mcp__one__whoami", json!({}));
    let denied = within(client.mcp_call(whoami.clone().check_permissions())).await;
    assert!(refusal(denied).contains("not that"));
    let wrong = || McpCall::new("mcp__one__add", json!({"a": "two"}));
    refusal(within(client.mcp_call(wrong())).await);
    // With a time-out of its own, the CLI answers a failure as a success.
    let late = wrong().timeout(Duration::from_secs(30));
    let ControlError::Refused { code, .. } = within(client.mcp_call(late)).await.unwrap_err()
    else {
        panic!("not refused")
    };
    assert_eq!(code.as_deref(), Some("tool_error"));
    let nowhere = McpCall::new("mcp__two__add", json!({}));
    assert_eq!(refusal(within(client.mcp_call(nowhere)).await), "MCP server not connected: two");

    let view = within(client.mcp_read_resource("one", VIEW)).await.unwrap();
    assert!(view[0].text.as_ref().unwrap().contains("A view"), "{view:?}");
    let other = within(client.mcp_read_resource("one", "test://static-text")).await;
    assert!(refusal(other).contains("ui://"));
    within(client.close()).await;
}

const VIEW: &str = "ui://fixture/view";

/// Tells when it is dropped.
struct Tells(Arc<Notify>);

impl Drop for Tells {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}
