//! Values that must match one of several schemas.

use std::collections::HashMap;

use serde_json::Value;
use toolwright::{Args, Tool, data, tool};

use super::refused;

#[data]
enum Tone {
    /// Kind words only.
    Warm,
    Number(u8),
}

#[data]
#[serde(untagged)]
enum Place {
    City { city: String },
    Point { x: f64, y: f64, label: Option<String> },
}

#[data]
enum Work {
    Draw { width: u8 },
    Count(u8),
    Rest,
}

#[data]
struct Order {
    priority: u8,
    #[serde(flatten)]
    work: Work,
}

#[data]
#[serde(untagged)]
enum Most {
    Count(#[schemars(range(max = 10))] u8),
    Name(#[schemars(length(max = 3))] String),
}

#[data]
struct Search {
    most: Most,
    page: u8,
}

#[data]
enum Shape {
    Circle { r: f64 },
    Square { side: f64 },
}

#[data]
#[serde(untagged)]
enum Target {
    Name(#[schemars(length(max = 3))] String),
    Shape(Shape),
}

#[data]
struct Find {
    target: Target,
    page: u8,
}

#[tool]
fn find(Args(find): Args<Find>) -> u8 {
    match find.target {
        Target::Name(name) => find.page + u8::from(name.is_empty()),
        Target::Shape(Shape::Circle { r: size } | Shape::Square { side: size }) => {
            find.page + u8::from(size > 0.0)
        }
    }
}

#[tool]
fn search(Args(search): Args<Search>) -> String {
    match search.most {
        Most::Count(count) => (count + search.page).to_string(),
        Most::Name(name) => name,
    }
}

#[tool]
fn write(tone: Tone, place: Option<Place>, value: Value) -> String {
    let tone = matches!(tone, Tone::Number(1));
    match place {
        Some(Place::City { city }) => city,
        Some(Place::Point { x, y, label }) => format!("{tone}{x}{y}{label:?}{value}"),
        None => String::new(),
    }
}

#[tool]
fn order(Args(order): Args<Order>) -> u8 {
    match order.work {
        Work::Draw { width: more } | Work::Count(more) => order.priority + more,
        Work::Rest => order.priority,
    }
}

#[tool]
fn names(by_number: HashMap<u8, String>) -> usize {
    by_number.len()
}

fn assert_refused(tool: &Tool, arguments: &str, problems: &[&str]) {
    let expected = format!("Invalid arguments for `{}`:\n- {}", tool.name(), problems.join("\n- "));
    assert_eq!(refused(tool, arguments), expected, "{arguments}");
}

#[test]
fn what_is_missing_is_described_by_its_alternatives() {
    assert_refused(
        &write::tool(),
        "{}",
        &["/tone: missing, expected \"Warm\" or object with `Number`", "/value: missing"],
    );
}

/// The first of several variants is not what a value means that has nothing of any.
#[test]
fn variants_that_miss_as_much_are_all_named() {
    let given = |place: &str| format!(r#"{{"tone":"Warm","value":1,"place":{place}}}"#);
    for (place, problem) in [
        ("{}", "/place/city: missing, expected string"),
        (r#"{"x":1}"#, "/place/y: missing, expected number"),
        (r#"{"label":"a"}"#, "/place/city: missing, expected string"),
    ] {
        assert_refused(&write::tool(), &given(place), &[problem]);
    }
    let any =
        "expected object with `Draw` or object with `Count` or object with `Rest`, got object";
    assert_refused(&order::tool(), r#"{"priority":1}"#, &[any]);
    assert_refused(&order::tool(), r#"{"priority":1,"Stop":{}}"#, &[any]);
    assert_refused(
        &order::tool(),
        r#"{"priority":1,"count":5}"#,
        &["/Count: missing, expected integer; `count` is unknown, did you mean `Count`?"],
    );
    assert_refused(
        &order::tool(),
        r#"{"priority":1,"Draw":{}}"#,
        &["/Draw/width: missing, expected integer"],
    );
}

#[test]
fn a_name_that_is_no_key_of_a_map_is_told_the_pattern() {
    assert_refused(
        &names::tool(),
        r#"{"by_number":{"one":"a"}}"#,
        &[r"/by_number/one: unknown, expected a name that matches `^\d+$`"],
    );
}

/// Beside a missing member all others are judged by the schema alone.
#[test]
fn the_bound_of_an_alternative_is_named_beside_other_problems() {
    let missing = "/page: missing, expected integer";
    for (most, problem) in [
        ("50", "/most: expected 0 to 10, got 50"),
        (r#""abcd""#, "/most: expected at most 3 characters, got 4"),
        ("true", "/most: expected integer or string, got boolean true"),
    ] {
        let arguments = format!(r#"{{"most":{most}}}"#);
        assert_refused(&search::tool(), &arguments, &[problem, missing]);
    }
}

/// An alternative that has alternatives itself is no alternative for every value.
#[test]
fn the_alternatives_of_an_alternative_are_named_and_compared() {
    let missing = "/page: missing, expected integer";
    let any = "string or object with `Circle` or object with `Square`";
    for (target, problem) in [
        (r#""abcd""#, "/target: expected at most 3 characters, got 4".to_owned()),
        ("5", format!("/target: expected {any}, got number 5")),
        (r#"{"Circle":{}}"#, "/target/Circle/r: missing, expected number".to_owned()),
    ] {
        let arguments = format!(r#"{{"target":{target}}}"#);
        assert_refused(&find::tool(), &arguments, &[&problem, missing]);
    }
}
