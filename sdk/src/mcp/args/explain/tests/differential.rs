//! Exactly the arguments are taken that serde takes and that keep the schema's bounds, by the word
//! of another validator. The values are made from the schema, with its types but not its bounds.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, json};
use toolwright::{Args, Tool, Value, data, tool};

use super::is_taken;
use super::named::{Meters, Name, Names, Percent, Wrapped};

/// Choices that proptest makes and shortens.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, count: usize) -> usize {
        usize::from(*self.0.next().unwrap_or(&0)) % count
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

fn value(root: &Value, schema: &Value, depth: usize, choices: &mut Choices<'_>) -> Value {
    let Value::Object(members) = schema else { return json!([1, {"any": null}]) };
    if let Some(target) = members.get("$ref") {
        let target = target.as_str().unwrap().strip_prefix('#').unwrap();
        return value(root, root.pointer(target).unwrap(), depth, choices);
    }
    if let Some(only) = members.get("const").filter(|_| choices.below(8) > 0) {
        return only.clone();
    }
    if let Some(Value::Array(values)) = members.get("enum").filter(|_| choices.below(8) > 0) {
        return choices.one(values);
    }
    let mut whole = match members.get("type") {
        Some(Value::Array(kinds)) => {
            let kind = choices.one(kinds);
            typed(root, members, kind.as_str().unwrap(), depth, choices)
        }
        Some(kind) => typed(root, members, kind.as_str().unwrap(), depth, choices),
        None => Value::Null,
    };
    for key in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = members.get(key) {
            let branch =
                if depth > 6 { branches.last().unwrap().clone() } else { choices.one(branches) };
            match (&mut whole, value(root, &branch, depth + 1, choices)) {
                (Value::Object(whole), Value::Object(more)) => whole.extend(more),
                (whole, branch) => *whole = branch,
            }
        }
    }
    whole
}

fn typed(
    root: &Value,
    schema: &Map<String, Value>,
    kind: &str,
    depth: usize,
    choices: &mut Choices<'_>,
) -> Value {
    let list = |key: &str| schema.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    match kind {
        "null" => Value::Null,
        "boolean" => json!(choices.below(2) == 0),
        "integer" => json!(choices.one(&[0, 1, 2, 5, 9, 10, 11, 100, 127, -1, -2, 255, 300])),
        "number" => choices.one(&[
            json!(0),
            json!(0.5),
            json!(1),
            json!(9.0),
            json!(9.5),
            json!(-1.5),
            json!(90),
            json!(1e20),
        ]),
        "string" => {
            json!(choices.one(&["", "a", "ab", "abc", "abcd", "äö", "😀😀😀", "a-1", "B-22", "\n"]))
        }
        "array" => {
            let mut items: Vec<Value> = list("prefixItems")
                .iter()
                .map(|item| value(root, item, depth + 1, choices))
                .collect();
            if let Some(item) = schema.get("items") {
                let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0) as usize;
                let random = choices.below(9);
                let count = if depth > 6 || random > 3 { least } else { random };
                items.extend((0..count).map(|_| value(root, item, depth + 1, choices)));
            }
            items.into()
        }
        "object" => {
            let required = list("required");
            let mut object = Map::new();
            for (name, property) in
                schema.get("properties").and_then(Value::as_object).into_iter().flatten()
            {
                let is_required = required.iter().any(|required| required == name);
                if (is_required && choices.below(12) > 0) || (depth < 6 && choices.below(2) == 0) {
                    object.insert(name.clone(), value(root, property, depth + 1, choices));
                }
            }
            let patterns = schema.get("patternProperties").and_then(Value::as_object);
            let pattern = patterns.and_then(|patterns| patterns.values().next());
            let additional = schema.get("additionalProperties").filter(|more| more.is_object());
            if let Some(member) = pattern.or(additional) {
                for _ in 0..choices.below(4) {
                    let name = choices.one(&["7", "0", "12", "7"]);
                    object.insert(name.into(), value(root, member, depth + 1, choices));
                }
            }
            object.into()
        }
        _ => unreachable!("{kind}"),
    }
}

/// Takes null away where it means absence, which the schema of a tool does not say.
fn without_null(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(without_null);
        }
        Value::Array(items) => items.iter_mut().for_each(without_null),
        _ => {}
    }
}

/// Whether a value that was made by the choices is taken, and whether it should be, by the schema
/// that clients see.
fn verdicts<T: DeserializeOwned + JsonSchema>(tool: &Tool, choices: &[u8]) -> (bool, bool, String) {
    let schema = schemars::schema_for!(T).to_value();
    let mut value = value(&schema, &schema, 0, &mut Choices(choices.iter()));
    let text = value.to_string();
    without_null(&mut value);
    let listed = tool.input_schema().get().parse::<Value>().unwrap();
    let expected = serde_json::from_str::<T>(&text).is_ok()
        && jsonschema::draft202012::is_valid(&listed, &value);
    (is_taken(tool, &text), expected, text)
}

#[data]
enum Level {
    Low,
    High,
}

#[data]
struct Point {
    #[schemars(range(min = -1, max = 9))]
    x: i32,
    #[schemars(range(max = 9.25))]
    y: Option<f32>,
}

#[data]
#[serde(tag = "kind")]
enum Internal {
    Unit,
    Point(Point),
    Text {
        #[schemars(length(max = 2))]
        text: String,
    },
}

