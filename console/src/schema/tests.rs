use serde_json::json;

use super::*;

#[test]
fn the_types_of_a_schema_are_found() {
    let root = json!({
        "$defs": {
            "op": {"type": "string", "enum": ["eq", "ne"]},
            "Größe": {"type": "integer"},
            "tree": {"anyOf": [{"$ref": "#/$defs/tree"}, {"type": "array"}]},
        },
    });
    for (part, words) in [
        (json!({}), "JSON"),
        (json!(true), "JSON"),
        (json!({"type": "string"}), "string"),
        (json!({"type": "integer", "minimum": 0}), "integer"),
        (json!({"type": ["integer", "null"]}), "integer"),
        (json!({"anyOf": [{"type": "integer"}, {"type": ["number", "null"]}]}), "number"),
        (json!({"type": ["number", "null"]}), "number"),
        (json!({"anyOf": [{"type": "string"}, {"type": "boolean"}]}), "string or boolean"),
        (json!({"allOf": [{"type": ["string", "array"]}, {"type": "array"}]}), "array"),
        (json!({"$ref": "#/$defs/none", "type": "object"}), "object"),
        (json!({"$ref": "elsewhere.json"}), "JSON"),
        (json!({"$ref": "#/$defs/tree"}), "JSON"),
        (json!({"$ref": "#/$defs/Gr%C3%B6%c3%9fe"}), "integer"),
        (json!({"$ref": "#/$defs/100%"}), "JSON"),
        (json!({"$ref": "#/$defs/%FF"}), "JSON"),
        (json!({"$ref": "#/$defs/op"}), "string"),
        (json!({"enum": [1, "x", null]}), "string or number"),
        (json!({"anyOf": [{"const": "all"}, {"type": "integer"}]}), "string or integer"),
    ] {
        assert_eq!(kinds(&[Schema { root: &root, part: &part }]), words, "{part}");
    }
    for (part, choices) in [
        (json!({"$ref": "#/$defs/op"}), "eq ne"),
        (json!({"enum": [1, "x", null]}), "1 x null"),
        (json!({"const": {}}), "{}"),
        (json!({"oneOf": [{"const": "a"}, {"const": "b"}]}), "a b"),
        (json!({"anyOf": [{"const": "all"}, {"type": "integer"}]}), ""),
        (json!({"anyOf": [{"const": "all"}, {"type": "string"}]}), ""),
        (json!({"anyOf": [{"const": "all"}, {"type": "string", "minLength": 9}]}), ""),
        (json!({"anyOf": [{"$ref": "#/$defs/op"}, {"const": "all"}]}), "eq ne all"),
        (json!({"allOf": [{"$ref": "#/$defs/op"}, {"description": "Which?"}]}), "eq ne"),
        (json!({"type": "string", "enum": ["a"], "allOf": [{"minLength": 1}]}), "a"),
        (json!({"$ref": "#/$defs/op", "anyOf": [{}, {"minLength": 1}]}), "eq ne"),
        (json!({"type": "string"}), ""),
    ] {
        let schema = Schema { root: &root, part: &part };
        assert_eq!(schema.choices().join(" "), choices, "{part}");
    }
}

#[test]
fn branches_that_double_at_each_reference_end() {
    let link = |at: usize| {
        let next = json!({"$ref": format!("#/$defs/{}", at + 1)});
        (at.to_string(), json!({"anyOf": [next, next]}))
    };
    let root = json!({"$defs": Map::from_iter((0..10_000).map(link))});
    let schema = Schema { root: &root, part: &root["$defs"]["0"] };
    assert_eq!((kinds(&[schema]), schema.choices()), ("JSON".into(), Vec::new()));
    assert!(schema.required(&mut Vec::new(), &mut { MOST_PARTS }).is_empty());
}

