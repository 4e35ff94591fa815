//! A crate outside of this workspace that depends on the two packages alone, in both editions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::json;

use super::Era;
use super::scene::Scene;
use crate::compiled::{self, target};

#[test]
fn a_newcomer_compiles_in_both_editions_and_pleases_pedantic_clippy() {
    let lints = ["-D", "warnings", "-D", "clippy::pedantic", "-A", "clippy::unused_async"];
    cargo(&[&["clippy", "--workspace", "--"], &lints[..]].concat());
}

#[tokio::test]
async fn claude_calls_the_tools_of_a_newcomer() {
    let Some(scene) = Scene::open(Era::Modern).await else { return };
    cargo(&["build", "--package", "newcomer-2024"]);
    let printed = Command::new(target().join("debug/newcomer-2024")).arg("config").output();
    let config = String::from_utf8(printed.unwrap().stdout).unwrap();

    let call = |tool: &str, input| scene.model.call(format!("mcp__calc__{tool}"), input);
    call("add", json!({"a": 42}));
    call("area_of_shape", json!({"shape": {"shape": "rectangle", "width": 2, "height": 3}}));
    call("notes_add", json!({"text": "buy milk"}));
    call("notes_search", json!({"query": "milk"}));
    call("length", json!({"x": 3, "y": 4}));
    call("translate", json!({"word": "milk"}));
    scene.say("Milch.");
    let run = scene.ask_with(config.trim_end(), "Measure, and remember the milk.").await;
    assert_eq!(run.result(), "Milch.");

    let results = scene.results();
    let results: Vec<_> = results.iter().map(|r| (r.text.as_str(), r.is_error)).collect();
    let expected = [
        ("42", false),
        ("{\"value\":6,\"unit\":\"m²\"}", false),
        ("1", false),
        ("[{\"id\":1,\"text\":\"buy milk\"}]", false),
        ("5 m", false),
        ("Milch", false),
    ];
    assert_eq!(results, expected);
}

/// Runs cargo in the newcomer's workspace, which has the versions of this one's lock file.
fn cargo(words: &[&str]) {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = tests.join("newcomer");
        fs::copy(tests.join("../Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        folder
    });
    let (command, rest) = words.split_first().unwrap();
    compiled::cargo(folder, command, rest);
}
