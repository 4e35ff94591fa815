//! A program of two crates whose registry has no list of tools.

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a test says by panicking that it failed")]

mod letters;

use std::collections::BTreeSet;

use toolwright::{Tool, ToolRegistry, json, tool, toolset};
// The second crate, which is only linked: nothing of it is used by name.
use toolwright_tests as _;

/// What a framework built on toolwright might do.
mod facade {
    pub(crate) use ::toolwright as tools_of_mine;
}

#[tool]
fn third() {}

#[cfg(any())]
#[tool]
fn absent() {}

#[tool]
#[cfg(not(any()))]
fn fourth() {}

#[tool(crate = crate::facade::tools_of_mine)]
async fn fifth(a: f64) -> f64 {
    -a
}

struct Set;

#[toolset]
impl Set {
    #[tool]
    fn of_a_set(&self) {}
}

#[rustfmt::skip]
#[tool(name = "sixth")] fn z() {}
#[tool(name = "seventh")]
fn y() {}

/// Generic and never called; the tool in it is collected all the same.
#[allow(dead_code, reason = "nothing needs to call it")]
fn body<T>(value: T) -> T {
    #[tool]
    fn eighth() {}

    value
}

macro_rules! pair {
    ($one:ident $other:ident) => {
        #[tool]
        fn $one() {}

        #[tool]
        fn $other() {}
    };
}

// At one place, so by their names.
pair!(tenth ninth);

const OWN: [&str; 10] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

fn names(registry: &ToolRegistry) -> Vec<String> {
    registry.tools().iter().map(|tool| tool.name().to_owned()).collect()
}

#[test]
fn all_tools_of_a_program_are_collected_in_source_order() {
    let registry = ToolRegistry::builder("all").collect().build().unwrap();
    let names = names(&registry);
    let (own, others) = names.split_at(OWN.len());
    assert_eq!(own, OWN);
    let position = |name| others.iter().position(|other| other == name).unwrap();
    // Of `fixture/everyday.rs`, then of `fixture/server.rs`.
    assert!(position("add") < position("grow"));
    assert!(position("grow") < position("fresh"));
    let different: BTreeSet<_> = names.iter().collect();
    assert_eq!(different.len(), names.len());
}

#[tokio::test]
async fn collected_tools_stand_beside_others() {
    let registry =
        ToolRegistry::builder("all").toolset(Set).tool(other()).collect().build().unwrap();
    assert_eq!(names(&registry)[..3], ["of_a_set", "other", "first"]);
    let result = registry.call("fifth", json!({"a": 2})).await.unwrap();
    assert_eq!(result.to_text(), "-2");
}

fn other() -> Tool {
    third::tool().with_name("other")
}
