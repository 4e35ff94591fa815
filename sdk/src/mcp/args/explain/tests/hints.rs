//! What a model is told about mistakes that models often make.

use expect_test::expect;
use serde::Deserialize;
use toolwright::{Args, JsonSchema, data, duration, tool};

use super::{is_taken, refused};

#[tool]
fn mail(to: String, subject: Option<String>) -> String {
    format!("{to}{subject:?}")
}

#[test]
fn two_swapped_letters_are_found_in_short_names() {
    expect![[r#"
        Invalid arguments for `mail`:
        - /ot: unknown, did you mean `to`?
        - /to: missing, expected string"#]]
    .assert_eq(&refused(&mail::tool(), r#"{"ot":"a@example.com"}"#));
    // What is there already was not meant.
    expect![[r#"
        Invalid arguments for `mail`:
        - /ot: unknown, known are `to`, `subject`"#]]
    .assert_eq(&refused(&mail::tool(), r#"{"to":"a@example.com","ot":"b"}"#));
}

#[data]
struct Pin {
    label: String,
    colour: Option<String>,
    position: Position,
}

#[data]
struct Position {
    x: i32,
    y: Option<i32>,
}

#[tool]
fn pin(pin: Pin) -> String {
    format!("{}{:?}{}{:?}", pin.label, pin.colour, pin.position.x, pin.position.y)
}

#[tool]
fn pin_whole(Args(pin): Args<Pin>) -> String {
    format!("{}{:?}{}{:?}", pin.label, pin.colour, pin.position.x, pin.position.y)
}

#[test]
fn a_misspelt_field_is_named_beside_what_is_missing() {
    expect![[r#"
        Invalid arguments for `pin`:
        - /pin/label: missing, expected string; `lable` is unknown, did you mean `label`?"#]]
    .assert_eq(&refused(&pin::tool(), r#"{"pin":{"lable":"a","position":{"x":1}}}"#));
    expect![[r#"
        Invalid arguments for `pin_whole`:
        - /label: missing, expected string; `lable` is unknown, did you mean `label`?"#]]
    .assert_eq(&refused(&pin_whole::tool(), r#"{"lable":"a","position":{"x":1}}"#));
}

#[test]
fn where_an_object_is_expected_its_fields_are_listed() {
    expect![[r#"
        Invalid arguments for `pin`:
        - /pin/position: expected object with `x` (integer), `y` (integer, optional), got string "1, 2""#]]
        .assert_eq(&refused(&pin::tool(), r#"{"pin":{"label":"a","position":"1, 2"}}"#));
    expect![[r#"
        Invalid arguments for `pin`:
        - /pin: expected object with `label` (string), `colour` (string, optional), `position` (object), got array"#]].assert_eq(&refused(&pin::tool(), r#"{"pin":[]}"#));
}

#[test]
fn what_is_sent_as_a_string_is_said_to_be_so() {
    expect![[r#"
        Invalid arguments for `pin`:
        - /pin: expected object with `label` (string), `colour` (string, optional), `position` (object), got string "{\"label\":\"a\",\"position\":{\"x\":1}}": send the object itself, not a string of it"#]]
        .assert_eq(&refused(&pin::tool(), r#"{"pin":"{\"label\":\"a\",\"position\":{\"x\":1}}"}"#));
    expect![[r#"
        Invalid arguments for `pin_whole`:
        - /position/x: expected integer, got string "1": write 1 without quotes
        - /position/y: expected integer, got string "2.5""#]]
    .assert_eq(&refused(&pin_whole::tool(), r#"{"label":"a","position":{"x":"1","y":"2.5"}}"#));
}

#[tool]
fn listed(list: Vec<u8>, all: bool) -> usize {
    list.len() + usize::from(all)
}

#[test]
fn lists_numbers_and_booleans_may_be_in_strings_too() {
    expect![[r#"
        Invalid arguments for `listed`:
        - /list: expected array, got string "[1, 2]": send the array itself, not a string of it
        - /all: expected boolean, got string "true": write true without quotes"#]]
    .assert_eq(&refused(&listed::tool(), r#"{"list":"[1, 2]","all":"true"}"#));
    expect![[r#"
        Invalid arguments for `listed`:
        - /list: expected array, got string "[1, 2"
        - /all: expected boolean, got string "yes""#]]
    .assert_eq(&refused(&listed::tool(), r#"{"list":"[1, 2","all":"yes"}"#));
    expect![[r#"
        Invalid arguments for `listed`:
        - /list: expected array, got string "{}"
        - /all: expected boolean, got string "1""#]]
    .assert_eq(&refused(&listed::tool(), r#"{"list":"{}","all":"1"}"#));
}

#[test]
fn arguments_that_are_all_wrapped_in_one_are_said_to_be_so() {
    expect![[r#"
        Invalid arguments for `mail`:
        - /args: unknown, and wraps all arguments: send its members themselves"#]]
    .assert_eq(&refused(&mail::tool(), r#"{"args":{"to":"a","subject":"b"}}"#));
    expect![[r#"
        Invalid arguments for `pin_whole`:
        - /input: unknown, and wraps all arguments: send its members themselves"#]]
    .assert_eq(&refused(&pin_whole::tool(), r#"{"input":{"label":"a","position":{"x":"1"}}}"#));
    // These are other mistakes.
    expect![[r#"
        Invalid arguments for `mail`:
        - /args: unknown, known are `to`, `subject`
        - /to: missing, expected string"#]]
    .assert_eq(&refused(&mail::tool(), r#"{"args":{"to":"a","from":"b"}}"#));
    expect![[r#"
        Invalid arguments for `mail`:
        - /args: unknown, known are `to`, `subject`
        - /to: missing, expected string"#]]
    .assert_eq(&refused(&mail::tool(), r#"{"args":{}}"#));
}

#[data]
struct Bounded {
    #[schemars(range(min = 1, max = 100))]
    percent: i32,
    #[schemars(range(max = 10))]
    count: u8,
    signed: Option<i64>,
    unsigned: Option<u64>,
    wide: Option<u128>,
}

#[tool]
fn bounded(Args(of): Args<Bounded>) -> String {
    format!("{}{}{:?}{:?}{:?}", of.percent, of.count, of.signed, of.unsigned, of.wide)
}

#[test]
fn a_number_out_of_range_is_told_the_range() {
    expect![[r#"
        Invalid arguments for `bounded`:
        - /percent: expected 1 to 100, got 500
        - /count: expected 0 to 10, got 11"#]]
    .assert_eq(&refused(&bounded::tool(), r#"{"percent":500,"count":11}"#));
    expect![[r#"
        Invalid arguments for `bounded`:
        - /count: expected 0 to 10, got 256
        - /percent: expected 1 to 100, got 500"#]]
    .assert_eq(&refused(&bounded::tool(), r#"{"percent":500,"count":256}"#));
    for (name, value) in [
        ("signed", "9223372036854775808"),
        ("signed", "-9223372036854775809"),
        ("unsigned", "18446744073709551616"),
        ("wide", "-1"),
        ("wide", "340282366920938463463374607431768211456"),
    ] {
        let arguments = format!(r#"{{"percent":1,"count":1,"{name}":{value}}}"#);
        let said = refused(&bounded::tool(), &arguments);
        assert!(said.contains(&format!("/{name}: expected")), "{said}");
        assert!(said.ends_with(&format!("got {value}")) || value.len() > 30, "{said}");
    }
    expect![[r#"
        Invalid arguments for `bounded`:
        - /unsigned: expected 0 to 18446744073709551615, got 18446744073709551616"#]]
    .assert_eq(&refused(
        &bounded::tool(),
        r#"{"percent":1,"count":1,"unsigned":18446744073709551616}"#,
    ));
    assert!(is_taken(
        &bounded::tool(),
        r#"{"percent":1,"count":1,"unsigned":18446744073709551615}"#
    ));
}

/// A day of 2026, checked by hand.
#[derive(JsonSchema)]
#[schemars(crate = "toolwright::__private::schemars")]
struct Day(#[schemars(extend("format" = "date"))] String);

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.starts_with("2026-") {
            true => Ok(Self(text)),
            false => Err(serde::de::Error::custom("not a day of 2026")),
        }
    }
}

#[tool]
fn appointments(day: Day, others: Option<Vec<Day>>) -> String {
    format!("{}{}", day.0, others.map_or(0, |others| others.len()))
}

#[test]
fn a_date_is_told_its_format_and_its_value() {
    assert!(is_taken(&appointments::tool(), r#"{"day":"2026-11-22"}"#));
    expect![[r#"
        Invalid arguments for `appointments`:
        - /day: expected a date such as 2026-11-22, got string "tomorrow" (not a day of 2026)
        - /others/1: expected a date such as 2026-11-22, got string "2025-01-01" (not a day of 2026)"#]].assert_eq(&refused(
        &appointments::tool(),
        r#"{"day":"tomorrow","others":["2026-11-23","2025-01-01"]}"#,
    ));
}

#[tool]
fn wait(time: duration::Text, more: Option<duration::Text>) -> String {
    format!("{time}{more:?}")
}

#[test]
fn the_examples_of_an_argument_are_told() {
    assert!(is_taken(&wait::tool(), r#"{"time":"1.5s","more":"2m"}"#));
    expect![[r#"
        Invalid arguments for `wait`:
        - /time: expected string such as "1.5s", "200ms", "2m" or "1h30m", got number 5
        - /more: expected a match of `^([0-9]+(\.[0-9]+)?(h|m|s|ms|us|ns))+$` such as "1.5s", "200ms", "2m" or "1h30m", got "soon""#]].assert_eq(&refused(&wait::tool(), r#"{"time":5,"more":"soon"}"#));
    #[tool]
    fn named(name: Name) -> String {
        name.0
    }
    expect![[r#"
        Invalid arguments for `named`:
        - /name: expected a match of `^[a-z]+$` such as "ada", got "x1""#]]
    .assert_eq(&refused(&named::tool(), r#"{"name":"x1"}"#));
    expect![[r#"
        Invalid arguments for `named`:
        - /name: expected string such as "ada", got null"#]]
    .assert_eq(&refused(&named::tool(), r#"{"name":null}"#));
}

/// A name.
#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "toolwright::__private::schemars")]
struct Name(#[schemars(extend("pattern" = "^[a-z]+$", "examples" = ["ada"]))] String);

#[cfg(all(feature = "chrono", feature = "uuid", feature = "url"))]
#[test]
fn dates_and_addresses_of_other_crates_are_told_their_formats() {
    #[tool]
    fn visit(
        at: chrono::DateTime<chrono::Utc>,
        day: chrono::NaiveDate,
        id: uuid::Uuid,
        page: url::Url,
    ) -> String {
        format!("{at}{day}{id}{page}")
    }
    let arguments = r#"{"at":"tomorrow","day":"22.11.2026","id":"7","page":"example.com"}"#;
    expect![[r#"
        Invalid arguments for `visit`:
        - /at: expected a date and time such as 2026-11-22T02:50:00Z, got string "tomorrow" (input contains invalid characters)
        - /day: expected a date such as 2026-11-22, got string "22.11.2026" (input contains invalid characters)
        - /id: expected a UUID such as 67e55044-10b1-426f-9247-bb680e5fe0c8, got string "7" (UUID parsing failed: invalid length: found 1)
        - /page: expected a URI such as https://example.com/, got string "example.com" (relative URL without a base: "example.com")"#]].assert_eq(&refused(&visit::tool(), arguments));
}

/// A figure.
#[data]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Figure {
    Circle { radius: f64 },
    Text { lines: Vec<Position> },
}

/// What to do.
#[data]
#[serde(rename_all = "lowercase")]
enum Step {
    Start,
    Stop,
    Move { by: Position },
    Draw(Figure),
}

#[tool]
fn run(steps: Vec<Step>) -> usize {
    let lines = steps.iter().map(|step| match step {
        Step::Start | Step::Stop => 0,
        Step::Move { by } => by.x as usize,
        Step::Draw(Figure::Circle { radius }) => *radius as usize,
        Step::Draw(Figure::Text { lines }) => lines.len(),
    });
    lines.sum()
}

#[test]
fn pointers_reach_into_tagged_enums_and_misspelt_tags_find_theirs() {
    let said = |step: &str| refused(&run::tool(), &format!(r#"{{"steps":["start",{step}]}}"#));
    expect![[r#"
        Invalid arguments for `run`:
        - /steps/1/draw/lines/1/x: expected integer, got string "2": write 2 without quotes"#]]
    .assert_eq(&said(r#"{"draw":{"kind":"text","lines":[{"x":1},{"x":"2"}]}}"#));
    expect![[r#"
        Invalid arguments for `run`:
        - /steps/1/draw/kind: expected "circle" or "text", got string "cirlce", did you mean "circle"?"#]].assert_eq(&said(r#"{"draw":{"kind":"cirlce","radius":1}}"#));
    expect![[r#"
        Invalid arguments for `run`:
        - /steps/1/mvoe: unknown, did you mean `move`?"#]]
    .assert_eq(&said(r#"{"mvoe":{"by":{"x":1}}}"#));
    expect![[r#"
        Invalid arguments for `run`:
        - /steps/1: expected one of "start", "stop" or object with `move` or object with `draw`, got string "strat", did you mean "start"?"#]].assert_eq(&said(r#""strat""#));
    expect![[r#"
        Invalid arguments for `run`:
        - /steps/1/draw: expected object with `kind`, `radius` or object with `kind`, `lines`, got string "{\"kind\":\"circle\",\"radius\":1}": send the object itself, not a string of it"#]].assert_eq(&said(r#"{"draw":"{\"kind\":\"circle\",\"radius\":1}"}"#));
}
