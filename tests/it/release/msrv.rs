//! The oldest compiler, and the one whose messages the tests of the macros expect. Whether the
//! oldest takes the sources is for the job `msrv` of the workflow to say.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use super::metadata::{PUBLISHED, members, metadata, name, packages, root};

/// `1.88` and `1.88.0`.
fn version(text: &str) -> (u32, u32) {
    let mut parts = text.split('.').map(|part| part.parse().unwrap());
    (parts.next().unwrap(), parts.next().unwrap())
}

fn promised() -> &'static str {
    let published = members().find(|package| name(package) == PUBLISHED[0]).unwrap();
    published["rust_version"].as_str().unwrap()
}

/// All that a user's build of the published packages takes in, with all features.
fn taken_in() -> BTreeSet<&'static str> {
    let nodes = metadata()["resolve"]["nodes"].as_array().unwrap();
    let published = members().filter(|package| PUBLISHED.contains(&name(package)));
    let mut open: Vec<&str> = published.map(|package| package["id"].as_str().unwrap()).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !found.insert(id) {
            continue;
        }
        let node = nodes.iter().find(|node| node["id"] == id).unwrap();
        let is_built =
            |kinds: &Value| kinds.as_array().unwrap().iter().any(|kind| kind["kind"] != "dev");
        for dependency in node["deps"].as_array().unwrap() {
            if is_built(&dependency["dep_kinds"]) {
                open.push(dependency["pkg"].as_str().unwrap());
            }
        }
    }
    found
}

#[test]
fn no_locked_dependency_needs_a_newer_compiler() {
    let (promised, taken_in) = (version(promised()), taken_in());
    assert!(taken_in.len() > 100, "{}: the test has gone blind", taken_in.len());
    for package in packages().filter(|package| taken_in.contains(package["id"].as_str().unwrap())) {
        let needed = package["rust_version"].as_str().map(version);
        let (name, at) = (name(package), &package["version"]);
        assert!(needed.is_none_or(|needed| needed <= promised), "{name} {at} needs {needed:?}");
    }
}

#[test]
fn every_page_and_job_names_the_same_compiler() {
    let promised = promised();
    for (file, says) in [
        (".github/workflows/ci.yml", format!("rustup toolchain install {promised} ")),
        (".github/workflows/ci.yml", format!("cargo +{promised} build ")),
        ("README.md", format!("Rust {promised} ")),
        ("sdk/README.md", format!("Rust {promised} ")),
        ("console/README.md", format!("Rust {promised} ")),
        ("mcp-stdio/README.md", format!("Rust {promised} ")),
        ("templates/server/Cargo.toml", format!("rust-version = \"{promised}\"")),
    ] {
        let text = fs::read_to_string(root().join(file)).unwrap();
        assert!(text.contains(&says), "{file} does not say {says:?}");
    }
    for package in members() {
        assert_eq!(package["rust_version"], promised, "{}", name(package));
    }
}

#[test]
fn the_workflow_compares_the_messages_of_the_macros() {
    let read = |file| fs::read_to_string(root().join(file)).unwrap();
    let (test, workflow) = (read("macros/tests/it/ui.rs"), read(".github/workflows/ci.yml"));
    let release =
        test.split_once("RELEASE: &str = \"rustc ").unwrap().1.split_once(".\"").unwrap().0;
    let checks = workflow.split("\n\n").find(|job| job.contains("  checks:\n")).unwrap();
    for says in ["toolchain install", "default"].map(|verb| format!("run: rustup {verb} {release}"))
    {
        assert!(checks.contains(&says), "the job `checks` does not say {says:?}");
    }
}
