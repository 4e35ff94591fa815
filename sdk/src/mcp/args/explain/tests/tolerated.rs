//! What a type takes is not refused because its schema says less. Each signature has a bound, so
//! that its schema is looked at.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU8;

use serde::Deserialize;
use toolwright::{Args, Tool, data, tool};

use super::{is_taken, refused};

#[data]
enum Level {
    #[serde(alias = "low", alias = "LOW")]
    Low,
    High,
    #[serde(other)]
    Unknown,
}

#[data]
#[serde(tag = "kind")]
enum Shape {
    #[serde(alias = "circle")]
    Circle {
        #[schemars(range(max = 9.0))]
        radius: f64,
    },
    #[serde(other)]
    Other,
}

#[data]
enum Documented {
    /// The first.
    #[serde(alias = "1")]
    First,
    /// Anything else.
    #[serde(other)]
    Else,
}

fn number<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(serde::de::Error::custom)
}

#[data]
struct Everything {
    #[serde(alias = "nm")]
    #[schemars(length(max = 5))]
    name: String,
    #[serde(default, deserialize_with = "number")]
    #[schemars(range(max = 10))]
    count: u8,
    #[serde(default)]
    by_number: HashMap<u32, String>,
    #[serde(default)]
    by_sign: BTreeMap<i8, Level>,
    #[serde(default)]
    by_level: BTreeMap<String, Vec<Option<Level>>>,
    level: Option<Level>,
    shape: Option<Shape>,
    documented: Option<Documented>,
    large: Option<u128>,
    small: Option<i128>,
    letter: Option<char>,
    non_zero: Option<NonZeroU8>,
    borrowed: Option<Cow<'static, str>>,
    boxed: Option<Box<str>>,
    duration: Option<std::time::Duration>,
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

#[tool]
fn named(of: Everything) -> bool {
    let Everything { name, count, by_number, by_sign, by_level, level, shape, documented, .. } = of;
    drop((name, count, by_number, by_sign, by_level, level, documented));
    matches!(shape, Some(Shape::Circle { radius }) if radius > 0.0)
}

#[tool]
fn whole(Args(of): Args<Everything>) -> usize {
    let Everything { large, small, letter, non_zero, borrowed, boxed, duration, rest, .. } = of;
    drop((large, small, letter, non_zero, borrowed, boxed, duration));
    rest.len()
}

const GOOD: [&str; 23] = [
    r#"{"name":"a"}"#,
    r#"{"nm":"a"}"#,
    r#"{"name":"a","by_number":{"1":"x","4294967295":"y"}}"#,
    r#"{"name":"a","by_sign":{"-128":"low","7":"anything"}}"#,
    r#"{"name":"a","by_level":{"x":["LOW","High",null,"?"]}}"#,
    r#"{"name":"a","level":"low"}"#,
    r#"{"name":"a","level":"never heard"}"#,
    r#"{"name":"a","level":null,"shape":null}"#,
    r#"{"name":"a","shape":{"kind":"circle","radius":99}}"#,
    r#"{"name":"a","shape":{"kind":"square","side":1}}"#,
    r#"{"name":"a","documented":"1"}"#,
    r#"{"name":"a","documented":"2"}"#,
    r#"{"name":"a","count":"5"}"#,
    r#"{"name":"a","count":"200"}"#,
    r#"{"name":"a","large":340282366920938463463374607431768211455}"#,
    r#"{"name":"a","small":-170141183460469231731687303715884105728}"#,
    r#"{"name":"a","letter":"\ud83d\ude00","non_zero":255}"#,
    r#"{"name":"a","borrowed":"\u0000","boxed":""}"#,
    r#"{"name":"a","duration":{"secs":1,"nanos":2}}"#,
    r#"{"n\u0061me":"\u0061","anything":[[[]]],"more":{"a":1,"a":2}}"#,
    r#"{ "name" : "a" , "by_number" : { } }"#,
    r#"{"rest":1,"rest2":1e308,"name":"a"}"#,
    r#"{"name":"a","level":{"Low":null}}"#,
];

fn takes(tool: &Tool, arguments: &str) -> bool {
    is_taken(
        tool,
        &if tool.name() == "named" {
            format!(r#"{{"of":{arguments}}}"#)
        } else {
            arguments.to_owned()
        },
    )
}

#[test]
fn what_serde_takes_is_taken() {
    for arguments in GOOD {
        serde_json::from_str::<Everything>(arguments).unwrap();
        for tool in [named::tool(), whole::tool()] {
            assert!(takes(&tool, arguments), "{} {arguments}", tool.name());
        }
    }
}

#[test]
fn a_bound_beside_it_still_holds() {
    for arguments in [
        r#"{"name":"abcdef"}"#,
        r#"{"name":"abcdef","level":"low"}"#,
        r#"{"name":"a","shape":{"kind":"Circle","radius":99}}"#,
    ] {
        for tool in [named::tool(), whole::tool()] {
            assert!(!takes(&tool, arguments), "{} {arguments}", tool.name());
        }
    }
}

/// The problems of a refused value are those that the type has, not others that the schema sees.
#[test]
fn an_alias_is_not_called_missing() {
    assert_eq!(
        refused(&whole::tool(), r#"{"nm":"a","large":"x","by_number":{"1":"a"}}"#),
        "Invalid arguments for `whole`:\n- /large: expected integer, got string \"x\""
    );
    // What stands before the refused value was taken.
    assert_eq!(
        refused(
            &whole::tool(),
            r#"{"nm":"a","documented":"2","count":"5","level":"low","large":"x"}"#
        ),
        "Invalid arguments for `whole`:\n- /large: expected integer, got string \"x\""
    );
}

#[data]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Pair(u8, String),
    Fields { a: u8, b: String },
}

#[tool]
fn adjacent(of: Vec<Adjacent>) -> usize {
    let sizes = of.into_iter().map(|of| match of {
        Adjacent::Pair(a, b) | Adjacent::Fields { a, b } => usize::from(a) + b.len(),
    });
    sizes.sum()
}

/// The tag was taken before the content was refused, and still tells what the content means.
#[test]
fn what_was_taken_tells_what_the_rest_means() {
    for (arguments, problem) in [
        (r#"{"of":[{"t":"Pair","c":[1,2]}]}"#, "/of/0/c/1: expected string, got number 2"),
        (
            r#"{"of":[{"t":"Pair","c":[1,""]},{"t":"Fields","c":{"a":1}}]}"#,
            "/of/1/c/b: missing, expected string",
        ),
        (
            r#"{"of":[{"t":"None","c":[1,2]}]}"#,
            r#"/of/0/t: expected "Pair" or "Fields", got string "None""#,
        ),
    ] {
        assert_eq!(
            refused(&adjacent::tool(), arguments),
            format!("Invalid arguments for `adjacent`:\n- {problem}")
        );
    }
}

#[data]
#[serde(deny_unknown_fields)]
struct Called {
    count: u8,
    #[serde(alias = "nm")]
    name: String,
    shape: Option<Shape>,
    step: Option<Step>,
}

#[data]
enum Step {
    #[serde(alias = "go")]
    Go(u8),
    Stop,
}

#[tool]
fn called(of: Called) -> String {
    let Called { count, name, shape, step } = of;
    let (shape, step) = (matches!(shape, Some(Shape::Other)), matches!(step, Some(Step::Go(1))));
    format!("{count}{name}{shape}{step}")
}

/// A type that refuses a value has read the name or the tag that leads to it.
#[test]
fn an_alias_of_what_is_refused_is_not_called_unknown() {
    for (arguments, problem) in [
        (r#"{"nm":5,"count":3}"#, "/of/nm: invalid type: integer `5`, expected a string"),
        (
            r#"{"nm":"a","count":3,"step":{"go":300}}"#,
            "/of/step/go: invalid value: integer `300`, expected u8",
        ),
        (
            r#"{"nm":"a","count":3,"shape":{"kind":"circle","radius":"1"}}"#,
            "/of/shape: invalid type: string \"1\", expected f64",
        ),
    ] {
        assert_eq!(
            refused(&called::tool(), &format!(r#"{{"of":{arguments}}}"#)),
            format!("Invalid arguments for `called`:\n- {problem}")
        );
    }
    // Other names are unknown all the same.
    for (arguments, problem) in [
        (r#"{"nm":"a","count":3,"stp":{}}"#, "/of/stp: unknown, did you mean `step`?"),
        (r#"{"nm":"a","count":3,"step":{"Goo":1}}"#, "/of/step/Goo: unknown, did you mean `Go`?"),
    ] {
        let said = refused(&called::tool(), &format!(r#"{{"of":{arguments}}}"#));
        assert!(said.contains(problem), "{said}");
    }
}

#[cfg(feature = "chrono")]
#[data]
#[serde(deny_unknown_fields)]
struct Visit {
    count: u8,
    day: chrono::NaiveDate,
    until: Option<chrono::NaiveDate>,
    #[serde(alias = "nm")]
    name: String,
    level: Level,
    stops: Option<Vec<Visit>>,
}

#[cfg(feature = "chrono")]
#[tool]
fn visit(of: Visit) -> String {
    let Visit { count, day, until, name, level, stops } = of;
    format!("{count}{day}{until:?}{name}{}{}", matches!(level, Level::High), stops.is_some())
}

#[cfg(feature = "chrono")]
#[tool]
fn visit_whole(Args(of): Args<Visit>) -> String {
    visit(of)
}

/// A decoder stops at what it refuses first; the members behind it are asked for all the same.
#[cfg(feature = "chrono")]
#[test]
fn what_stands_behind_a_refused_value_is_judged_by_the_type_too() {
    let count = "/count: expected 0 to 255, got 300";
    let date = |pointer: &str| {
        let expected = "expected a date such as 2026-11-22";
        format!(r#"{pointer}: {expected}, got string "x" (input contains invalid characters)"#)
    };
    let (day, until) = (date("/day"), date("/until"));
    let stop = r#"{"count":1,"day":"2026-11-22","level":"?","nm":"b"}"#;
    for (arguments, problems) in [
        (r#"{"count":300,"day":"2026-11-22","nm":"a","level":"?"}"#.to_owned(), vec![count]),
        (r#"{"level":"?","count":300,"nm":"a","day":"x"}"#.to_owned(), vec![count, &day]),
        (
            r#"{"day":"x","until":"x","level":"low","count":300,"nm":"a"}"#.to_owned(),
            vec![count, &day, &until],
        ),
        (
            format!(r#"{{"count":300,"stops":[{stop}],"day":"2026-11-22","nm":"a","level":5}}"#),
            vec![count, r#"/level: expected one of "Low", "High", "Unknown", got number 5"#],
        ),
    ] {
        let mut problems: Vec<_> = problems.iter().map(|it| format!("- {it}")).collect();
        problems.sort();
        for tool in [visit::tool(), visit_whole::tool()] {
            let (arguments, top) = match tool.name() {
                "visit" => (format!(r#"{{"of":{arguments}}}"#), "- /of/"),
                _ => (arguments.clone(), "- /"),
            };
            let said = refused(&tool, &arguments).replace(top, "- /");
            let mut said: Vec<_> = said.lines().skip(1).map(str::to_owned).collect();
            said.sort();
            assert_eq!(said, problems, "{arguments}");
        }
    }
}
