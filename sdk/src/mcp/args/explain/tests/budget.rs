//! However large the arguments are, only so much of them is looked at to describe their problems.

use serde::Deserialize;
use toolwright::{Args, JsonSchema, Tool, Value, data, json, tool};

use super::{is_taken, refused};
use crate::mcp::schema::check::{Decoded, MOST_PARTS, Part};
use crate::scan::STEPS;

const MIB: usize = 1 << 20;

/// An object whose schema is recursive.
#[data]
struct Node {
    name: String,
    #[serde(default)]
    children: Vec<Node>,
}

#[tool]
fn tree(node: Node, deep: Option<bool>) -> usize {
    node.children.len() + node.name.len() + usize::from(deep.is_some())
}

#[tool]
fn whole(Args(node): Args<Node>) -> usize {
    node.children.len()
}

/// The parts that are looked at, and whether there are more.
fn parts(text: &str, taken: &[&str]) -> (usize, bool) {
    let decoded = Decoded { taken, ..Decoded::default() };
    let part = Part::of(text, &decoded).unwrap();
    (part.count(), part.is_cut())
}

fn wide(element: &str, bytes: usize) -> String {
    let mut list = format!("{element},").repeat(bytes / (element.len() + 1));
    list.pop();
    format!("[{list}]")
}

