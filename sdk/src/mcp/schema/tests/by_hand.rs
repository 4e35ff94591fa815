//! Schemas by hand.

use expect_test::expect;
use serde_json::{Value, json};

use crate::mcp::context::Context;
use crate::mcp::schema::{Patterns, defects, output_defects};
use crate::mcp::tool::{IntoSchema, Tool};

fn tool(schema: impl IntoSchema) -> Tool {
    Tool::new("hand", "", schema, async |_: Value, _: Context| ())
}

#[test]
fn a_good_schema_passes_byte_for_byte() {
    let text = r#"{"type" : "object", "$schema":"https://json-schema.org/draft/2020-12/schema","title":"T","properties":{"b":{"type":["string","null"],"format":"uint8"},"a":{}}}"#;
    assert_eq!(tool(text).input_schema().get(), text);
    assert_eq!(
        tool("\n {\"type\":\n\"object\"} \r\n").input_schema().get(),
        r#"{"type": "object"}"#
    );
    assert_eq!(defects(&serde_json::from_str(text).unwrap(), Patterns::Any), [""; 0]);
}

#[test]
fn what_makes_a_strict_client_drop_the_list_is_refused() {
    let complaints = |schema: Value| defects(&schema, Patterns::Any).join("\n");
    expect!["the input schema is not a JSON object"].assert_eq(&complaints(json!([])));
    expect![[r#"the input schema must say `"type": "object"` at its root; that of a `Map<String, Value>` says it"#]]
        .assert_eq(&complaints(json!({})));
    expect![[r#"the input schema must say `"type": "object"` at its root"#]]
        .assert_eq(&complaints(json!({"type": "array"})));
    let choice = json!({"oneOf": [{"type": "object"}]});
    assert!(complaints(choice).ends_with("have the alternatives in one of its members"));
    let pattern = json!({"type": "object", "properties": {"a": {"pattern": "["}}});
    expect![[
        r#"the input schema has `pattern`: "[", which should be a regular expression of ECMA-262"#
    ]]
    .assert_eq(&complaints(pattern));
    expect!["the input schema has a boolean as the schema of `a`; write `{}` or `{\"not\": {}}`"]
        .assert_eq(&complaints(json!({"type": "object", "properties": {"a": true}})));
    expect![[
        r#"the input schema has `$schema`: "http://json-schema.org/draft-07/schema#", which should be the dialect 2020-12, or nothing"#
    ]]
    .assert_eq(&complaints(json!({"type": "object", "$schema": "http://json-schema.org/draft-07/schema#"})));
    expect![[r#"
        the input schema has `properties`: {"a":{"type":"int"},"b":{"type":"array","items":{"enum":"x","minLength":-1}},"c":{"anyOf":[]},"d":{"anyOf":[{"type":"string","description":1}],"minimum":"0"},"e":1,"f":{"enum":[]}}, which should be an object of schemas
        the input schema has `required`: "a", which should be a list of names
        the input schema has `type`: "int", which should be a JSON type or a list of them
        the input schema has `enum`: "x", which should be a list of values that is not empty
        the input schema has `minLength`: -1, which should be a count
        the input schema has `anyOf`: [], which should be a list of schemas that is not empty
        the input schema has `minimum`: "0", which should be a number
        the input schema has `description`: 1, which should be a string
        the input schema has `enum`: [], which should be a list of values that is not empty
        the input schema has `properties`: [], which should be an object of schemas"#]].assert_eq(&complaints(json!({
        "type": "object",
        "properties": {
            "a": {"type": "int"},
            "b": {"type": "array", "items": {"enum": "x", "minLength": -1}},
            "c": {"anyOf": []},
            "d": {"anyOf": [{"type": "string", "description": 1}], "minimum": "0"},
            "e": 1,
            "f": {"enum": []},
        },
        "required": "a",
        "$defs": {"x": {"properties": []}},
    })));
}

/// Refused schemas are not valid in 2020-12, or not schemas of an object.
#[test]
fn the_meta_schema_agrees() {
    let refused = [
        json!({"type": "object", "properties": {"a": {"type": "int"}}}),
        json!({"type": "object", "properties": {"a": 1}}),
        json!({"type": "object", "required": "a"}),
        json!({"type": "object", "required": [1]}),
        json!({"type": "object", "properties": {"a": {"items": [{"type": "string"}]}}}),
        json!({"type": "object", "properties": {"a": {"minimum": "0"}}}),
        json!({"type": "object", "properties": {"a": {"minLength": -1}}}),
        json!({"type": "object", "properties": {"a": {"pattern": 1}}}),
        json!({"type": "object", "allOf": []}),
        json!({"type": "object", "additionalProperties": 1}),
    ];
    for schema in refused {
        assert!(!jsonschema::draft202012::meta::is_valid(&schema), "{schema}");
        assert_eq!(defects(&schema, Patterns::Any).len(), 1, "{schema}");
    }
}

#[test]
fn properties_may_be_called_like_keywords() {
    let schema = json!({
        "type": "object",
        "properties": {"type": {"type": "string"}, "properties": {"type": "integer"}, "required": {"enum": [1]}, "$ref": {"const": {"type": 1}}},
        "required": ["type", "properties"],
    });
    assert!(jsonschema::draft202012::meta::is_valid(&schema));
    assert_eq!(defects(&schema, Patterns::Any), [""; 0]);
}

#[test]
fn an_output_schema_may_be_of_anything() {
    assert_eq!(output_defects(&json!({"type": "array", "items": {"type": "string"}})), [""; 0]);
    assert_eq!(output_defects(&json!({})), [""; 0]);
    expect![[
        r#"the output schema has `type`: "list", which should be a JSON type or a list of them"#
    ]]
    .assert_eq(&output_defects(&json!({"type": "list"})).join("\n"));
    expect!["the output schema has a boolean as the schema of `a`; write `{}` or `{\"not\": {}}`"]
        .assert_eq(&output_defects(&json!({"properties": {"a": false}})).join("\n"));
    expect!["the output schema is not a JSON object"]
        .assert_eq(&output_defects(&json!(true)).join("\n"));
}

#[test]
fn references_of_an_output_schema_lead_somewhere() {
    let gone = json!({"properties": {"a": {"$ref": "#/$defs/gone"}}});
    expect![[r##"the output schema has `$ref`: "#/$defs/gone", which leads nowhere"##]]
        .assert_eq(&output_defects(&gone).join("\n"));
    let outside = json!({"$defs": {"a": {}, "b": {"$id": "b", "$ref": "#/$defs/a"}}});
    assert_eq!(output_defects(&outside).len(), 1);
    let fine = json!({
        "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#/$defs/%C3%A9"}, "c": {"$ref": "#é"}},
        "items": {"$ref": "https://a.example/#/gone"},
        "enum": [{"$ref": "#/gone"}],
        "$defs": {
            "é": {"$anchor": "é"},
            "d": {"$id": "d", "$ref": "#/$defs/e", "$defs": {"e": {}}},
        },
    });
    assert_eq!(output_defects(&fine), [""; 0]);
    assert_eq!(defects(&json!({"type": "object", "not": gone}), Patterns::Any), [""; 0]);
}

#[test]
fn names_have_patterns_that_are_regular_expressions() {
    let names = json!({"type": "object", "patternProperties": {"[A-Z": {"type": "string"}}});
    expect![[r#"the output schema has `patternProperties`: {"[A-Z":{"type":"string"}}, which should be an object of schemas, by regular expressions of ECMA-262 with the flag `u`"#]]
        .assert_eq(&output_defects(&names).join("\n"));
    assert_eq!(defects(&names, Patterns::Any).len(), 1);
}

/// Such as JavaScript compiles without the flag `u`, and Python. Clients only pass them on.
#[test]
fn patterns_of_an_input_schema_may_be_of_any_dialect() {
    for pattern in [
        r"^\d{4}\-\d{2}$",
        r"^[\w-\.]+@([\w-]+\.)+[\w-]{2,4}$",
        "^{[a-z]+}$",
        "(?i)^abc$",
        "(?i:a)",
        "(?P<a>b)",
        r"\Aa\Z",
        "[]a]",
        r"[^)\]]\(\-",
    ] {
        let schema = json!({
            "type": "object",
            "properties": {"a": {"pattern": pattern}},
            "patternProperties": {pattern: {}},
        });
        let build = |tool| toolwright::ToolRegistry::builder("toy").tool(tool).build();
        assert!(build(tool(schema.clone())).is_ok(), "{pattern}");
        let error = build(tool(json!({"type": "object"})).with_output_schema(schema)).unwrap_err();
        let flag = "of ECMA-262 with the flag `u`";
        assert_eq!(error.to_string().matches(flag).count(), 2, "{error}");
    }
    for pattern in ["[a", "(a", "a)", r"a\", "*.txt", "+1", r"[\]"] {
        let schema = json!({"type": "object", "properties": {"a": {"pattern": pattern}}});
        assert_eq!(defects(&schema, Patterns::Any).len(), 1, "{pattern}");
    }
}

#[test]
fn text_that_is_no_json_is_told_by_build() {
    let built = toolwright::ToolRegistry::builder("test").tool(tool("{\"type\":")).build();
    expect!["tool `hand`: the schema is not JSON: EOF while parsing a value at line 1 column 8"]
        .assert_eq(&built.unwrap_err().to_string());
}

#[test]
fn a_schema_of_more_levels_than_clients_read_is_told_by_build() {
    let mut schema = json!({"type": "string"});
    for _ in 0..100 {
        schema = json!({"type": "object", "properties": {"a": schema}});
    }
    let tools = [tool(schema.clone()), tool(json!({"type": "object"})).with_output_schema(schema)];
    for tool in tools {
        let error =
            toolwright::ToolRegistry::builder("toy").tool(tool).build().unwrap_err().to_string();
        assert!(error.contains("the schema cannot be read: recursion limit exceeded"), "{error}");
    }
}
