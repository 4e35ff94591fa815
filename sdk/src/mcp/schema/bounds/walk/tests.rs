use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn found(schema: &Value, text: &str) -> Vec<Problem> {
    let plan = Plan::of(schema, schema).unwrap();
    let mut walk = Walk::new(&plan);
    let _ = walk.value(0, text);
    walk.found
}

/// Two alternatives at each of so many levels. Without a memory of what was found this needs 2^100
/// steps.
#[test]
fn alternatives_inside_alternatives_are_checked_once() {
    let schema = json!({
        "$ref": "#/$defs/tree",
        "$defs": {"tree": {"anyOf": [
            {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}, "one": {}}},
            {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}, "two": {}}},
            {"type": "integer", "maximum": 9},
        ]}},
    });
    let nested = |leaf: u8| format!("{}{leaf}{}", r#"{"next":"#.repeat(100), "}".repeat(100));
    assert_eq!(found(&schema, &nested(9)), []);
    let [problem] = &found(&schema, &nested(10))[..] else { panic!("not one problem") };
    assert_eq!(problem.pointer, "/next".repeat(100));
}

#[test]
fn an_alternative_without_bounds_takes_what_it_fits() {
    let schema = json!({"anyOf": [
        {"type": "object", "properties": {"a": {"maximum": 9}}, "required": ["a"]},
        {"type": "object", "properties": {"b": {"type": "integer"}}},
        {"type": "string", "maxLength": 1},
    ]});
    assert_eq!(found(&schema, r#"{"a":10}"#), []);
    assert_eq!(found(&schema, "[10]"), []);
    assert_eq!(found(&schema, r#""ab""#).len(), 1);
}

#[test]
fn a_bound_holds_beside_a_reference() {
    let schema = json!({
        "properties": {"a": {"$ref": "#/$defs/a~1b", "maximum": 9}},
        "$defs": {"a/b": {"type": "integer", "minimum": 1}},
    });
    assert_eq!(found(&schema, r#"{"a":5}"#), []);
    assert_eq!(found(&schema, r#"{"a":0}"#).len(), 1);
    assert_eq!(found(&schema, r#"{"a":10}"#).len(), 1);
    for schema in [json!({"$ref": "#/$defs/none"}), json!({"$ref": "#"})] {
        assert!(Plan::of(&schema, &schema).is_none(), "{schema}");
    }
}

#[test]
fn a_text_that_is_too_long_for_one_schema_is_matched_by_none() {
    let word = json!({"$ref": "#/$defs/word"});
    for mut schema in [
        json!({"$ref": "#/$defs/word", "maxLength": 3}),
        json!({"$ref": "#/$defs/chain", "pattern": "^[a-z]+$"}),
        json!({"allOf": [word, {"$ref": "#/$defs/chain"}]}),
        json!({"maxLength": 3, "anyOf": [word, {"type": "null"}]}),
        json!({"$ref": "#/$defs/chain", "anyOf": [word, {"type": "null"}]}),
    ] {
        schema["$defs"] = json!({
            "word": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 9},
            "chain": {"$ref": "#/$defs/short"},
            "short": {"maxLength": 3},
        });
        let [problem] = &found(&schema, r#""ABCD""#)[..] else { panic!("not one: {schema}") };
        assert_eq!(problem.text, "expected at most 3 characters, got 4", "{schema}");
        let [problem] = &found(&schema, r#""ABC""#)[..] else { panic!("not one: {schema}") };
        assert!(problem.text.starts_with("expected a match of"), "{schema}");
        assert_eq!(found(&schema, r#""abc""#), [], "{schema}");
    }
}

#[test]
fn what_has_no_bounds_has_no_plan() {
    for schema in [
        json!({}),
        json!(true),
        json!({"type": "object", "properties": {"a": {"type": "integer", "format": "uint8", "minimum": 0, "maximum": 255}}}),
        json!({"not": {"const": 0}, "format": "email", "description": "maximum"}),
        json!({"oneOf": [{"const": "A"}, {"properties": {"kind": {"const": "B"}}}]}),
        json!({"$ref": "#/$defs/E", "$defs": {"E": {"type": "string", "enum": ["A"]}}}),
    ] {
        assert!(Plan::of(&schema, &schema).is_none(), "{schema}");
    }
}

proptest! {
    /// Decoding has found the text to be JSON, but a check must not rely on it.
    #[test]
    fn no_text_stops_it(text in r#"([\[\]{}",:\\0-9aeE.+-]|\\u[0-9a-f]{0,4}|null|"a":){0,40}"#) {
        let part = json!({
            "minLength": 1, "pattern": "^a*$", "maximum": 9, "multipleOf": 0.5, "uniqueItems": true,
            "enum": [1, "a", [], {}], "maxProperties": 1, "minItems": 1,
        });
        let schema = json!({
            "properties": {"a": {"$ref": "#"}},
            "additionalProperties": part,
            "items": {"$ref": "#"},
            "$ref": "#",
            "allOf": [{"anyOf": [{"$ref": "#"}]}],
            "anyOf": [part, {"$ref": "#/additionalProperties"}],
        });
        let _ = found(&schema, &text);
    }
}
