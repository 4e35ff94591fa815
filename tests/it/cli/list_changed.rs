//! A tool that is added while the program runs.
//!
//! In the modern era the program sends `subscriptions/listen` with the id `"listen:0"` and
//! `{"toolsListChanged":true}` when the server's capabilities have `tools.listChanged`. In both
//! eras it answers the notification with a `tools/list` at once.

use serde_json::{Value, json};

use super::claude::Claude;
use super::scene::Scene;
use super::{Era, in_both_eras};

in_both_eras!(a_tool_added_at_run_time_is_callable_in_the_next_turn);

async fn a_tool_added_at_run_time_is_callable_in_the_next_turn(era: Era) {
    let Some(scene) = Scene::open(era).await else { return };
    let mut claude = scene.chat();
    let before = grow(&scene, &mut claude).await;
    assert!(!before.contains(&"mcp__fixture__fresh".to_owned()), "{before:?}");

    scene.call("fresh", json!({})).say("Used it.");
    let second = claude.turn("Now use it.").await;
    assert!(second.tools().contains(&"mcp__fixture__fresh"), "{:?}", second.tools());
    assert_eq!(second.result(), "Used it.");
    scene.end(claude).await;

    let results = scene.results();
    assert_eq!(results.len(), 3, "{results:?}");
    assert!(results.iter().all(|result| !result.is_error), "{results:?}");

    let methods = scene.wire.methods();
    let grown = position(&methods, "grow");
    let fresh = position(&methods, "fresh");
    assert!(methods[grown..fresh].iter().any(|method| method == "tools/list"), "{methods:?}");
    let notifications = scene.wire.notifications("notifications/tools/list_changed");
    assert_eq!(notifications.len(), 1, "{notifications:?}");

    let received = scene.wire.received();
    let listen = received.iter().find(|message| message["method"] == "subscriptions/listen");
    match era {
        Era::Modern => assert_subscription(&scene, listen.unwrap(), &notifications[0]),
        Era::Legacy => assert!(listen.is_none(), "{listen:?}"),
    }
}

/// The first turn: adds the tool, and then calls another one, so that the program has read the new
/// list before the turn ends.
async fn grow(scene: &Scene, claude: &mut Claude) -> Vec<String> {
    scene.call("grow", json!({})).call("add", json!({"a": 2, "b": 40})).say("Grown.");
    let first = claude.turn("Grow a tool.").await;
    assert_eq!(first.result(), "Grown.");
    first.tools().into_iter().map(str::to_owned).collect()
}

fn assert_subscription(scene: &Scene, listen: &Value, notification: &Value) {
    let wanted = json!({
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true
    });
    assert_eq!(listen["params"]["notifications"], wanted);
    let acknowledged = scene.wire.notifications("notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged.len(), 1, "{acknowledged:?}");
    for message in [&acknowledged[0], notification] {
        assert_eq!(
            message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], listen["id"],
            "{message}"
        );
    }
}

fn position(methods: &[String], wanted: &str) -> usize {
    methods
        .iter()
        .position(|method| method == wanted)
        .unwrap_or_else(|| panic!("no {wanted} in {methods:?}"))
}
