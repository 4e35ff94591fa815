//! Forms by a schema that the author wrote.

use expect_test::expect;
use serde_json::{Value, json};

use crate::judge::{Kind, assert_valid};
use crate::mcp::form::accepted_by;

fn refused(schema: &Value, content: &str) -> String {
    accepted_by(schema, Some(content)).map(|_| ()).expect_err(content)
}

/// The forms of the conformance suite, with a right answer.
fn fixtures() -> [(Value, Value); 5] {
    let named = |property: Value| {
        let properties = json!({ "it": property });
        json!({"type": "object", "properties": properties, "required": ["it"]})
    };
    let titled =
        json!([{"const": "value1", "title": "First"}, {"const": "value2", "title": "2nd"}]);
    let string = |description: &str| json!({"type": "string", "description": description});
    [
        (
            json!({
                "type": "object",
                "properties": {
                    "username": string("User's response"),
                    "email": string("User's email address"),
                },
                "required": ["username", "email"],
            }),
            json!({"username": "ann", "email": "ann@example.com"}),
        ),
        (
            json!({
                "type": "object",
                "properties": {
                    "name": {"type": "string", "default": "John Doe"},
                    "age": {"type": "integer", "default": 30},
                    "score": {"type": "number", "default": 95.5},
                    "status": {
                        "type": "string",
                        "enum": ["active", "inactive", "pending"],
                        "default": "active",
                    },
                    "verified": {"type": "boolean", "default": true},
                },
            }),
            json!({
                "name": "John Doe", "age": 30, "score": 95.5, "status": "active", "verified": true,
            }),
        ),
        (
            json!({
                "type": "object",
                "properties": {
                    "untitledSingle": {"type": "string", "enum": ["option1", "option2"]},
                    "titledSingle": {"type": "string", "oneOf": titled},
                    "legacyEnum": {
                        "type": "string",
                        "enum": ["opt1", "opt2"],
                        "enumNames": ["Option One", "Option Two"],
                    },
                    "untitledMulti": {
                        "type": "array",
                        "items": {"type": "string", "enum": ["option1", "option2"]},
                    },
                    "titledMulti": {"type": "array", "items": {"anyOf": titled}},
                },
            }),
            json!({
                "untitledSingle": "option1", "titledSingle": "value2", "legacyEnum": "opt1",
                "untitledMulti": ["option2", "option1"], "titledMulti": ["value1"],
            }),
        ),
        (named(json!({"type": "string"})), json!({"it": "Alice"})),
        (named(json!({"type": "boolean", "default": false})), json!({"it": true})),
    ]
}

#[test]
fn the_forms_of_the_conformance_suite_take_their_answers() {
    for (schema, answer) in fixtures() {
        assert_valid("2025-11-25", Kind::Form, &schema);
        let text = answer.to_string();
        assert_eq!(accepted_by(&schema, Some(&text)).map(Value::Object), Ok(answer), "{schema}");
        // Each value is of the wrong type in turn.
        let answer: Value = serde_json::from_str(&text).unwrap();
        for name in answer.as_object().unwrap().keys() {
            let mut wrong = answer.clone();
            wrong[name] = if answer[name].is_number() { json!("30") } else { json!(12345) };
            let problem = refused(&schema, &wrong.to_string());
            assert!(problem.starts_with(&format!("{name}: expected ")), "{problem}");
            assert_eq!(problem.lines().count(), 1, "{problem}");
        }
    }
}

#[test]
fn every_problem_is_named() {
    let [(strings, _), (defaults, _), (choices, _), ..] = fixtures();
    expect![[r#"
        username: missing, expected string
        email: missing, expected string"#]]
    .assert_eq(&refused(&strings, r#"{"user":"ann"}"#));
    let wrong = r#"{"name":1,"age":1.5,"score":"1","status":"activ","verified":"yes"}"#;
    expect![[r#"
        name: expected string, got number 1
        age: expected integer, got number 1.5
        score: expected number, got string "1": write 1 without quotes
        status: expected one of "active", "inactive", "pending", got string "activ", did you mean "active"?
        verified: expected boolean, got string "yes""#]].assert_eq(&refused(&defaults, wrong));
    let wrong = r#"{"untitledSingle":"option3","titledSingle":"First","legacyEnum":"Option One",
                    "untitledMulti":["option3"],"titledMulti":["value1","2nd"]}"#;
    expect![[r#"
        untitledSingle: expected one of "option1", "option2", got string "option3", did you mean "option1"?
        titledSingle: expected "value1" or "value2", got string "First"
        legacyEnum: expected one of "opt1", "opt2", got string "Option One"
        untitledMulti/0: expected one of "option1", "option2", got string "option3", did you mean "option1"?
        titledMulti/1: expected "value1" or "value2", got string "2nd""#]].assert_eq(&refused(&choices, wrong));
}

#[test]
fn what_clients_drop_is_enforced() {
    for (property, right, wrong) in [
        (json!({"type": "string", "pattern": "^[a-z]+$"}), json!("abc"), json!("a1")),
        (json!({"type": "string", "const": "yes"}), json!("yes"), json!("no")),
        (json!({"type": "number", "exclusiveMinimum": 0}), json!(0.1), json!(0)),
        (json!({"type": "number", "exclusiveMaximum": 1}), json!(0.9), json!(1)),
        (json!({"type": "integer", "enum": [1, 2]}), json!(2), json!(3)),
        (json!({"type": "integer", "multipleOf": 5}), json!(10), json!(7)),
        (json!({"type": "integer", "format": "uint32"}), json!(0), json!(-1)),
        (json!({"type": "integer"}), json!(2.0), json!(2.5)),
        (json!({"type": "string", "oneOf": [{"const": "a"}]}), json!("a"), json!("b")),
        (
            json!({"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": true}),
            json!(["a", "b"]),
            json!(["a", "a"]),
        ),
    ] {
        let schema = json!({"type": "object", "properties": {"it": property}});
        let answer = |it: &Value| json!({ "it": it }).to_string();
        accepted_by(&schema, Some(&answer(&right))).unwrap();
        let problem = refused(&schema, &answer(&wrong));
        assert!(problem.starts_with("it"), "{problem}");
    }
}

#[test]
fn unknown_names_are_as_the_schema_says() {
    let mut schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    let content = r#"{"name":"Ann","more":{}}"#;
    assert_eq!(accepted_by(&schema, Some(content)).unwrap().len(), 2);
    schema["additionalProperties"] = false.into();
    expect!["more: unknown, known are `name`"].assert_eq(&refused(&schema, content));
}

#[test]
fn no_content_is_an_answer_without_values() {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    for content in [None, Some("null"), Some("{}"), Some(r#"{"name":null}"#)] {
        assert_eq!(accepted_by(&schema, content).unwrap().len(), 0, "{content:?}");
    }
    let required = json!({"properties": {"name": {"type": "string"}}, "required": ["name"]});
    for content in [None, Some(r#"{"name":null}"#)] {
        let problem = accepted_by(&required, content).unwrap_err();
        assert_eq!(problem, "name: missing, expected string");
    }
    for content in ["[]", "1", "\"{}\"", "{", ""] {
        assert_eq!(refused(&schema, content), "expected an object", "{content}");
    }
}

#[test]
fn an_answer_that_is_too_large_to_check_is_refused() {
    let schema = json!({"properties": {"it": {"type": "array", "items": {"type": "string"}}}});
    let answer = |count| json!({"it": vec!["a"; count]}).to_string();
    assert!(accepted_by(&schema, Some(&answer(9_000))).is_ok());
    assert_eq!(refused(&schema, &answer(11_000)), "too large to check every part of it");
}
