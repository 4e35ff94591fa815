//! What a user's crate pulls in. A new dependency is an architecture change, so the counts are
//! bounds.

use std::collections::BTreeSet;
use std::process::Command;

/// The crates in the tree of a package, itself included.
fn tree(package: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--edges", "normal", "--prefix", "none", "--package", package])
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
    let crates = tree("toolwright");
    assert!(crates.len() <= 28, "{}: {crates:#?}", crates.len());
}

#[test]
fn the_stdio_server_stays_small() {
    let crates = tree("toolwright-stdio");
    assert!(crates.len() <= 55, "{}: {crates:#?}", crates.len());
}
