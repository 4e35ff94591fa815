//! Schemas of results follow what serialisation writes.

use std::collections::BTreeMap;

use expect_test::expect;
use serde_json::{Value, json};
use toolwright::{Json, data, tool};

use super::super::wrapped;
use super::check;
use crate::mcp::protocol::Revision;
use crate::mcp::tool::Tool;

/// What was found.
#[data]
struct Found {
    id: u64,
    score: Option<f32>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    by_name: BTreeMap<String, Option<u8>>,
    any: Value,
}

#[tool]
fn found() -> Result<Json<Found>, String> {
    Err(String::new())
}

#[tool]
fn number() -> Json<u8> {
    Json(1)
}

#[tool]
fn maybe() -> Json<Option<Found>> {
    Json(None)
}

#[tool]
fn anything() -> Json<Value> {
    Json(Value::Null)
}

fn output(tool: &Tool, revision: Revision) -> String {
    let info = serde_json::to_value(tool.definition().info(revision.profile())).unwrap();
    check(&info["outputSchema"]);
    info["outputSchema"].to_string()
}

#[test]
fn null_stays_where_it_is_written() {
    expect![[r#"{"type":"object","properties":{"id":{"type":"integer","minimum":0},"score":{"type":["number","null"]},"tags":{"type":"array","items":{"type":"string"},"default":[]},"note":{"type":["string","null"]},"by_name":{"type":"object","additionalProperties":{"type":["integer","null"],"minimum":0,"maximum":255}},"any":{}},"required":["id","score","tags","by_name","any"],"description":"What was found."}"#]].assert_eq(&output(&found::tool(), Revision::V2026_07_28));
    assert_eq!(
        output(&found::tool(), Revision::V2026_07_28),
        output(&found::tool(), Revision::LATEST_LEGACY)
    );
}

#[test]
fn what_is_no_object_is_wrapped_for_the_legacy_era() {
    expect![[r#"{"type":"integer","minimum":0,"maximum":255}"#]]
        .assert_eq(&output(&number::tool(), Revision::V2026_07_28));
    expect![[r#"{"type":"object","properties":{"result":{"type":"integer","minimum":0,"maximum":255}},"required":["result"]}"#]]
        .assert_eq(&output(&number::tool(), Revision::LATEST_LEGACY));
    expect![[r#"{"type":"object","properties":{"result":{"type":["object","null"],"properties":{"id":{"type":"integer","minimum":0},"score":{"type":["number","null"]},"tags":{"type":"array","items":{"type":"string"},"default":[]},"note":{"type":["string","null"]},"by_name":{"type":"object","additionalProperties":{"type":["integer","null"],"minimum":0,"maximum":255}},"any":{}},"required":["id","score","tags","by_name","any"],"description":"What was found."}},"required":["result"]}"#]].assert_eq(&output(&maybe::tool(), Revision::LATEST_LEGACY));
}

#[cfg(feature = "url")]
#[data]
struct Hit {
    link: url::Url,
}

#[cfg(feature = "url")]
#[tool]
fn hit(near: url::Url) -> Json<Hit> {
    Json(Hit { link: near })
}

/// The grammar of URIs has no `[` in a query.
#[cfg(feature = "url")]
#[test]
fn a_url_that_is_written_need_not_be_a_uri() {
    expect![[r#"{"type":"object","properties":{"link":{"type":"string"}},"required":["link"]}"#]]
        .assert_eq(&output(&hit::tool(), Revision::V2026_07_28));
    let written = serde_json::from_str::<url::Url>(r#""https://a.example/?b[]=c""#).unwrap();
    assert_eq!(json!(written), "https://a.example/?b[]=c");
    assert!(hit::tool().input_schema().get().contains(r#""format":"uri""#));
}

/// Its references count from itself, wherever it stands.
#[test]
fn a_schema_with_an_identifier_is_wrapped_as_it_is() {
    let schema = json!({
        "$id": "https://example.com/list",
        "type": "array",
        "items": {"anyOf": [{"$ref": "#/$defs/item"}, {"$ref": "#"}]},
        "$defs": {"item": {"type": "integer"}},
    });
    let wrapped = wrapped(schema.clone());
    assert_eq!(wrapped["properties"]["result"], schema);
    let validator = jsonschema::draft202012::new(&wrapped).unwrap();
    assert!(validator.is_valid(&json!({"result": [1, [2]]})));
    assert!(!validator.is_valid(&json!({"result": [1, ["2"]]})));
}

/// Its schema would say nothing, and promise the legacy era a wrapper.
#[test]
fn a_value_of_any_kind_has_no_schema() {
    assert!(anything::tool().output_schema().is_none());
}
