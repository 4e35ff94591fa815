mod by_hand;
mod derived;
mod enums;
mod optional;
mod output;
mod patterns;
mod recursive;
mod table;

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use expect_test::expect;
use serde_json::Value;
use toolwright::{Args, Context, data, tool, tools};

use crate::mcp::tool::Tool;

/// The input schema, after the checks that hold for all of them.
fn input(tool: &Tool) -> Value {
    let schema: Value = serde_json::from_str(tool.input_schema().get()).unwrap();
    check(&schema);
    assert_eq!(schema["type"], "object");
    assert_eq!(schema.get("title"), None, "{schema}");
    schema
}

/// The checks that hold for all derived schemas, of input or output.
fn check(schema: &Value) {
    let text = schema.to_string();
    jsonschema::draft202012::meta::validate(schema)
        .unwrap_or_else(|error| panic!("{error}: {text}"));
    jsonschema::draft202012::new(schema).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert!(!text.contains("$schema"), "{text}");
    for list in ["items", "properties"] {
        assert!(!text.contains(&format!("\"{list}\":true")), "{text}");
    }
    each(schema, &mut |name, value| {
        assert!(
            name != "format" || value.as_str().is_some_and(super::normalise::is_standard_format),
            "{value}: {text}"
        );
    });
}

fn each(value: &Value, f: &mut dyn FnMut(&str, &Value)) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            f(name, value);
            each(value, f);
        }),
        Value::Array(items) => items.iter().for_each(|value| each(value, f)),
        _ => {}
    }
}

/// The properties, one per line.
fn properties(schema: &Value) -> String {
    let properties = schema["properties"].as_object().unwrap();
    properties.iter().map(|(name, schema)| format!("{name} {schema}\n")).collect()
}

fn input_properties(tool: &Tool) -> String {
    properties(&input(tool))
}

#[data]
struct Nested {
    zebra: u8,
    apple: String,
    /// In the middle.
    mango: Option<bool>,
}

#[tool]
fn ordered(
    /// Last in the alphabet.
    zulu: String,
    alpha: Nested,
    cx: &Context,
    /// In between.
    mike: Option<Vec<Nested>>,
) -> String {
    format!(
        "{zulu}{}{}{:?}{}{:?}",
        alpha.zebra,
        alpha.apple,
        alpha.mango,
        mike.map_or(0, |list| list.len()),
        cx.host()
    )
}

#[test]
fn keys_stand_in_the_order_of_their_declaration() {
    let schema = input(&ordered::tool());
    expect![[r#"
        {
          "type": "object",
          "properties": {
            "zulu": {
              "description": "Last in the alphabet.",
              "type": "string"
            },
            "alpha": {
              "type": "object",
              "properties": {
                "zebra": {
                  "type": "integer",
                  "minimum": 0,
                  "maximum": 255
                },
                "apple": {
                  "type": "string"
                },
                "mango": {
                  "type": "boolean",
                  "description": "In the middle."
                }
              },
              "required": [
                "zebra",
                "apple"
              ]
            },
            "mike": {
              "description": "In between.",
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "zebra": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 255
                  },
                  "apple": {
                    "type": "string"
                  },
                  "mango": {
                    "description": "In the middle.",
                    "type": "boolean"
                  }
                },
                "required": [
                  "zebra",
                  "apple"
                ]
              }
            }
          },
          "required": [
            "zulu",
            "alpha"
          ],
          "additionalProperties": false
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&schema).unwrap());
}

#[tool]
#[expect(clippy::too_many_arguments, reason = "one of every type")]
fn numbers(
    u8: u8,
    u16: u16,
    u32: u32,
    u64: u64,
    u128: u128,
    usize: usize,
    i8: i8,
    i16: i16,
    i32: i32,
    i64: i64,
    i128: i128,
    isize: isize,
    f32: f32,
    f64: f64,
    bool: bool,
    char: char,
    list: Vec<u16>,
) -> String {
    format!(
        "{u8}{u16}{u32}{u64}{u128}{usize}{i8}{i16}{i32}{i64}{i128}{isize}{f32}{f64}{bool}{char}{list:?}"
    )
}

