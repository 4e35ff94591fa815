//! `#[arg(…)]` on parameters.

mod literals;

use std::collections::BTreeMap;
use std::path::PathBuf;

use toolwright::{Context, Tool, ToolRegistry, Value, data, json, tool};

use super::{error, listed, properties, property, read, text};

fn required(tool: &Tool) -> Value {
    read(tool.input_schema().get())["required"].clone()
}

fn complaint(tool: Tool) -> String {
    ToolRegistry::builder("test").tool(tool).build().unwrap_err().to_string()
}

const LIMIT: u32 = 50;

/// Search.
#[tool(inline)]
fn search(
    #[arg(rename = "q", title = "Query", description = "Words.", min_length = 2, max_length = 20)]
    query: &str,
    /// Is not shown.
    #[arg(description = concat!("The", " most."), default = 10, min = 1, max = LIMIT)]
    limit: u32,
    #[arg(pattern = "^[a-z]+$", example = "de", example = "en")] language: Option<String>,
    #[arg(secret)] token: String,
    cx: &Context,
) -> String {
    cx.progress(1.0, "done");
    format!("{query} {limit} {language:?} {}", token.len())
}

#[test]
fn every_key_is_in_the_schema() {
    let tool = search::tool();
    assert_eq!(properties(search::tool()), ["q", "limit", "language", "token"]);
    assert_eq!(required(&tool), json!(["q", "token"]));
    let shown = |name| property(search::tool(), name).to_string();
    assert_eq!(
        shown("q"),
        r#"{"description":"Words.","type":"string","title":"Query","minLength":2,"maxLength":20}"#
    );
    assert_eq!(
        shown("limit"),
        r#"{"description":"The most.","type":"integer","minimum":1,"maximum":50,"default":10}"#
    );
    assert_eq!(
        shown("language"),
        r#"{"type":"string","pattern":"^[a-z]+$","examples":["de","en"]}"#
    );
    assert_eq!(shown("token"), r#"{"type":"string","writeOnly":true}"#);
    assert_eq!(listed(search::tool())["description"], "Search.");
}

/// Found by its region.
#[tool(inline)]
fn find(
    #[arg(header = "Region")] region: Option<&str>,
    #[arg(header = "Zone", default = 1)] zone: u8,
    #[arg(header = "Dry-Run")] dry: bool,
) -> String {
    format!("{region:?} {zone} {dry}")
}

#[tool]
fn weigh(#[arg(header = "Weight")] weight: f64) -> f64 {
    weight
}

#[test]
fn headers_are_in_the_schema_and_for_plain_types_only() {
    assert_eq!(
        property(find::tool(), "region").to_string(),
        r#"{"type":"string","x-mcp-header":"Region"}"#
    );
    assert_eq!(property(find::tool(), "zone")["x-mcp-header"], "Zone");
    assert_eq!(property(find::tool(), "dry")["x-mcp-header"], "Dry-Run");
    assert_eq!(text(find::tool(), json!({"dry": true})), "None 1 true");
    assert_eq!(
        complaint(weigh::tool()),
        "tool `weigh`: argument `weight`: the header \"Weight\" is for a string, an integer or a \
         boolean, and its type is \"number\""
    );
}

#[test]
fn every_bound_is_enforced_and_the_default_is_taken() {
    let found = |arguments| text(search::tool(), arguments);
    assert_eq!(found(json!({"q": "ab", "token": "xyz"})), "ab 10 None 3");
    let all = json!({"q": "ab", "limit": 50, "language": "de", "token": ""});
    assert_eq!(found(all), r#"ab 50 Some("de") 0"#);
    // Null is the absence of an optional argument.
    let nulls = json!({"q": "ab", "limit": null, "language": null, "token": ""});
    assert_eq!(found(nulls), "ab 10 None 0");
    let wrong = error(
        search::tool(),
        json!({"q": "a", "limit": 51, "language": "DE", "token": "", "query": "x"}),
    );
    for problem in ["/q: ", "/limit: ", "/language: ", "/query: unknown"] {
        assert!(wrong.contains(problem), "{wrong}");
    }
    assert!(!wrong.contains("/token"), "{wrong}");
    // The function itself is called as it is written.
    assert_eq!(search("a", 99, None, String::new(), &Context::detached()), "a 99 None 0");
}

#[data]
#[derive(PartialEq, Debug, Clone, Copy, Default)]
#[serde(rename_all = "lowercase")]
enum Speed {
    Slow,
    #[default]
    Fast,
}

/// Has no `Serialize`.
#[derive(Debug, PartialEq, toolwright::Deserialize, toolwright::JsonSchema)]
#[serde(crate = "toolwright::__private::serde")]
#[schemars(crate = "toolwright::__private::schemars")]
struct Opaque(u8);

fn ten() -> u64 {
    10
}

#[tool]
#[allow(clippy::too_many_arguments)]
fn defaults(
    #[arg(default = "fast")] by_text: String,
    #[arg(default = "x")] lent: &str,
    #[arg(default = Speed::Fast)] speed: Speed,
    #[arg(default = Default::default())] inferred: Speed,
    #[arg(default = ten() + 1)] called: u64,
    #[arg(default = -2)] negative: i8,
    #[arg(default = 0.5)] number: f32,
    #[arg(default = true)] flag: bool,
    #[arg(default = 'c')] letter: char,
    #[arg(default = [1, 2])] list: &[u8],
    #[arg(default = vec!["a".to_owned()])] texts: Vec<String>,
    #[arg(default = "/tmp")] path: PathBuf,
    #[arg(default = 3)] by_ref: &u16,
    #[arg(default = Opaque(1))] opaque: Opaque,
    #[arg(default = Opaque(2))] opaque_by_ref: &Opaque,
    #[arg(default = BTreeMap::new())] map: BTreeMap<String, u8>,
    #[arg(default = json!({"a": [1]}))] any: Value,
    #[arg(default = [1, 2])] numbers: Vec<u16>,
    #[arg(default = [3, 4])] fixed: [u8; 2],
) -> String {
    format!(
        "{by_text} {lent} {speed:?} {inferred:?} {called} {negative} {number} {flag} {letter} \
         {list:?} {texts:?} {} {by_ref} {opaque:?} {opaque_by_ref:?} {map:?} {any} \
         {numbers:?} {fixed:?}",
        path.display()
    )
}

#[test]
fn a_default_may_be_any_expression_of_the_type() {
    assert_eq!(
        text(defaults::tool(), json!({})),
        "fast x Fast Fast 11 -2 0.5 true c [1, 2] [\"a\"] /tmp 3 Opaque(1) Opaque(2) {} {\"a\":[1]} \
         [1, 2] [3, 4]"
    );
    assert_eq!(required(&defaults::tool()), Value::Null);
    let shown: Vec<String> = properties(defaults::tool())
        .iter()
        .map(|name| format!("{name} {}", property(defaults::tool(), name)["default"]))
        .collect();
    assert_eq!(
        shown,
        [
            "by_text \"fast\"",
            "lent \"x\"",
            "speed \"fast\"",
            "inferred \"fast\"",
            "called 11",
            "negative -2",
            "number 0.5",
            "flag true",
            "letter \"c\"",
            "list [1,2]",
            "texts [\"a\"]",
            "path \"/tmp\"",
            "by_ref 3",
            "opaque null",
            "opaque_by_ref null",
            "map {}",
            "any {\"a\":[1]}",
            "numbers [1,2]",
            "fixed [3,4]",
        ]
    );
    // What the type takes as a value is one, null included.
    let taken = json!({"any": null, "by_ref": 9, "speed": "slow", "opaque": 7, "list": null});
    assert_eq!(
        text(defaults::tool(), taken),
        "fast x Slow Fast 11 -2 0.5 true c [1, 2] [\"a\"] /tmp 9 Opaque(7) Opaque(2) {} null \
         [1, 2] [3, 4]"
    );
    let wrong = error(defaults::tool(), json!({"by_ref": "3", "flag": 1}));
    assert!(wrong.contains("/by_ref: ") && wrong.contains("/flag: "), "{wrong}");
}

#[data]
#[schemars(transparent)]
struct Percent(#[schemars(range(min = 0, max = 100))] u8);

#[data]
struct Pair {
    a: u8,
    b: Option<u8>,
}

#[tool]
#[allow(clippy::too_many_arguments)]
fn bounded(
    #[arg(min_length = 1, max_length = 2)] list: Option<Vec<u8>>,
    #[arg(min_length = 1, max_length = 2)] slice: &[String],
    #[arg(max_length = 1)] map: BTreeMap<String, u8>,
    #[arg(min = 10, max = 200)] percent: Percent,
    #[arg(min = -0.5, max = 1e3)] number: Option<f64>,
    #[arg(max_length = 1)] pair: Pair,
    #[arg(max_length = 2)] any: Value,
    #[arg(default = 7, max = 9)] defaulted: u8,
) -> String {
    let lengths = (list.map(|list| list.len()), slice.len(), map.len());
    format!("{lengths:?} {} {number:?} {}{:?} {any} {defaulted}", percent.0, pair.a, pair.b)
}

#[test]
fn lengths_are_those_of_the_type_and_tighter_bounds_of_the_type_stay() {
    let shown = |name| {
        let Value::Object(schema) = property(bounded::tool(), name) else { panic!("{name}") };
        let is_bound = |key: &&String| key.starts_with("min") || key.starts_with("max");
        let bounds = schema.keys().filter(is_bound).map(|key| format!("{key} {}", schema[key]));
        bounds.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(shown("list"), "minItems 1, maxItems 2");
    assert_eq!(shown("slice"), "minItems 1, maxItems 2");
    assert_eq!(shown("map"), "maxProperties 1");
    assert_eq!(shown("percent"), "minimum 10, maximum 100");
    assert_eq!(shown("number"), "minimum -0.5, maximum 1000.0");
    assert_eq!(shown("pair"), "maxProperties 1");
    assert_eq!(shown("any"), "maxLength 2, maxItems 2, maxProperties 2");
    let good = json!({
        "slice": ["a"], "map": {}, "percent": 10, "pair": {"a": 1}, "any": [1, 2], "number": 1000,
    });
    assert_eq!(text(bounded::tool(), good), "(None, 1, 0) 10 Some(1000.0) 1None [1,2] 7");
    let bad = json!({
        "list": [], "slice": ["a", "b", "c"], "map": {"a": 1, "b": 2}, "percent": 9, "number": -1,
        "pair": {"a": 1, "b": 2}, "any": "abc", "defaulted": 10,
    });
    let wrong = error(bounded::tool(), bad);
    for name in ["list", "slice", "map", "percent", "number", "pair", "any", "defaulted"] {
        assert!(wrong.contains(&format!("- /{name}: expected ")), "{name}: {wrong}");
    }
    let wrong = error(
        bounded::tool(),
        json!({"slice": ["a"], "map": {}, "percent": 101, "pair": {"a": 1}, "any": 1}),
    );
    assert!(wrong.contains("/percent: "), "{wrong}");
}

#[tool]
#[allow(clippy::too_many_arguments)]
fn wrong_kinds(
    #[arg(min = 1)] text: String,
    #[arg(min_length = 1)] number: u8,
    #[arg(pattern = "a")] flag: bool,
    #[arg(min = 9, max = 1)] empty: Option<i32>,
    #[arg(min = 300)] byte: u8,
    #[arg(default = 50, max = 9)] over: u8,
    #[arg(default = "DE", pattern = "^[a-z]+$")] unlike: String,
    #[arg(example = "a", example = 1)] example: u8,
    #[arg(example = {"a": 1, "c": 2})] object: Pair,
) -> String {
    format!("{text}{number}{flag}{empty:?}{byte}{over}{unlike}{example}{}{:?}", object.a, object.b)
}

#[data]
#[derive(Debug)]
enum Name {
    #[serde(rename = "1")]
    One,
}

#[data]
#[derive(Debug)]
#[serde(untagged)]
enum Mark {
    Named(Name),
    Given(u32),
}

#[tool(inline)]
fn mark(#[arg(lenient)] marks: Vec<Mark>) -> String {
    format!("{marks:?}")
}

#[test]
fn the_name_of_a_variant_stays_a_text_where_json_is_read() {
    assert_eq!(text(mark::tool(), json!({"marks": ["1", "2"]})), "[Named(One), Given(2)]");
}

/// The name of one argument begins with that of another.
#[tool]
fn names_alike(
    #[arg(default = 1, example = 2)] page: u32,
    page_size: u32,
    pages: Vec<String>,
) -> String {
    format!("{page}{page_size}{pages:?}")
}

#[test]
fn a_default_has_nothing_to_do_with_arguments_of_similar_names() {
    let call = json!({"page_size": 2, "pages": []});
    assert_eq!(text(names_alike::tool(), call), "12[]");
}

#[test]
fn build_names_what_cannot_hold() {
    let complaint = complaint(wrong_kinds::tool());
    let expected = [
        "argument `text`: `min` is for a number, and its type is string",
        "argument `number`: `min_length` is for a string, a list or a map, and its type is integer",
        "argument `flag`: `pattern` is for a string, and its type is boolean",
        "argument `empty`: nothing is at least 9 and at most 1 (`min`, `max`, its type)",
        "argument `byte`: nothing is at least 300 and at most 255 (`min`, `max`, its type)",
        "argument `over`: its default does not fit: ",
        "argument `unlike`: its default does not fit: ",
        "argument `example`: its example does not fit: ",
    ];
    for expected in expected {
        assert!(complaint.contains(&format!("tool `wrong_kinds`: {expected}")), "{complaint}");
    }
    assert_eq!(complaint.matches("argument `").count(), expected.len(), "{complaint}");
}

#[tool]
fn named(
    #[arg(rename = "type")] _kind: u8,
    #[arg(rename = "in-reply.to")] r#in: Option<u8>,
    #[arg(rename = "pair")] (a, b): (u8, u8),
    #[arg(min = 1)]
    #[arg(max = 2)]
    twice: u8,
) -> String {
    format!("{_kind} {in:?} {a} {b} {twice}", r#in = r#in)
}

#[test]
fn an_argument_may_be_called_like_anything() {
    assert_eq!(properties(named::tool()), ["type", "in-reply.to", "pair", "twice"]);
    let arguments = json!({"type": 1, "in-reply.to": 2, "pair": [3, 4], "twice": 2});
    assert_eq!(text(named::tool(), arguments), "1 Some(2) 3 4 2");
    assert_eq!(
        property(named::tool(), "twice"),
        json!({"type": "integer", "minimum": 1, "maximum": 2})
    );
}

#[tool(inline)]
fn of_types(
    #[arg(default)] speed: Speed,
    #[arg(default, max_length = 2)] texts: Vec<String>,
    #[arg(default)] lent: &str,
    #[arg(max = 9, default)] by_ref: &u8,
    #[arg(default)]
    #[serde(deserialize_with = "toolwright::__private::serde::Deserialize::deserialize")]
    passed: u16,
) -> String {
    format!("{speed:?} {texts:?} {lent:?} {by_ref} {passed}")
}

#[test]
fn a_default_without_an_expression_is_that_of_the_type() {
    assert_eq!(required(&of_types::tool()), Value::Null);
    assert_eq!(text(of_types::tool(), json!({})), "Fast [] \"\" 0 0");
    assert_eq!(property(of_types::tool(), "texts")["default"], json!([]));
    assert_eq!(property(of_types::tool(), "lent")["default"], "");
    assert_eq!(property(of_types::tool(), "by_ref")["default"], 0);
}
