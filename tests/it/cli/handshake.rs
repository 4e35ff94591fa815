use serde_json::{Value, json};

use super::Era;
use super::scene::Scene;
use super::wire::VERSION_KEY;

#[tokio::test]
async fn modern_discovers_and_never_initializes() {
    let Some(messages) = connect(Era::Modern).await else { return };
    let methods = methods(&messages);
    // The first is the probe of a transport that does not know the era yet, the second the one of
    // the client that it then makes.
    assert_eq!(methods, ["server/discover", "subscriptions/listen", "server/discover"]);
    for message in &messages {
        let meta = &message["params"]["_meta"];
        assert_eq!(meta[VERSION_KEY], "2026-07-28");
        assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "claude-code");
        assert!(meta["io.modelcontextprotocol/clientCapabilities"].is_object());
    }
}

#[tokio::test]
async fn legacy_initializes_after_the_refusal() {
    let Some(messages) = connect(Era::Legacy).await else { return };
    let methods = methods(&messages);
    assert_eq!(methods, ["server/discover", "initialize", "notifications/initialized"]);
    assert_eq!(messages[0]["params"]["_meta"][VERSION_KEY], "2026-07-28");
    assert_eq!(messages[1]["id"], 0);
}

/// What the fixture received up to its first call. `None` when the program is not installed.
async fn connect(era: Era) -> Option<Vec<Value>> {
    let scene = Scene::open(era).await?;
    scene.call("add", json!({"a": 2, "b": 40})).say("It is 42.");
    scene.ask("What is 2 + 40?").await;
    Some(scene.wire.received())
}

/// The methods before the lists. The program asks for all lists at once, in any order, and then
/// calls the tool.
fn methods(messages: &[Value]) -> Vec<&str> {
    let methods: Vec<_> =
        messages.iter().map(|message| message["method"].as_str().unwrap()).collect();
    let (first, rest) = methods.split_at(3);
    let (call, lists) = rest.split_last().unwrap();
    let mut lists = lists.to_vec();
    lists.sort_unstable();
    assert_eq!(
        (lists, *call),
        (vec!["prompts/list", "resources/list", "tools/list"], "tools/call")
    );
    first.to_vec()
}
