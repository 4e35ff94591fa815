use serde_json::json;

use super::scene::Scene;
use super::{Era, in_both_eras};

in_both_eras!(
    lists_the_tools_and_calls_one,
    a_failure_reaches_the_model,
    a_panic_leaves_the_server_usable
);

async fn lists_the_tools_and_calls_one(era: Era) {
    let Some(scene) = Scene::open(era).await else { return };
    scene.call("add", json!({"a": 2, "b": 40})).say("It is 42.");
    let run = scene.ask("What is 2 + 40?").await;

    assert_eq!(run.server_status("fixture"), "connected");
    for tool in ["mcp__fixture__add", "mcp__fixture__fail", "mcp__fixture__echo"] {
        assert!(run.tools().contains(&tool), "{tool} is not in {:?}", run.tools());
    }
    assert_eq!(run.result(), "It is 42.");
    let results = scene.results();
    assert_eq!(results.len(), 1);
    assert_eq!(results[0].text, "42");
    assert!(!results[0].is_error);
}

async fn a_failure_reaches_the_model(era: Era) {
    let Some(scene) = Scene::open(era).await else { return };
    scene.call("fail", json!({"message": "no such shelf"})).say("It failed.");
    scene.ask("Fail, please.").await;

    let results = scene.results();
    assert!(results[0].is_error);
    // The program appends the input schema of a deferred tool.
    assert!(results[0].text.starts_with("no such shelf"), "{}", results[0].text);
}

async fn a_panic_leaves_the_server_usable(era: Era) {
    let Some(scene) = Scene::open(era).await else { return };
    scene.call("panic", json!({})).call("add", json!({"a": 20, "b": 22})).say("Done.");
    scene.ask("Panic, then add.").await;

    let results = scene.results();
    assert!(results[0].is_error, "{results:?}");
    assert_eq!((results[1].text.as_str(), results[1].is_error), ("42", false));
    // The same process served both: a server that had died would have been started and asked again.
    let starts = scene
        .wire
        .received()
        .iter()
        .filter(|message| message["id"] == "server-discover-probe-1")
        .count();
    assert_eq!(starts, 1);
}
