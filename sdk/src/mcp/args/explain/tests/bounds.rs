//! For any arguments, the description of the problems takes bounded time and has a bounded
//! length.

use serde_json::json;
use toolwright::Args;

use super::*;
use crate::mcp::schema::check::{self, Aliases, Decoded, Part, Reading};

/// What an expression is.
#[data]
#[serde(tag = "op", rename_all = "snake_case")]
enum Expr {
    Add { left: Box<Expr>, right: i32 },
    Sub { left: Box<Expr>, right: i32 },
    Mul { left: Box<Expr>, right: i32 },
    Value { value: i32 },
}

#[data]
struct Evaluation {
    expr: Expr,
    #[schemars(range(max = 10))]
    most: i32,
}

#[tool]
fn eval(Args(Evaluation { expr, most }): Args<Evaluation>) {
    let _ = (expr, most);
}

/// The same without a tag.
#[data]
#[serde(untagged)]
enum Tree {
    Left { next: Box<Tree>, left: i32 },
    Right { next: Box<Tree>, left: bool },
    Leaf(i32),
}

#[data]
struct Growth {
    tree: Tree,
    #[schemars(range(max = 10))]
    most: i32,
}

#[tool]
fn grow(Args(Growth { tree, most }): Args<Growth>) {
    let _ = (tree, most);
}

fn nested(levels: usize, innermost: &str, open: &str, close: &str) -> String {
    format!("{}{innermost}{}", open.repeat(levels), close.repeat(levels))
}

fn expr(levels: usize, innermost: &str) -> String {
    nested(levels, innermost, r#"{"op":"sub","left":"#, r#","right":1}"#)
}

#[test]
fn each_level_of_a_type_that_contains_itself_is_looked_at_once() {
    let good = expr(100, r#"{"op":"value","value":1}"#);
    assert!(is_taken(&eval::tool(), &format!(r#"{{"expr":{good},"most":1}}"#)));
    let bad = expr(60, r#"{"op":"value","value":"one"}"#);
    let pointer = format!("/expr{}/value", "/left".repeat(60));
    let expected =
        format!("Invalid arguments for `eval`:\n- {pointer}: expected integer, got string \"one\"");
    assert_eq!(refused(&eval::tool(), &format!(r#"{{"expr":{bad},"most":1}}"#)), expected);
    let unknown = expr(60, r#"{"op":"pow"}"#);
    assert!(
        refused(&eval::tool(), &format!(r#"{{"expr":{unknown},"most":1}}"#))
            .ends_with(r#"got string "pow""#)
    );
    assert!(
        refused(&eval::tool(), &format!(r#"{{"expr":{good},"most":11}}"#))
            .ends_with("/most: expected at most 10, got 11")
    );
}

#[test]
fn branches_that_a_look_at_the_members_tells_apart_are_not_gone_into() {
    let good = nested(15, "1", r#"{"next":"#, r#","left":true}"#);
    assert!(is_taken(&grow::tool(), &format!(r#"{{"tree":{good},"most":1}}"#)));
}

#[test]
fn comparing_alternatives_comes_to_an_end() {
    let schema = json!({
        "$ref": "#/$defs/tree",
        "$defs": {"tree": {"anyOf": [
            {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}, "one": {"type": "integer"}}},
            {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}, "two": {"type": "integer"}}},
            {"type": "integer"},
        ]}},
    });
    let text = nested(100, "true", r#"{"next":"#, "}");
    let decoded = Decoded::default();
    let value = Part::of(&text, &decoded).unwrap();
    let problems = check::problems(&schema, &value, Reading::Strict, Aliases::None);
    assert!(
        problems.iter().any(|problem| problem.text.contains("too many things")),
        "{problems:?}"
    );
}

#[test]
fn an_answer_names_so_many_problems_and_says_that_there_are_more() {
    for member in ["1", "1e999"] {
        let members: Vec<_> = (0..1_000).map(|at| format!(r#""x{at}":{member}"#)).collect();
        let said = refused(&add::tool(), &format!("{{{}}}", members.join(",")));
        assert_eq!(said.lines().count(), 52, "{said}");
        assert!(said.ends_with("\n- and more"), "{said}");
    }
    let twice = format!(r#"{{"a":1{}}}"#, r#","a":1"#.repeat(1_000));
    let expected =
        "Invalid arguments for `add`:\n- /b: missing, expected number\n- /a: given more than once";
    assert_eq!(refused(&add::tool(), &twice), expected);
}

#[test]
fn a_step_is_enforced() {
    #[data]
    struct Stay {
        #[schemars(extend("multipleOf" = 0.1))]
        hours: f64,
    }
    #[tool]
    fn park(Args(stay): Args<Stay>) {
        let _ = stay.hours;
    }
    assert!(is_taken(&park::tool(), r#"{"hours":0.3}"#));
    assert_eq!(
        refused(&park::tool(), r#"{"hours":0.25}"#),
        "Invalid arguments for `park`:\n- /hours: expected a multiple of 0.1, got 0.25"
    );
}
