//! Structs under `#[data]` are decoded as serde's derive decodes them: the value, or the message.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::de::value::{Error, MapDeserializer, SeqDeserializer};
use serde_json::Value;

/// Has each struct twice, under `#[data]` and under the derive.
macro_rules! alike {
    ($($(#[$attr:meta])* struct $name:ident { $($fields:tt)* })*) => {
        mod by_data {
            use super::*;
            $(
                #[toolwright::data]
                #[derive(Debug, Default)]
                $(#[$attr])*
                pub(super) struct $name { $($fields)* }
            )*
        }

        mod by_derive {
            use super::*;
            $(
                #[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
                $(#[$attr])*
                pub(super) struct $name { $($fields)* }
            )*
        }

        #[test]
        fn structs_are_decoded_as_by_the_derive() {
            $(all::<by_data::$name, by_derive::$name>();)*
        }
    };
}

alike! {
    struct Empty {}

    struct One { a: u8 }

    #[serde(deny_unknown_fields)]
    struct Closed { a: u8, b: Option<u8> }

    #[serde(deny_unknown_fields)]
    struct ClosedAndEmpty {}

    struct Many {
        a: u8,
        b: Option<Vec<u8>>,
        #[serde(default)]
        c: BTreeMap<String, u8>,
        #[serde(rename = "D e")]
        d: Option<String>,
        #[serde(default, rename = "other")]
        r#type: u8,
    }

    struct Optional { a: Option<u8>, any: Value }

    struct Within { a: Box<One>, b: Vec<Closed>, next: Option<Box<Self>> }

    struct Around { #[serde(flatten)] one: One, #[serde(flatten)] rest: BTreeMap<String, Value> }
}

const TEXTS: [&str; 40] = [
    "",
    "null",
    "1",
    "\"a\"",
    "[]",
    "[1]",
    "[1,2]",
    "[1,null,{},\"x\",2]",
    "[1,null,{},\"x\",2,3]",
    "[1,[2],{\"k\":3}]",
    "[300]",
    "[null,7]",
    "{}",
    "{\"a\":1}",
    "{ \"a\" : 1 , \"b\" : null }",
    "{\"\\u0061\":1}",
    "{\"a\":300}",
    "{\"a\":\"x\"}",
    "{\"a\":1,\"a\":2}",
    "{\"a\":1,\"a\":\"x\"}",
    "{\"a\":1,\"b\":2,\"b\":2}",
    "{\"a\":1,\"x\":[{\"y\":null}]}",
    "{\"x\":1}",
    "{\"b\":1}",
    "{\"b\":[1],\"a\":1}",
    "{\"a\":1,\"c\":{\"k\":1},\"D e\":\"d\",\"other\":5}",
    "{\"a\":1,\"c\":null}",
    "{\"a\":1,\"d\":\"d\"}",
    "{\"a\":1,\"type\":5}",
    "{\"a\":1,\"other\":null}",
    "{\"a\":null,\"any\":{\"a\":[1]}}",
    "{\"a\":null,\"any\":null}",
    "{\"a\":{\"a\":1},\"b\":[{\"a\":1}]}",
    "{\"a\":{},\"b\":[]}",
    "{\"a\":{\"a\":1},\"b\":[{\"x\":1}]}",
    "{\"a\":{\"a\":1},\"b\":[{\"b\":1}]}",
    "{\"a\":[1],\"b\":[[1,2]],\"next\":{\"a\":[2],\"b\":[],\"next\":null}}",
    "{\"a\":1",
    "{\"a\"",
    "{\"a\":1,}",
];

fn all<A: DeserializeOwned + Debug, B: DeserializeOwned + Debug>() {
    for text in TEXTS {
        same(text, serde_json::from_str::<A>(text), serde_json::from_str::<B>(text));
        // Without positions, and by way of serde's own representation.
        if let Ok(value) = serde_json::from_str::<Value>(text) {
            let (a, b) = (A::deserialize(&value), B::deserialize(&value));
            same(text, a, b);
        }
    }
    // Formats without names have numbers for fields, or bytes.
    for keys in [&[0, 1][..], &[1, 0], &[0, 0], &[9], &[0, 9]] {
        let map = || MapDeserializer::new(keys.iter().map(|key| (*key as u64, 1_u8)));
        same(keys, A::deserialize(map()), B::deserialize::<MapDeserializer<'_, _, Error>>(map()));
    }
    for keys in [&[b"a"][..], &[b"a", b"b"], &[b"\xff"], &[b"a", b"a"]] {
        let map = || {
            let entries =
                keys.iter().map(|key| (serde::de::value::BytesDeserializer::new(*key), 1_u8));
            MapDeserializer::<_, Error>::new(entries)
        };
        same(keys, A::deserialize(map()), B::deserialize(map()));
    }
    for count in 0..7 {
        let seq = || SeqDeserializer::<_, Error>::new(std::iter::repeat_n(1_u8, count));
        same(count, A::deserialize(seq()), B::deserialize(seq()));
    }
}

#[track_caller]
fn same<E: ToString>(of: impl Debug, ours: Result<impl Debug, E>, theirs: Result<impl Debug, E>) {
    let shown = |value: &dyn Debug| format!("{value:?}");
    let ours = ours.as_ref().map(|value| shown(value)).map_err(E::to_string);
    let theirs = theirs.as_ref().map(|value| shown(value)).map_err(E::to_string);
    assert_eq!(ours, theirs, "{of:?}");
}
