//! What a user's crate pulls in. A new dependency is an architecture change, so the counts are
//! bounds.

use std::collections::BTreeSet;
use std::process::Command;

/// The crates in the tree of a package with some features, itself included.
fn tree(package: &str, features: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--edges", "normal", "--prefix", "none", "--package", package])
        .args(["--features", features])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| line.trim_end_matches(" (*)").to_owned())
        .collect()
}

#[test]
fn the_tool_half_stays_small() {
    let crates = tree("toolwright", "");
    assert!(crates.len() <= 28, "{}: {crates:#?}", crates.len());
}

#[test]
fn the_stdio_server_stays_small() {
    let crates = tree("toolwright-stdio", "");
    assert!(crates.len() <= 40, "{}: {crates:#?}", crates.len());
}

#[test]
fn the_agent_stays_small() {
    let crates = tree("toolwright", "agent");
    assert!(crates.len() <= 42, "{}: {crates:#?}", crates.len());
}

#[test]
fn what_a_view_needs_comes_with_its_feature_only() {
    let of_a_view = |line: &String| line.starts_with("unicode-width v");
    let (agent, view) = (tree("toolwright", "agent"), tree("toolwright", "view"));
    let brought: Vec<_> = view.difference(&agent).collect();
    assert!(brought.len() == 1 && of_a_view(brought[0]), "{brought:#?}");
}

#[test]
fn redis_comes_with_its_feature_only() {
    let has_redis = |features| {
        let crates = tree("toolwright", features);
        crates.iter().any(|line| line.starts_with("redis v"))
    };
    assert!(!has_redis("agent,chrono,collect,jwt,scripted-model,url,uuid"));
    assert!(has_redis("redis"));
    let crates = tree("toolwright", "redis");
    assert!(crates.len() <= 95, "{}: {crates:#?}", crates.len());
}
