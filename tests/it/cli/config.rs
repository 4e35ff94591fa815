use std::process::Command;

use serde_json::json;

use super::scene::Scene;
use super::{Era, in_both_eras};

in_both_eras!(what_config_prints_starts_the_server);

/// `claude --mcp-config "$(fixture config)"`
async fn what_config_prints_starts_the_server(era: Era) {
    let Some(scene) = Scene::open(era).await else { return };
    let mut fixture = Command::new(env!("CARGO_BIN_EXE_fixture"));
    if era == Era::Legacy {
        fixture.arg("--legacy");
    }
    let printed = fixture.arg("config").output().unwrap();
    assert!(printed.status.success(), "{printed:?}");
    let config = String::from_utf8(printed.stdout).unwrap();

    scene.call("add", json!({"a": 2, "b": 40})).call("whoami", json!({})).say("It is 42.");
    // The shell takes the line feed off.
    let run = scene.ask_with(config.trim_end(), "What is 2 + 40?").await;
    assert_eq!(run.server_status("fixture"), "connected");
    assert_eq!(run.result(), "It is 42.");
    let results = scene.results();
    assert_eq!((results[0].text.as_str(), results[0].is_error), ("42", false));
    let version = if era == Era::Legacy { "2025-11-25" } else { "2026-07-28" };
    assert!(results[1].text.contains(version), "{}", results[1].text);
}
