//! What cargo says of this workspace and of all that it depends on.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

/// The packages that are published.
pub(super) const PUBLISHED: [&str; 4] =
    ["toolwright", "toolwright-console", "toolwright-macros", "toolwright-stdio"];

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// For the system that the tests were compiled on, so that nothing must be fetched.
pub(super) fn metadata() -> &'static Value {
    static METADATA: OnceLock<Value> = OnceLock::new();
    METADATA.get_or_init(|| {
        let said = String::from_utf8(run("rustc", &["-vV"])).unwrap();
        let host = said.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
        let words = ["metadata", "--format-version=1", "--all-features", "--offline", "--locked"];
        serde_json::from_slice(&cargo(&[&words[..], &["--filter-platform", host]].concat()))
            .unwrap()
    })
}

/// What a command of cargo prints.
pub(super) fn cargo(words: &[&str]) -> Vec<u8> {
    run(env!("CARGO"), words)
}

fn run(program: &str, words: &[&str]) -> Vec<u8> {
    let output = Command::new(program).args(words).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The packages of this workspace.
pub(super) fn members() -> impl Iterator<Item = &'static Value> {
    let members = metadata()["workspace_members"].as_array().unwrap();
    packages().filter(|package| members.contains(&package["id"]))
}

pub(super) fn packages() -> impl Iterator<Item = &'static Value> {
    metadata()["packages"].as_array().unwrap().iter()
}

pub(super) fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap()
}