#[test]
fn members_are_found_behind_references_and_in_branches() {
    let root = json!({
        "$defs": {"page": {
            "description": "A part.",
            "properties": {"size": {"type": "integer"}},
            "required": ["size"],
        }},
        "properties": {"page": {"$ref": "#/$defs/page"}, "a": {}},
        "oneOf": [
            {"properties": {"b": {"type": "null"}}, "additionalProperties": {"type": "string"}},
        ],
    });
    let schema = Schema::of(&root);
    assert_eq!(schema.keys(), [("page", false), ("a", false), ("b", false)]);
    let page = schema.member("page").unwrap();
    assert_eq!((page.about(), page.keys()), ("A part.", vec![("size", true)]));
    assert_eq!(page.kinds_of("size"), "integer");
    assert!(schema.member("c").is_none());
    assert_eq!(schema.types_of("c"), Types::STRING);
    assert_eq!(page.types_of("c"), Types::ALL);
}

#[test]
fn a_member_of_several_branches_is_one() {
    let root = json!({
        "oneOf": [
            {"properties": {"by": {"const": "cash"}}, "required": ["by"]},
            {
                "properties": {"by": {"const": "card"}, "number": {"type": "string"}},
                "required": ["by", "number"],
            },
            {"properties": {"by": {"const": "cheque"}, "number": {"type": "integer"}}},
            {"properties": {"number": {"const": "none"}}},
        ],
    });
    let schema = Schema::of(&root);
    assert_eq!(schema.keys(), [("by", false), ("number", false)]);
    assert_eq!(schema.choices_of("by"), ["cash", "card", "cheque"]);
    assert!(schema.choices_of("number").is_empty());
    assert!(schema.choices_of("none").is_empty());
    assert_eq!(schema.kinds_of("number"), "string or integer");
}

#[test]
fn a_member_must_be_there_if_every_branch_but_null_requires_it() {
    let member = |name: &str| json!({"properties": {name: {}}, "required": [name]});
    for (part, expected) in [
        (json!({"allOf": [{"properties": {"a": {}}}, {"required": ["a"]}]}), vec![("a", true)]),
        (json!({"oneOf": [member("a"), member("b")]}), vec![("a", false), ("b", false)]),
        (json!({"anyOf": [member("a"), {"type": "null"}]}), vec![("a", true)]),
        (json!({"anyOf": [member("a"), {"type": "null"}, {"enum": ["x"]}]}), vec![("a", false)]),
        (json!({"anyOf": [member("a"), {}]}), vec![("a", false)]),
        (json!({"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}]}), vec![("a", true)]),
    ] {
        let root = json!({"$defs": {"a": member("a")}});
        assert_eq!(Schema { root: &root, part: &part }.keys(), expected, "{part}");
    }
}

#[test]
fn what_a_member_is_in_one_of_several_branches_is_not_said_of_all() {
    let size = |most: u8| json!({"description": "A.", "default": most, "maximum": most});
    for (other, expected) in [
        (size(10), ("A.", " At most 10.", Some("10"))),
        (size(99), ("A.", "", None)),
        (json!({}), ("", "", None)),
    ] {
        let root = json!({"oneOf": [
            {"properties": {"size": size(10)}}, {"properties": {"size": other}},
        ]});
        let schema = Schema::of(&root);
        let default = schema.default_of("size");
        assert_eq!(
            (schema.about_of("size"), &*schema.bounds_of("size"), default.as_deref()),
            expected,
            "{other}"
        );
    }
}

#[test]
fn what_one_of_several_branches_says_is_not_said_of_all() {
    let a = json!({"description": "A.", "minLength": 2});
    let root = json!({"$defs": {"a": a}});
    let a = json!({"$ref": "#/$defs/a"});
    for (part, expected) in [
        (json!({"oneOf": [{"enum": ["x"]}, a]}), ("", "")),
        (json!({"description": "B.", "anyOf": [a, {}]}), ("B.", "")),
        (json!({"anyOf": [a, {"type": "null"}]}), ("A.", " At least 2 characters.")),
        (
            json!({"allOf": [a, {"maxLength": 3}]}),
            ("A.", " At most 3 characters. At least 2 characters."),
        ),
    ] {
        let schema = Schema { root: &root, part: &part };
        assert_eq!((schema.about(), &*schema.bounds()), expected, "{part}");
    }
}
