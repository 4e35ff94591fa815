use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use proptest::prelude::*;
use serde::de::{DeserializeOwned, Error as _, IgnoredAny, Unexpected};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use toolwright::data;

use super::cursor::Inner;
use super::*;

#[data]
#[derive(Debug, PartialEq)]
struct Note {
    text: String,
    #[serde(default)]
    tags: Vec<u8>,
    next: Option<Box<Note>>,
}

#[data]
#[derive(Debug, PartialEq)]
struct Wrapped(u8);

#[data]
#[derive(Debug, PartialEq)]
struct Empty;

#[data]
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    Point,
    Circle(u8),
    Line(u8, u8),
    Box { width: u8 },
}

#[data]
#[derive(Debug, PartialEq)]
#[serde(tag = "kind")]
enum Tagged {
    One { x: u8 },
    Two(Note),
}

#[data]
#[derive(Debug, PartialEq)]
#[serde(untagged)]
enum Either {
    Number(i64),
    Notes(Vec<Note>),
}

#[data]
#[derive(Debug, PartialEq)]
struct Flat {
    a: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

/// Everything is as serde_json has it: the value, or the message, and the position. How a text that
/// ends early is called does not matter.
#[track_caller]
fn same<T: DeserializeOwned + Debug>(json: &str) {
    let mut inner = Inner::from_str(json);
    let wanted = T::deserialize(&mut inner).map_err(Error::from);
    let end = inner.into_iter::<()>().byte_offset();
    let mut cursor = Cursor::new(json);
    let found = T::deserialize(&mut cursor);
    let shown = |decoded: Result<T, Error>| match decoded {
        Ok(value) => format!("{value:?}"),
        Err(error) if error.is_eof() => "ended".to_owned(),
        Err(error) => error.to_string(),
    };
    let kind = std::any::type_name::<T>();
    assert_eq!((shown(found), cursor.position()), (shown(wanted), end), "{kind} of {json}");
}

#[test]
fn every_text_is_read_as_serde_json_reads_it() {
    let whole = [
        "",
        " ",
        "null",
        "nul",
        "true",
        "1",
        "-1",
        "-",
        "1.",
        "-1.5e3",
        "0.1",
        "1e400",
        "16777217.0000001",
        "18446744073709551616",
        "300",
        "\"x\"",
        "\"1\"",
        "\"on page 7 at line 3\"",
        "-}",
        "-é",
        "[1,1e]",
        "\"a\\n\\u00e9\"",
        "\"Point\"",
        "\"Circle\"",
        "\"Other\"",
        "\"\\ud800\"",
        "\"\u{1}\"",
        "[]",
        "[1, 2]",
        "[1,2,3]",
        "[1,]",
        "[1 2]",
        "[,]",
        "[\"a\",[1],null]",
        "{}",
        "{\"a\":1}",
        "{ \"a\" : 1 , \"b\" : [ ] }",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "{1:2}",
        "{,}",
        "{\"1\":1,\"2\":2}",
        "{\"1x\":1}",
        "{\"-\":1}",
        "{\"true\":1,\"x\":2}",
        "{\"\\u0061\":1}",
        "{\"Point\":1}",
        "{\"Point\":null}",
        "{\"Circle\":7}",
        "{\"Circle\":7,\"Line\":8}",
        "{\"Line\":[1,2]}",
        "{\"Line\":[1]}",
        "{\"Box\":{\"width\":3}}",
        "{\"Box\":{}}",
        "{\"Other\":1}",
        "{\"kind\":\"One\",\"x\":1}",
        "{\"x\":1,\"kind\":\"One\"}",
        "{\"kind\":\"Two\",\"text\":\"t\"}",
        "{\"text\":\"t\",\"tags\":[1,2],\"next\":{\"text\":\"u\",\"next\":null}}",
        "{\"text\":\"t\",\"tags\":[1,300]}",
        "{\"text\":\"t\",\"text\":\"u\"}",
        "{\"text\":1}",
        "{\"tags\":[]}",
        "[\"t\",[1],null]",
        "[\"t\"]",
        "{\"other\":{\"deep\":[1,{\"x\":null}]},\"text\":\"t\"}",
        "[{\"text\":\"t\"}]",
        "?",
        "[?]",
        "{\"a\":?}",
    ];
    for text in whole {
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            let text = &text[..end];
            same::<u8>(text);
            same::<i64>(text);
            same::<u128>(text);
            same::<f32>(text);
            same::<f64>(text);
            same::<IgnoredAny>(text);
            same::<bool>(text);
            same::<char>(text);
            same::<String>(text);
            same::<()>(text);
            same::<Option<u8>>(text);
            same::<Value>(text);
            same::<Box<RawValue>>(text);
            same::<Vec<u8>>(text);
            same::<Vec<Vec<u8>>>(text);
            same::<[u8; 2]>(text);
            same::<(String, Vec<u8>, Option<u8>)>(text);
            same::<BTreeMap<String, u8>>(text);
            same::<BTreeMap<String, Vec<u8>>>(text);
            same::<BTreeMap<Shape, u8>>(text);
            same::<BTreeMap<Option<char>, u8>>(text);
            same::<Note>(text);
            same::<Vec<Note>>(text);
            same::<Wrapped>(text);
            same::<Empty>(text);
            same::<Shape>(text);
            same::<Vec<Shape>>(text);
            same::<Tagged>(text);
            same::<Either>(text);
            same::<Flat>(text);
            same::<BTreeMap<u8, u8>>(text);
            same::<BTreeMap<i64, u8>>(text);
        }
    }
}

