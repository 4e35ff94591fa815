//! Schemas by hand that combine what they like, of types that are decoded nevertheless.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::Error;
use serde_json::{Map, Value, json};
use toolwright::{JsonSchema, Tool, data, tool};

use super::{is_taken, refused};

/// Takes objects with a member `ok`. Its schema is by hand.
#[derive(Debug)]
struct Any;

thread_local! {
    static SCHEMA: std::cell::RefCell<Value> = const { std::cell::RefCell::new(Value::Null) };
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: serde::Deserializer<'de>>(decoder: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(decoder)?;
        value.get("ok").map(|_| Self).ok_or_else(|| Error::custom("it is not ok"))
    }
}

impl JsonSchema for Any {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Any".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        SCHEMA.with_borrow(|schema| schema.clone().try_into().unwrap())
    }
}

fn tool(schema: Value) -> Tool {
    SCHEMA.set(schema);
    Tool::typed("any", "", async |_: Any, _| ())
}

/// Links of a chain that is longer than any stack, each made of the name of the next one.
fn chain(link: impl Fn(Value) -> Value) -> Value {
    let name = |at: usize| format!("link{at}");
    let link = |at| (name(at), link(json!({"$ref": format!("#/$defs/{}", name(at + 1))})));
    Value::Object((0..10_000).map(link).collect())
}

fn with_property(property: Value, definitions: Value) -> Value {
    json!({"type": "object", "properties": {"a": property}, "$defs": definitions})
}

#[test]
fn a_schema_that_leads_back_to_itself_says_no_more() {
    let own = json!({"$ref": "#/$defs/b"});
    for schema in [
        json!({"type": "object", "allOf": [{"$ref": "#"}]}),
        json!({"type": "object", "anyOf": [{"$ref": "#"}, {"$ref": "#"}]}),
        json!({"type": "object", "$ref": "#"}),
        with_property(json!({"$ref": "#/$defs/b"}), json!({"b": {"allOf": [own]}})),
        with_property(own.clone(), json!({"b": {"oneOf": [{"allOf": [own]}, {"anyOf": [own]}]}})),
        with_property(own.clone(), json!({"b": {"$ref": "#/$defs/c"}, "c": own})),
        with_property(json!({"$ref": "#/$defs/nowhere"}), json!({})),
    ] {
        let tool = tool(schema.clone());
        assert_eq!(refused(&tool, r#"{"a":1}"#), "Invalid arguments for `any`:\n- it is not ok");
        assert!(is_taken(&tool, r#"{"a":1,"ok":1}"#), "{schema}");
    }
    let least = json!({"type": "object", "allOf": [{"$ref": "#"}], "minProperties": 2});
    let few = "Invalid arguments for `any`:\n- expected at least 2 properties, got 1";
    assert_eq!(refused(&tool(least.clone()), r#"{"a":1}"#), few);
    assert_eq!(refused(&tool(least), r#"{"ok":1}"#), few);
}

#[test]
fn schemas_that_lead_to_thousands_of_others_are_followed_some_way() {
    let most = |mut schema: Value| {
        schema["maximum"] = 3.into();
        schema
    };
    for definitions in [
        chain(|next| most(json!({"allOf": [next]}))),
        chain(|next| most(json!({"anyOf": [next.clone(), next]}))),
        chain(|next| most(json!({"properties": {"b": next}}))),
    ] {
        let tool = tool(with_property(json!({"$ref": "#/$defs/link0"}), definitions));
        for arguments in [r#"{"a":9}"#, r#"{"a":9,"ok":1}"#] {
            let said = refused(&tool, arguments);
            assert!(said.contains("/a: expected at most 3, got 9"), "{said}");
        }
        assert!(is_taken(&tool, r#"{"a":3,"ok":1}"#));
    }
}

#[test]
fn an_answer_is_short_whatever_the_schema_lists() {
    let names: Vec<_> = (0..2_000).map(|at| format!("name{at}")).collect();
    let strings = names.iter().map(|name| (name.clone(), json!({"type": "string"})));
    let strings = Value::Object(strings.collect::<Map<_, _>>());
    let closed = json!({
        "type": "object", "properties": strings, "additionalProperties": false,
    });
    let object = json!({"type": "object", "required": names, "properties": strings});
    let constants: Vec<_> = names.iter().map(|name| json!({"const": name})).collect();
    for (schema, arguments) in [
        (with_property(json!({"enum": names}), json!({})), r#"{"a":"?"}"#),
        (with_property(json!({"enum": names}), json!({})), r#"{"a":"?","ok":1}"#),
        (with_property(json!({"oneOf": constants}), json!({})), r#"{"a":"?"}"#),
        (with_property(json!({"anyOf": [object, {"type": "array"}]}), json!({})), r#"{"a":1}"#),
        (closed, r#"{"?":1}"#),
    ] {
        let said = refused(&tool(schema), arguments);
        assert!(said.len() < 3_000, "{} bytes: {}", said.len(), &said[..1_000]);
        assert!(said.contains("1900 more"), "{said}");
    }
}

#[test]
fn a_pattern_of_an_argument_leaves_those_of_its_type() {
    #[data]
    #[schemars(extend("pattern" = "^a", "allOf" = [{"pattern": "b$"}]))]
    struct Word(String);
    #[tool]
    fn say(#[arg(pattern = "c")] word: Word) -> String {
        word.0
    }
    assert!(is_taken(&say::tool(), r#"{"word":"acb"}"#));
    let schema = say::tool().input_schema().get().to_owned();
    assert!(schema.contains(r#""allOf":[{"pattern":"b$"},{"pattern":"c"}]"#), "{schema}");
    for (word, pattern) in [("cb", "^a"), ("ac", "b$"), ("ab", "c")] {
        assert_eq!(
            refused(&say::tool(), &format!(r#"{{"word":"{word}"}}"#)),
            format!(
                "Invalid arguments for `say`:\n- /word: expected a match of `{pattern}`, got {word:?}"
            )
        );
    }
}

#[test]
fn a_text_that_is_too_long_is_matched_by_no_pattern_of_its_type() {
    #[data]
    #[schemars(extend("pattern" = "^a"))]
    struct Word(String);
    #[data]
    #[schemars(extend("allOf" = [{"pattern": "b$"}]))]
    struct Other(String);
    #[data]
    struct Entry {
        n: u8,
        #[schemars(extend("maxLength" = 3))]
        word: Other,
    }
    #[tool]
    fn say(
        #[arg(max_length = 3)] one: Option<Word>,
        #[arg(max_length = 3, pattern = "c")] two: Option<Word>,
        three: Option<Entry>,
    ) -> String {
        let three = three.map(|entry| (entry.n, entry.word.0));
        format!("{:?} {:?} {three:?}", one.map(|word| word.0), two.map(|word| word.0))
    }
    let said = |arguments: &str| refused(&say::tool(), arguments);
    let too_long = |name: &str| {
        format!("Invalid arguments for `say`:\n- /{name}: expected at most 3 characters, got 4")
    };
    assert_eq!(said(r#"{"one":"ABCD"}"#), too_long("one"));
    assert_eq!(said(r#"{"two":"ABCD"}"#), too_long("two"));
    assert_eq!(said(r#"{"three":{"n":1,"word":"ABCD"}}"#), too_long("three/word"));
    // This one does not decode.
    let refused = said(r#"{"three":{"n":"x","word":"ABCD"}}"#);
    assert_eq!(refused.matches("/three/word: ").count(), 1, "{refused}");
    assert_eq!(said(r#"{"two":"ABC"}"#).matches("/two: expected a match of").count(), 2);
}
