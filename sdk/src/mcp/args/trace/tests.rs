use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toolwright::data;

use super::*;

fn read<T: DeserializeOwned>(json: &str) -> Result<(T, usize), Failure> {
    let mut value = None;
    let length = super::read(json, &mut |decoder| {
        value = Some(T::deserialize(decoder)?);
        Ok(())
    })?;
    Ok((value.unwrap(), length))
}

fn place<T: DeserializeOwned>(json: &str) -> String {
    match read::<T>(json) {
        Ok(_) => panic!("{json} was read"),
        Err(failure) => format!("{}: {}", failure.path(json).pointer, failure.message),
    }
}

#[data]
struct Note {
    text: String,
    #[serde(default)]
    tags: Vec<u8>,
}

#[data]
#[serde(tag = "kind")]
enum Tagged {
    One { x: u8 },
}

#[data]
enum Named {
    Unit,
    One(u8),
    Two(u8, u8),
    Three { x: u8 },
}

/// A range, which refuses after it has been read.
#[derive(Debug, Deserialize)]
#[serde(crate = "toolwright::__private::serde", try_from = "(u8, u8)")]
struct Range;

impl TryFrom<(u8, u8)> for Range {
    type Error = String;

    fn try_from((from, to): (u8, u8)) -> Result<Self, String> {
        if from <= to { Ok(Self) } else { Err("ends before it begins".into()) }
    }
}

/// A list that says the same whatever is wrong with it.
#[derive(Debug, Deserialize)]
#[serde(crate = "toolwright::__private::serde")]
struct Few {
    #[serde(deserialize_with = "few")]
    _few: Vec<u8>,
}

fn few<'de, D: serde::Deserializer<'de>>(list: D) -> Result<Vec<u8>, D::Error> {
    let list = Vec::deserialize(list).ok().filter(|list: &Vec<u8>| list.len() < 3);
    list.ok_or_else(|| serde::de::Error::custom("not few"))
}

#[test]
fn an_error_has_the_place_of_its_value() {
    type Maps<T> = BTreeMap<String, T>;
    for (place, expected) in [
        (place::<Note>(r#"{"txt":1}"#), ": missing field `text`"),
        (place::<Note>(r#"{"tags":[1]}"#), ": missing field `text`"),
        (place::<Maps<Note>>(r#"{"a": {"txt" : 1 } }"#), "/a: missing field `text`"),
        (place::<Vec<Note>>(r#"[{"text":""},{"txt":{}}]"#), "/1: missing field `text`"),
        (
            place::<Note>(r#"{"x":[],"text":1}"#),
            "/text: invalid type: integer `1`, expected a string",
        ),
        (place::<Note>(r#"{"text":{"a":1}}"#), "/text: invalid type: map, expected a string"),
        (place::<Note>(r#"{"text" : [ 1 ]}"#), "/text: invalid type: sequence, expected a string"),
        (
            place::<Note>(r#"{"text":"","tags":[1,[2]]}"#),
            "/tags/1: invalid type: sequence, expected u8",
        ),
        (place::<Note>(r#"{"text":"","text":""}"#), ": duplicate field `text`"),
        (place::<Note>("[]"), ": invalid length 0, expected struct Note with 2 elements"),
        (place::<Vec<Range>>("[[1,2],[2,1]]"), "/1: ends before it begins"),
        (place::<Vec<Range>>("[[2,1],[1,2]]"), "/0: ends before it begins"),
        (place::<Maps<Range>>(r#"{"a~/b":[2,1]}"#), "/a~0~1b: ends before it begins"),
        (place::<Maps<Range>>(r#"{"a\"b":[2,1]}"#), "/a\"b: ends before it begins"),
        (place::<Maps<Range>>(r#"{"\"":[2,1]}"#), "/\": ends before it begins"),
        (place::<Vec<Vec<Range>>>("[[[1,2],[2,1]]]"), "/0/1: ends before it begins"),
        (place::<Vec<Vec<Range>>>("[ [ [2,1] , [1,2] ] , [] ]"), "/0/0: ends before it begins"),
        (place::<Vec<[u8; 2]>>("[[1,2],[1,2,3]]"), "/1: trailing characters"),
        (place::<Maps<Few>>(r#"{"a":{"_few":[1,"x"]}}"#), "/a/_few: not few"),
        (place::<Maps<Few>>(r#"{"a":{"_few":[1,2,3]}}"#), "/a/_few: not few"),
        (place::<Range>("[2,1]"), ": ends before it begins"),
        (place::<Maps<Tagged>>(r#"{"a":{"kind":"One"}}"#), "/a: missing field `x`"),
        (
            place::<Vec<Option<Named>>>(r#"[null,{"One":"x"}]"#),
            "/1/One: invalid type: string \"x\", expected u8",
        ),
        (
            place::<Vec<Named>>(r#"[{"Two":[1,[]]}]"#),
            "/0/Two/1: invalid type: sequence, expected u8",
        ),
        (place::<Vec<Named>>(r#"[{"Three":{}}]"#), "/0/Three: missing field `x`"),
        (
            place::<Vec<Named>>(r#"["Unit",{"Unit":5}]"#),
            "/1/Unit: invalid type: integer `5`, expected unit",
        ),
        (
            place::<Vec<Named>>(r#"["Three"]"#),
            "/0: invalid type: unit variant, expected struct variant",
        ),
        (place::<Maps<f64>>(r#"{"a":1,"\u0062":1e999}"#), "/b: number out of range"),
        (place::<Vec<String>>(r#"["\ud800"]"#), "/0: unexpected end of hex escape"),
        (
            place::<BTreeMap<u8, u8>>(r#"{"1":1,"x":2}"#),
            ": invalid value: expected key to be a number in quotes",
        ),
        (place::<u8>("  "), ": EOF while parsing a value"),
    ] {
        assert_eq!(place, expected);
    }
}

#[test]
fn a_read_value_has_a_length() {
    assert_eq!(read::<Vec<u8>>("[1, 2] , 3").unwrap(), (vec![1, 2], 6));
    assert_eq!(read::<u8>(" 7}").unwrap(), (7, 2));
    assert_eq!(read::<u128>("340282366920938463463374607431768211455").unwrap().0, u128::MAX);
    assert!(read::<u8>("7x").is_err());
}

#[test]
fn only_the_position_of_serde_json_is_removed() {
    #[derive(Debug, Deserialize)]
    #[serde(crate = "toolwright::__private::serde", try_from = "u8")]
    struct Query;

    impl TryFrom<u8> for Query {
        type Error = &'static str;

        fn try_from(_: u8) -> Result<Self, &'static str> {
            Err("no such table at line 1 column 2")
        }
    }

    assert_eq!(place::<Query>("1"), ": no such table at line 1 column 2");
    assert_eq!(place::<Vec<Query>>("[1]"), "/0: no such table at line 1 column 2");
    assert_eq!(place::<u8>("trux"), ": expected ident");
}