#[test]
fn only_so_many_parts_are_looked_at() {
    for bytes in [MIB / 2, 3 * MIB] {
        assert_eq!(parts(&wide("1", bytes), &[]), (MOST_PARTS, true));
        assert_eq!(parts(&wide("[[[[1]]]]", bytes), &[]), (MOST_PARTS, true));
        assert_eq!(parts(&wide(r#"{"a":[{}]}"#, bytes), &[]), (MOST_PARTS, true));
        let levels = bytes / 2;
        let deep = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        // Decoding refuses more levels than these.
        assert_eq!(parts(&deep, &[]), (130, false));
        let comb = format!(
            "{}1{}",
            "[1,".repeat(100),
            format!(",{}]", wide("1", bytes / 100)).repeat(100)
        );
        assert_eq!(parts(&comb, &[]), (MOST_PARTS, true));
    }
    assert_eq!(parts(r#"{"a":[1,{"b":null}]}"#, &[]), (5, false));
    let (small, text) = (wide("1", 1000), wide("1", MIB));
    // What decoding took is not looked into.
    assert_eq!(parts(&format!(r#"{{"a":{text},"b":{small}}}"#), &["a"]), (503, false));
    let long = format!(r#"{{"a":"{}"}}"#, "x".repeat(MIB));
    assert_eq!(parts(&long, &[]), (2, false));
}

#[test]
fn a_problem_is_found_behind_any_number_of_parts_that_are_right() {
    let list = wide(r#"{"name":"x"}"#, MIB / 2);
    let bad = format!(r#"{{"node":{{"children":{list},"name":1}}}}"#);
    assert_eq!(
        refused(&tree::tool(), &bad),
        "Invalid arguments for `tree`:\n- /node/name: expected string, got number 1"
    );
    let bad = format!(r#"{{"name":"a","children":{},{{}}]}}"#, list.strip_suffix(']').unwrap());
    let pointer = format!("/children/{}/name", list.matches('x').count());
    assert_eq!(
        refused(&whole::tool(), &bad),
        format!("Invalid arguments for `whole`:\n- {pointer}: missing, expected string")
    );
}

#[test]
fn what_is_cut_is_told_by_the_type() {
    let list = wide(r#"{"name":"x"}"#, MIB / 2);
    assert_eq!(
        refused(&tree::tool(), &format!(r#"{{"node":{{"other":{list}}}}}"#)),
        "Invalid arguments for `tree`:\n\
         - /node: missing field `name`\n\
         - too large to check every part of it"
    );
    // A problem within the parts that are looked at is described as ever.
    let bad = format!(r#"{{"node":{{"name":1,"children":{list}}}}}"#);
    assert_eq!(
        refused(&tree::tool(), &bad),
        "Invalid arguments for `tree`:\n\
         - /node/name: expected string, got number 1\n\
         - too large to check every part of it"
    );
}

#[test]
fn arguments_that_were_taken_cost_nothing() {
    let node = format!(r#"{{"name":"x","children":{}}}"#, wide(r#"{"name":"x"}"#, MIB / 2));
    assert!(is_taken(&tree::tool(), &format!(r#"{{"node":{node}}}"#)));
    assert_eq!(
        refused(&tree::tool(), &format!(r#"{{"node":{node},"deep":1}}"#)),
        "Invalid arguments for `tree`:\n- /deep: expected boolean, got number 1"
    );
}

#[test]
fn every_level_of_nested_arguments_is_described_at_once() {
    let (open, close) = (r#"{"name":"a","children":["#, "]}");
    let levels = 60;
    let bad = format!("{}{{\"name\":1}}{}", open.repeat(levels), close.repeat(levels));
    let pointer = format!("/node{}/name", "/children/0".repeat(levels));
    assert_eq!(
        refused(&tree::tool(), &format!(r#"{{"node":{bad}}}"#)),
        format!("Invalid arguments for `tree`:\n- {pointer}: expected string, got number 1")
    );
}

/// Megabytes are described in the time of a few passes, however deep they are nested.
#[test]
fn nested_arguments_are_not_scanned_again_for_each_level() {
    const LEVELS: usize = 100;
    let siblings = wide(r#"{"name":"x"}"#, 2 * MIB / LEVELS);
    let siblings = siblings.strip_prefix('[').unwrap();
    let nested = |inner: &str| {
        let open = r#"{"name":"a","children":["#.repeat(LEVELS);
        format!("{open}{inner}{}", format!(",{siblings}}}").repeat(LEVELS))
    };
    let good = nested(r#"{"name":"x"}"#);
    for (tool, arguments) in [
        (tree::tool(), format!(r#"{{"other":{good}}}"#)),
        (tree::tool(), format!(r#"{{"node":{good},"deep":1}}"#)),
        (tree::tool(), format!(r#"{{"node":{}}}"#, nested(r#"{"name":1}"#))),
        (tree::tool(), format!(r#"{{"node":{{"children":[{good}],"name":1}}}}"#)),
        (whole::tool(), nested("[]")),
        (whole::tool(), format!(r#"{{"children":[{good}]}}"#)),
    ] {
        let before = STEPS.get();
        refused(&tool, &arguments);
        let passes = (STEPS.get() - before) as f64 / arguments.len() as f64;
        assert!(passes < 2.0, "{passes} passes over {}", &arguments[..40]);
    }
}

/// An answer must not repeat megabytes of the call.
#[test]
fn an_answer_is_short_whatever_it_is_about() {
    let long = "ä".repeat(MIB / 8);
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(crate = "toolwright::__private::serde", try_from = "Value")]
    #[schemars(crate = "toolwright::__private::schemars")]
    struct Never;
    impl TryFrom<Value> for Never {
        type Error = String;
        fn try_from(value: Value) -> Result<Self, String> {
            Err(format!("{value} is wrong"))
        }
    }
    #[tool]
    fn never(it: Never) {
        let _ = it;
    }
    let by_hand =
        Tool::new("by_hand", "", json!({"type": "object"}), async |node: Node, _| node.name);
    for (tool, arguments) in [
        (tree::tool(), format!(r#"{{"{long}":1}}"#)),
        (tree::tool(), format!(r#"{{"{long}":1,"{long}":2}}"#)),
        (tree::tool(), format!(r#"{{"node":"{long}"}}"#)),
        (
            tree::tool(),
            format!(r#"{{"node":{{"name":{{"{long}":1}},"children":[{{"{long}":1}}]}}}}"#),
        ),
        (tree::tool(), format!(r#"{{"node":{{"name":{}}}}}"#, "1".repeat(MIB / 8))),
        (whole::tool(), format!(r#"{{"name":"{long}","name":1}}"#)),
        (never::tool(), format!(r#"{{"it":"{long}"}}"#)),
        (by_hand.clone(), format!(r#"{{"name":["{long}"]}}"#)),
        (by_hand, format!(r#"{{"name":"","children":"{long}"}}"#)),
    ] {
        let said = refused(&tool, &arguments);
        assert!(said.len() < 3_000, "{} bytes: {}", said.len(), &said[..1_000]);
    }
}