#[data]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    Point(Point),
    Many(#[schemars(length(max = 1))] Vec<u8>),
}

#[data]
enum External {
    Unit,
    Byte(#[schemars(range(max = 9))] u8),
    Pair(u8, Point),
    Fields {
        #[schemars(length(min = 1))]
        name: String,
    },
}

#[data]
#[serde(untagged)]
enum Untagged {
    Number(#[schemars(range(max = 9))] i64),
    Text(#[schemars(length(max = 2))] String),
    Points(#[schemars(length(max = 2))] Vec<Point>),
    Flag(bool),
}

#[data]
struct Scalars {
    #[schemars(range(min = 1, max = 10))]
    byte: u8,
    #[schemars(range(min = -1.5, max = 90.0))]
    float: f64,
    #[schemars(extend("multipleOf" = 5))]
    step: i64,
    #[schemars(range(min = 2))]
    large: u128,
    #[schemars(length(min = 1, max = 3), regex(pattern = "^[a-zä😀].*"))]
    text: String,
    #[schemars(length(min = 2))]
    borrowed: Option<Cow<'static, str>>,
    boxed: Option<Box<str>>,
    #[schemars(extend("enum" = ["a", "ab"]))]
    one_of: String,
    #[schemars(extend("const" = 9))]
    only: f64,
    level: Level,
    non_zero: Option<std::num::NonZeroU16>,
}

#[data]
struct Lists {
    #[schemars(length(min = 1, max = 3))]
    list: Vec<Vec<Point>>,
    set: BTreeSet<u8>,
    #[schemars(extend("uniqueItems" = true))]
    unique: Vec<Point>,
    pair: Option<(Point, Level)>,
    #[schemars(inner(range(max = 9)))]
    inner: Vec<u16>,
    array: [Level; 2],
}

#[data]
struct Maps {
    #[schemars(extend("maxProperties" = 2))]
    by_name: HashMap<String, Point>,
    by_number: BTreeMap<u8, Point>,
    by_sign: BTreeMap<i16, Option<Vec<Point>>>,
    by_level: Option<BTreeMap<Level2, Point>>,
}

#[data]
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Level2 {
    Low,
    High,
}

#[data]
struct Enums {
    internal: Internal,
    adjacent: Option<Adjacent>,
    external: Vec<External>,
    untagged: Vec<Untagged>,
}

#[data]
struct Flat {
    #[serde(flatten)]
    point: Point,
    #[serde(flatten)]
    internal: Option<Internal>,
    #[serde(default)]
    more: Vec<Flat>,
}

#[data]
#[serde(deny_unknown_fields)]
struct Closed {
    #[schemars(length(max = 2))]
    name: String,
    #[serde(default)]
    children: Vec<Closed>,
    next: Option<Box<Closed>>,
}

#[data]
struct Numbers {
    #[schemars(range(max = 9))]
    near: Meters,
    #[schemars(range(min = 1, max = 99))]
    far: Option<Meters>,
    free: Option<Meters>,
    #[schemars(range(max = 200))]
    more: Option<Percent>,
    #[schemars(range(min = 5))]
    less: Option<Percent>,
    wrapped: Option<Wrapped>,
    pair: Option<Side>,
    #[schemars(length(max = 2), inner(range(max = 9)))]
    list: Vec<Meters>,
    #[schemars(inner(range(max = 9)))]
    maybe: Option<Vec<Option<Meters>>>,
}

#[data]
struct Side(#[schemars(range(max = 9))] Meters, #[schemars(length(max = 3))] Name);

#[data]
struct Words {
    #[schemars(length(max = 3), regex(pattern = "^[a-zä]"))]
    name: Name,
    #[schemars(contains("a"))]
    part: Option<Box<Name>>,
    free: Option<Name>,
    #[schemars(length(min = 1), inner(length(max = 2)))]
    names: Option<Names>,
    more: Option<Names>,
    #[schemars(length(max = 3))]
    level: Option<Level>,
    #[schemars(length(max = 2))]
    nodes: Option<Nodes>,
}

#[data]
struct Node {
    #[schemars(length(max = 1))]
    nodes: Nodes,
}

#[data]
struct Nodes(Vec<Node>);

macro_rules! differential {
    ($($name:ident: $type:ty;)*) => {$(
        #[test]
        fn $name() {
            #[tool]
            fn check(Args(it): Args<$type>) {
                drop(it);
            }
            let tool = check::tool();
            let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) };
            let mut counts = [0, 0];
            // The same values each time: valid ones are rare.
            let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
            let mut runner = TestRunner::new_with_rng(config, rng);
            let counted = std::cell::RefCell::new(&mut counts);
            runner
                .run(&prop::collection::vec(any::<u8>(), 0..200), |choices| {
                    let (is_taken, expected, text) = verdicts::<$type>(&tool, &choices);
                    counted.borrow_mut()[usize::from(expected)] += 1;
                    prop_assert_eq!(is_taken, expected, "{}", text);
                    Ok(())
                })
                .unwrap();
            // Otherwise the test says nothing.
            assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
        }
    )*};
}

differential! {
    scalars: Scalars;
    lists: Lists;
    maps: Maps;
    enums: Enums;
    flat: Flat;
    closed: Closed;
    numbers: Numbers;
    words: Words;
}