#[test]
fn integers_say_their_bounds_and_no_format() {
    expect![[r#"
        u8 {"type":"integer","minimum":0,"maximum":255}
        u16 {"type":"integer","minimum":0,"maximum":65535}
        u32 {"type":"integer","minimum":0,"maximum":4294967295}
        u64 {"type":"integer","minimum":0}
        u128 {"type":"integer","minimum":0}
        usize {"type":"integer","minimum":0}
        i8 {"type":"integer","minimum":-128,"maximum":127}
        i16 {"type":"integer","minimum":-32768,"maximum":32767}
        i32 {"type":"integer","minimum":-2147483648,"maximum":2147483647}
        i64 {"type":"integer"}
        i128 {"type":"integer"}
        isize {"type":"integer"}
        f32 {"type":"number"}
        f64 {"type":"number"}
        bool {"type":"boolean"}
        char {"type":"string","minLength":1,"maxLength":1}
        list {"type":"array","items":{"type":"integer","minimum":0,"maximum":65535}}
    "#]]
    .assert_eq(&input_properties(&numbers::tool()));
}

#[data]
struct Formats {
    address: Ipv4Addr,
    #[schemars(email)]
    mail: String,
    #[schemars(extend("format" = "date-time"))]
    at: String,
    #[schemars(extend("format" = "snowflake"))]
    id: String,
    #[schemars(range(min = 1, max = 10))]
    bounded: u8,
    #[schemars(range(max = 10))]
    half_bounded: i32,
    #[schemars(length(max = 5), regex(pattern = "^a"))]
    text: String,
}

#[tool]
fn formats(Args(f): Args<Formats>) -> String {
    format!("{}{}{}{}{}{}{}", f.address, f.mail, f.at, f.id, f.bounded, f.half_bounded, f.text)
}

#[test]
fn only_standard_formats_are_kept_and_own_bounds_win() {
    expect![[r#"
        address {"type":"string","format":"ipv4"}
        mail {"type":"string","format":"email"}
        at {"type":"string","format":"date-time"}
        id {"type":"string"}
        bounded {"type":"integer","minimum":1,"maximum":10}
        half_bounded {"type":"integer","maximum":10,"minimum":-2147483648}
        text {"type":"string","maxLength":5,"pattern":"^a"}
    "#]]
    .assert_eq(&input_properties(&formats::tool()));
}

#[data]
struct Extra {
    note: String,
    #[serde(flatten)]
    more: BTreeMap<String, Value>,
}

#[data]
struct Flattened {
    first: u8,
    #[serde(flatten)]
    nested: Nested,
}

#[tool]
#[expect(clippy::too_many_arguments, reason = "one of every type")]
fn containers(
    any: Value,
    many: Vec<Value>,
    map: BTreeMap<String, u32>,
    any_map: BTreeMap<String, Value>,
    pair: (u8, String),
    fixed: [bool; 3],
    extra: Extra,
    flattened: Flattened,
) -> String {
    let flattened = (flattened.first, flattened.nested.zebra);
    format!(
        "{any}{many:?}{map:?}{any_map:?}{pair:?}{fixed:?}{}{:?}{flattened:?}",
        extra.note, extra.more
    )
}

#[test]
fn containers_have_schemas_that_older_clients_take() {
    expect![[r#"
        any {}
        many {"type":"array","items":{}}
        map {"type":"object","additionalProperties":{"type":"integer","minimum":0,"maximum":4294967295}}
        any_map {"type":"object","additionalProperties":true}
        pair {"type":"array","prefixItems":[{"type":"integer","minimum":0,"maximum":255},{"type":"string"}],"minItems":2,"maxItems":2}
        fixed {"type":"array","items":{"type":"boolean"},"minItems":3,"maxItems":3}
        extra {"type":"object","properties":{"note":{"type":"string"}},"required":["note"],"additionalProperties":true}
        flattened {"type":"object","properties":{"first":{"type":"integer","minimum":0,"maximum":255},"zebra":{"type":"integer","minimum":0,"maximum":255},"apple":{"type":"string"},"mango":{"type":"boolean","description":"In the middle."}},"required":["first","zebra","apple"]}
    "#]].assert_eq(&input_properties(&containers::tool()));
}

#[data]
struct WithDefaults {
    #[serde(default)]
    count: u32,
    #[serde(default = "ten")]
    limit: u32,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(rename = "kind", alias = "type")]
    renamed: String,
    #[serde(skip)]
    skipped: u8,
}

fn ten() -> u32 {
    10
}

/// The type's own words.
#[data]
#[serde(deny_unknown_fields)]
struct Closed {
    a: u8,
}

#[tool]
fn with_defaults(Args(of): Args<WithDefaults>) -> String {
    format!("{}{}{:?}{:?}{}{}", of.count, of.limit, of.tags, of.name, of.renamed, of.skipped)
}

#[tool]
fn closed(Args(closed): Args<Closed>) -> u8 {
    closed.a
}

#[tool]
fn nothing() {}

#[test]
fn a_whole_struct_is_the_schema() {
    expect![[r#"{"type":"object","properties":{"count":{"type":"integer","minimum":0,"default":0,"maximum":4294967295},"limit":{"type":"integer","minimum":0,"default":10,"maximum":4294967295},"tags":{"type":"array","items":{"type":"string"},"default":[]},"name":{"type":"string"},"kind":{"type":"string"}},"required":["kind"]}"#]].assert_eq(&input(&with_defaults::tool()).to_string());
    expect![[r#"{"type":"object","additionalProperties":false,"properties":{"a":{"type":"integer","minimum":0,"maximum":255}},"required":["a"],"description":"The type's own words."}"#]].assert_eq(&input(&closed::tool()).to_string());
}

#[test]
fn signature_arguments_are_a_closed_object() {
    for tool in tools![ordered, numbers, containers, nothing] {
        assert_eq!(input(&tool)["additionalProperties"], false, "{}", tool.name());
    }
    expect![[r#"{"type":"object","properties":{},"additionalProperties":false}"#]]
        .assert_eq(&input(&nothing::tool()).to_string());
}
