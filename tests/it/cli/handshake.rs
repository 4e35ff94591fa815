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
    assert_eq!(
        methods,
        ["server/discover", "subscriptions/listen", "server/discover", "tools/list", "tools/call"]
    );
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
    assert_eq!(
        methods,
        ["server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call"]
    );
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

fn methods(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["method"].as_str().unwrap()).collect()
}
