//! Numbers, texts and choices that types refuse.

use std::collections::BTreeMap;

use expect_test::expect;
use toolwright::{Value, data, tool};

use super::{is_taken, refused};

#[tool]
fn numbers(
    small: Option<u8>,
    signed: Option<i16>,
    large: Option<u64>,
    float: Option<f64>,
    letter: Option<char>,
) -> String {
    format!("{small:?}{signed:?}{large:?}{float:?}{letter:?}")
}

#[test]
fn integers_keep_to_their_range() {
    expect![[r#"
        Invalid arguments for `numbers`:
        - /small: expected 0 to 255, got 256
        - /signed: expected -32768 to 32767, got -32769
        - /large: expected at least 0, got -1"#]]
    .assert_eq(&refused(&numbers::tool(), r#"{"small":256,"signed":-32769,"large":-1}"#));
    expect![[r#"
        Invalid arguments for `numbers`:
        - /large: expected 0 to 18446744073709551615, got 18446744073709551616"#]]
    .assert_eq(&refused(&numbers::tool(), r#"{"large":18446744073709551616}"#));
    assert!(is_taken(
        &numbers::tool(),
        r#"{"small":255,"signed":-32768,"large":18446744073709551615}"#
    ));
}

#[test]
fn a_fraction_is_no_integer_and_an_integer_is_a_number() {
    expect![[r#"
        Invalid arguments for `numbers`:
        - /small: expected integer, got number 1.5"#]]
    .assert_eq(&refused(&numbers::tool(), r#"{"small":1.5,"signed":1.0,"large":1e3}"#));
    assert!(is_taken(&numbers::tool(), r#"{"small":1.0,"signed":-1e0,"large":1e3,"float":3}"#));
}

#[test]
fn what_is_no_value_at_all_is_told_where_it_stands() {
    expect![[r#"
        Invalid arguments for `numbers`:
        - /float: number out of range"#]]
    .assert_eq(&refused(&numbers::tool(), r#"{"float":1e400}"#));
    expect![[r#"
        Invalid arguments for `numbers`:
        - /letter: unexpected end of hex escape"#]]
    .assert_eq(&refused(&numbers::tool(), r#"{"letter":"\ud800"}"#));
    expect![[r#"
        Invalid arguments for `numbers`:
        - /letter: expected at most 1 character, got 3"#]]
    .assert_eq(&refused(&numbers::tool(), r#"{"letter":"two"}"#));
    expect![[r#"
        Invalid arguments for `anything`:
        - /value/list/2: lone leading surrogate in hex escape
        - /more: number out of range"#]]
    .assert_eq(&refused(&anything::tool(), r#"{"value":{"list":[1,"ok","\udc00"]},"more":1e999}"#));
}

#[tool]
fn anything(value: Value, more: Option<Value>) -> String {
    format!("{value}{more:?}")
}

#[test]
fn depth_is_limited() {
    let deep = |depth: usize| format!(r#"{{"value":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
    assert!(is_taken(&anything::tool(), &deep(120)));
    let refused = refused(&anything::tool(), &deep(200));
    let (pointer, words) = refused
        .strip_prefix("Invalid arguments for `anything`:\n- ")
        .unwrap()
        .split_once(": ")
        .unwrap();
    assert!(pointer.starts_with("/value/0/0/0"), "{pointer}");
    assert_eq!(words, "recursion limit exceeded");
}

#[data]
#[serde(rename_all = "snake_case")]
enum Unit {
    Celsius,
    Fahrenheit,
}

/// Documented variants are written another way in the schema.
#[data]
enum Side {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

#[tool]
fn choices(unit: Unit, sides: Option<Vec<Side>>) -> String {
    let unit = match unit {
        Unit::Celsius => "C",
        Unit::Fahrenheit => "F",
    };
    format!(
        "{unit}{}",
        sides.into_iter().flatten().filter(|side| matches!(side, Side::Left)).count()
    )
}

#[test]
fn a_wrong_choice_is_told_the_right_ones() {
    expect![[r#"
        Invalid arguments for `choices`:
        - /unit: expected one of "celsius", "fahrenheit", got string "kelvin"
        - /sides/1: expected "Left" or "Right", got string "up""#]]
    .assert_eq(&refused(&choices::tool(), r#"{"unit":"kelvin","sides":["Left","up"]}"#));
    expect![[r#"
        Invalid arguments for `choices`:
        - /unit: expected one of "celsius", "fahrenheit", got number 1
        - /sides: expected array, got string "Left""#]]
    .assert_eq(&refused(&choices::tool(), r#"{"unit":1,"sides":"Left"}"#));
    expect![[r#"
        Invalid arguments for `choices`:
        - /unit: missing, expected one of "celsius", "fahrenheit""#]]
    .assert_eq(&refused(&choices::tool(), "{}"));
}

#[tool]
fn containers(map: BTreeMap<String, u8>, pair: (u8, String), fixed: [bool; 2]) -> String {
    format!("{map:?}{pair:?}{fixed:?}")
}

#[test]
fn containers_point_at_what_is_in_them() {
    expect![[r#"
        Invalid arguments for `containers`:
        - /map/b~1c: expected integer, got string "x"
        - /pair/0: expected integer, got string "x"
        - /pair/1: expected string, got number 1
        - /fixed: expected at least 2 items, got 1"#]]
    .assert_eq(&refused(
        &containers::tool(),
        r#"{"map":{"a":1,"b/c":"x"},"pair":["x",1],"fixed":[true]}"#,
    ));
    expect![[r#"
        Invalid arguments for `containers`:
        - /map: expected object, got array
        - /pair: expected at most 2 items, got 3
        - /fixed: expected at most 2 items, got 3"#]]
    .assert_eq(&refused(
        &containers::tool(),
        r#"{"map":[],"pair":[1,"x",2],"fixed":[true,false,true]}"#,
    ));
}

#[tool]
fn flag(on: bool) -> bool {
    on
}

#[test]
fn long_values_are_cut_and_containers_are_only_named() {
    let long = "é".repeat(1000);
    let refused_text = refused(&flag::tool(), &format!(r#"{{"on":"{long}"}}"#));
    assert_eq!(
        refused_text,
        format!(
            "Invalid arguments for `flag`:\n- /on: expected boolean, got string \"{}…",
            "é".repeat(56)
        )
    );
    expect![[r#"
        Invalid arguments for `flag`:
        - /on: expected boolean, got object"#]]
    .assert_eq(&refused(&flag::tool(), r#"{"on":{"a":[1,2,3]}}"#));
    expect![[r#"
        Invalid arguments for `flag`:
        - /on: expected boolean, got string "true": write true without quotes"#]]
    .assert_eq(&refused(&flag::tool(), r#"{"on":"true"}"#));
    expect![[r#"
        Invalid arguments for `flag`:
        - /on: expected boolean, got number 1"#]]
    .assert_eq(&refused(&flag::tool(), r#"{"on":1}"#));
}

/// References to such types are percent-encoded.
#[test]
fn types_keep_their_bounds_whatever_their_names_are() {
    #[data]
    struct Größe {
        #[schemars(range(min = 1, max = 20))]
        cups: u32,
        #[serde(default)]
        parts: Vec<Größe>,
    }
    #[tool]
    fn order(size: Größe) {
        let _ = (size.cups, size.parts);
    }
    for (size, problem) in [
        (r#"{"cups":500}"#, "cups: expected 1 to 20, got 500"),
        (
            r#"{"cups":1,"parts":[{"cups":2,"parts":[{"cups":21}]}]}"#,
            "parts/0/parts/0/cups: expected 1 to 20, got 21",
        ),
        (
            r#"{"cups":1,"parts":[{"cups":"2"}]}"#,
            "parts/0/cups: expected integer, got string \"2\": write 2 without quotes",
        ),
    ] {
        assert_eq!(
            refused(&order::tool(), &format!(r#"{{"size":{size}}}"#)),
            format!("Invalid arguments for `order`:\n- /size/{problem}")
        );
    }
    let size = r#"{"cups":1.0,"parts":[{"cups":2.0,"parts":[{"cups":3e0}]}]}"#;
    assert!(is_taken(&order::tool(), &format!(r#"{{"size":{size}}}"#)));
}