proptest! {
    #[test]
    fn every_number_is_read_as_serde_json_reads_it(
        whole in "-?(0|[0-9]{1,3}|[1-9][0-9]{11,18})",
        rest in "(\\.(0{0,14}[0-9]{0,3}|[0-9]{8,17}))?([eE][+-]?[0-9]?)?",
        behind in "([],}x. \"é-]{0,2})",
    ) {
        let json = whole + &rest + &behind;
        same::<f64>(&json);
        same::<f32>(&json);
        same::<i64>(&json);
        same::<u64>(&json);
        same::<Value>(&json);
    }

    #[test]
    fn every_string_is_read_as_serde_json_reads_it(
        before in "[a-z\\[é]{0,18}",
        special in prop::sample::select(&["", "\\n", "\\", "\"", "\u{1f}", "\u{7f}"][..]),
        after in "[a-z{é]{0,18}",
        end in "(\"[],}\"]?)?",
    ) {
        same::<String>(&format!("\"{before}{special}{after}{end}"));
        same::<Value>(&format!("[\"{before}{special}{after}{end}"));
    }
}

/// serde_json's message has half of the key.
#[test]
fn a_key_may_be_a_truth_value() {
    let decode = |json| HashMap::<bool, u8>::deserialize(&mut Cursor::new(json));
    assert_eq!(decode(r#"{"true":1,"false":2}"#).unwrap(), [(true, 1), (false, 2)].into());
    let error = decode(r#"{"x":1}"#).unwrap_err().to_string();
    assert!(error.starts_with("invalid type: string \"x\", expected a boolean"), "{error}");
}

/// serde_json names `null` and writes numbers in its own way, where serde's words would be others.
#[test]
fn a_value_that_a_type_refuses_is_named_as_serde_json_names_it() {
    #[derive(Debug)]
    struct Refused;

    impl<'de> Deserialize<'de> for Refused {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let found = Option::<f64>::deserialize(deserializer)?;
            let found = found.map_or(Unexpected::Unit, Unexpected::Float);
            Err(D::Error::invalid_value(found, &"a fraction"))
        }
    }

    for json in ["null", "1e16", "1e-7", "0.5", "-0.0"] {
        same::<Refused>(json);
    }
}

#[test]
fn it_reads_no_deeper_than_serde_json() {
    #[data]
    #[derive(Debug)]
    struct Nested(Vec<Nested>);

    for depth in [126, 127, 128, 129, 500] {
        same::<Nested>(&("[".repeat(depth) + &"]".repeat(depth)));
        same::<Value>(&("[".repeat(depth) + &"]".repeat(depth)));
    }
}
