mod aliases;
mod alternatives;
mod bounds;
mod budget;
mod combined;
mod differential;
mod enforced;
mod hints;
mod named;
mod nested;
mod one_or_many;
mod tolerated;
mod values;

use std::fmt::Display;

use expect_test::expect;
use serde::{Deserialize, Serialize};
use toolwright::{Context, JsonSchema, data, tool};

use crate::mcp::args::BadArguments;
use crate::mcp::call::Begun;
use crate::mcp::tool::Tool;

fn decode(tool: &Tool, arguments: &str) -> Result<Begun, BadArguments> {
    tool.decoder().decode(Some(arguments), &Context::detached())
}

/// The text that the model reads about arguments that `tool` refuses.
fn refused(tool: &Tool, arguments: &str) -> String {
    match decode(tool, arguments) {
        Ok(_) => panic!("`{}` took {arguments}", tool.name()),
        Err(bad) => bad.to_string(),
    }
}

fn is_taken(tool: &Tool, arguments: &str) -> bool {
    decode(tool, arguments).is_ok()
}

fn is_malformed(tool: &Tool, arguments: &str) -> bool {
    decode(tool, arguments).is_err_and(|bad| bad.is_malformed())
}

#[tool]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[test]
fn every_problem_is_named_at_once() {
    expect![[r#"
        Invalid arguments for `add`:
        - /a: expected number, got string "x"
        - /c: unknown, known are `a`, `b`
        - /b: missing, expected number"#]]
    .assert_eq(&refused(&add::tool(), r#"{"a":"x","c":1}"#));
    expect![[r#"
        Invalid arguments for `add`:
        - /a: missing, expected number
        - /b: missing, expected number"#]]
    .assert_eq(&refused(&add::tool(), "{}"));
    expect![[r#"
        Invalid arguments for `add`:
        - /a: expected number, got null
        - /b: expected number, got array"#]]
    .assert_eq(&refused(&add::tool(), r#"{"a":null,"b":[]}"#));
}

#[test]
fn the_order_of_the_keys_changes_nothing() {
    assert_eq!(refused(&add::tool(), r#"{"c":1,"a":"x"}"#).lines().count(), 4);
    assert!(is_taken(&add::tool(), r#"{"b":1,"a":2}"#));
    assert!(is_taken(&add::tool(), "{ \"b\" : 1 ,\t\"a\" : 2 }"));
}

#[tool]
fn search(query: &str, limit: Option<u32>, case_sensitive: Option<bool>) -> String {
    format!("{query}{limit:?}{case_sensitive:?}")
}

#[test]
fn an_unknown_name_is_told_the_nearest_one() {
    expect![[r#"
        Invalid arguments for `search`:
        - /limits: unknown, did you mean `limit`?
        - /caseSensitive: unknown, did you mean `case_sensitive`?
        - /verbose: unknown, known are `query`, `limit`, `case_sensitive`"#]]
    .assert_eq(&refused(
        &search::tool(),
        r#"{"query":"x","limits":1,"caseSensitive":true,"verbose":1}"#,
    ));
    expect![[r#"
        Invalid arguments for `search`:
        - /Query: unknown, did you mean `query`?
        - /query: missing, expected string"#]]
    .assert_eq(&refused(&search::tool(), r#"{"Query":"x"}"#));
    // Two swapped letters are one mistake.
    expect![[r#"
        Invalid arguments for `search`:
        - /limti: unknown, did you mean `limit`?"#]]
    .assert_eq(&refused(&search::tool(), r#"{"query":"x","limti":1}"#));
}

#[test]
fn null_is_absence_where_that_is_allowed() {
    assert!(is_taken(&search::tool(), r#"{"query":"x","limit":null,"case_sensitive":null}"#));
    expect![[r#"
        Invalid arguments for `search`:
        - /query: expected string, got null"#]]
    .assert_eq(&refused(&search::tool(), r#"{"query":null,"limit":null}"#));
}

#[test]
fn a_key_given_twice_is_a_problem_whatever_it_says() {
    expect![[r#"
        Invalid arguments for `add`:
        - /a: given more than once"#]]
    .assert_eq(&refused(&add::tool(), r#"{"a":1,"b":2,"a":1}"#));
    expect![[r#"
        Invalid arguments for `add`:
        - /a: given more than once"#]]
    .assert_eq(&refused(&add::tool(), r#"{"a":"x","b":2,"a":1}"#));
    expect![[r#"
        Invalid arguments for `add`:
        - /a: expected number, got string "x"
        - /b: missing, expected number
        - /a: given more than once"#]]
    .assert_eq(&refused(&add::tool(), r#"{"a":1,"a":2,"a":"x"}"#));
}

#[test]
fn a_parameter_that_is_no_argument_has_no_member() {
    #[tool]
    async fn wait(cx: &Context, minutes: u32) -> u32 {
        let _ = cx;
        minutes
    }

    assert!(is_taken(&wait::tool(), r#"{"minutes":1}"#));
    expect![[r#"
        Invalid arguments for `wait`:
        - /cx: unknown, known are `minutes`"#]]
    .assert_eq(&refused(&wait::tool(), r#"{"cx":{},"minutes":1}"#));
}

#[test]
fn escaped_keys_are_the_names_they_stand_for() {
    assert!(is_taken(&add::tool(), r#"{"\u0061":1,"b":2}"#));
    expect![[r#"
        Invalid arguments for `add`:
        - /a: expected number, got string "x""#]]
    .assert_eq(&refused(&add::tool(), r#"{"\u0061":"x","b":2}"#));
    expect![[r#"
        Invalid arguments for `add`:
        - /x~1y~0z: unknown, known are `a`, `b`
        - /"q": unknown, known are `a`, `b`"#]]
    .assert_eq(&refused(&add::tool(), r#"{"a":1,"b":2,"x/y~z":3,"\"q\"":4}"#));
}

#[test]
fn arguments_that_are_no_json_are_the_protocols_business() {
    for text in [
        r#"{"a":1,"b":}"#,
        r#"{"a":1 "b":2}"#,
        r#"{"a":01,"b":2}"#,
        r#"{"a":tru,"b":2}"#,
        r#"{"a":1,"b":2,}"#,
        r#"{"a":"\x","b":2}"#,
    ] {
        assert!(is_malformed(&add::tool(), text), "{text}");
    }
    for text in [r#"{"a":"x"}"#, r#"{"a":1e400,"b":2}"#, r#"{"a":1,"b":"\ud800"}"#] {
        assert!(!is_malformed(&add::tool(), text), "{text}");
    }
}

#[test]
fn arguments_that_are_no_object_are_refused() {
    for text in ["[]", "null", "1", r#""{}""#] {
        assert!(!is_taken(&add::tool(), text), "{text}");
    }
}

#[tool]
fn injected(cx: &Context, value: u8) -> String {
    format!("{value}{:?}", cx.host())
}

#[test]
fn what_is_not_an_argument_is_no_known_name() {
    expect![[r#"
        Invalid arguments for `injected`:
        - /cx: unknown, known are `value`
        - /value: expected 0 to 255, got 300"#]]
    .assert_eq(&refused(&injected::tool(), r#"{"cx":1,"value":300}"#));
}

/// Takes even numbers only, which its schema does not say.
#[derive(JsonSchema, Serialize)]
#[schemars(crate = "toolwright::__private::schemars")]
struct Even(u32);

impl<'de> Deserialize<'de> for Even {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        fn error<E: serde::de::Error>(message: impl Display) -> E {
            E::custom(message)
        }
        match u32::deserialize(deserializer)? {
            even if even % 2 == 0 => Ok(Self(even)),
            odd => Err(error(format_args!("{odd} is odd, and only even numbers are taken"))),
        }
    }
}

#[data]
struct Evens {
    list: Vec<Even>,
}

#[tool]
fn evens(one: Even, many: Option<Evens>) -> u32 {
    one.0 + many.map_or(0, |many| many.list.iter().map(|even| even.0).sum())
}

#[test]
fn a_type_that_refuses_in_its_own_words_is_quoted() {
    assert!(is_taken(&evens::tool(), r#"{"one":2}"#));
    expect![[r#"
        Invalid arguments for `evens`:
        - /one: 3 is odd, and only even numbers are taken"#]]
    .assert_eq(&refused(&evens::tool(), r#"{"one":3}"#));
    expect![[r#"
        Invalid arguments for `evens`:
        - /one: 3 is odd, and only even numbers are taken
        - /many/list/2: 5 is odd, and only even numbers are taken"#]]
    .assert_eq(&refused(&evens::tool(), r#"{"one":3,"many":{"list":[2,4,5,7]}}"#));
    expect![[r#"
        Invalid arguments for `evens`:
        - /one: expected 0 to 4294967295, got -3
        - /many/list/2: 5 is odd, and only even numbers are taken"#]]
    .assert_eq(&refused(&evens::tool(), r#"{"one":-3,"many":{"list":[2,4,5]}}"#));
}
