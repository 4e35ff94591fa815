//! The types of the table.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use toolwright::{data, duration, tool};

use super::Row;
use super::difference::{BITS_64, CLOSED, FORMAT, KEYS, LIST, LONGEST, NULL, VARIANT};

/// A row for each type. Each difference stands with a value that shows it; values are JSON.
macro_rules! rows {
    ($(
        $written:literal $type:ty,
        differs [$($difference:ident $example:literal),* $(,)?],
        takes $takes:literal,
        refuses $refuses:literal;
    )*) => {
        vec![$({
            #[tool]
            fn it(it: $type) {
                std::hint::black_box(&it);
            }
            Row {
                written: $written,
                tool: it::tool(),
                differs: &[$(($difference, $example)),*],
                takes: $takes,
                refuses: $refuses,
            }
        },)*]
    };
}

#[data]
enum Unit {
    Low,
    High,
}

#[data]
enum Documented {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

#[data]
enum External {
    Stop,
    Wait(u8),
    Move { by: i8 },
}

#[data]
#[serde(tag = "kind")]
enum Internal {
    Circle { radius: u8 },
    Point,
}

#[data]
#[serde(tag = "kind", content = "of")]
enum Adjacent {
    Count(u8),
    Name(String),
}

#[data]
#[serde(untagged)]
enum Untagged {
    Index(u8),
    Name(String),
}

#[data]
struct Open {
    a: u8,
    b: Option<String>,
}

#[data]
#[serde(deny_unknown_fields)]
struct Closed {
    a: u8,
}

#[data]
struct Defaults {
    #[serde(default)]
    a: u8,
    #[serde(default = "two")]
    b: u8,
}

fn two() -> u8 {
    2
}

#[data]
struct Flat {
    name: String,
    #[serde(flatten)]
    open: Open,
}

#[data]
struct Tree {
    children: Vec<Tree>,
}

#[data]
struct Bounded {
    #[schemars(range(min = 1, max = 5))]
    count: u8,
    #[schemars(length(min = 2, max = 3))]
    code: String,
    #[schemars(regex(pattern = "^[a-c]+$"))]
    letters: String,
}

#[data]
struct Wait {
    #[serde(with = "toolwright::duration")]
    #[schemars(with = "duration::Text")]
    time: Duration,
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows = rows! {
        "bool" bool,
            differs [],
            takes "true false",
            refuses r#"1 "true" null"#;
        "u8" u8,
            differs [],
            takes "0 7 255",
            refuses r#"-1 256 "7""#;
        "i32" i32,
            differs [],
            takes "0 -2147483648 2147483647",
            refuses "2147483648 1.5 true";
        "u64" u64,
            differs [BITS_64 "18446744073709551616"],
            takes "0 9007199254740993 18446744073709551615",
            refuses "-1 18446744073709551616 null";
        "i64" i64,
            differs [BITS_64 "9223372036854775808"],
            takes "0 -9223372036854775808 9223372036854775807",
            refuses r#"9223372036854775808 0.5 "1""#;
        "u128" u128,
            differs [BITS_64 "340282366920938463463374607431768211456"],
            takes "0 18446744073709551616 340282366920938463463374607431768211455",
            refuses "-1 340282366920938463463374607431768211456 []";
        "f64" f64,
            differs [],
            takes "0 -1.5e300 18446744073709551616",
            refuses r#"1e400 "1" null"#;
        "char" char,
            differs [],
            takes r#""a" "ä" "\u0000""#,
            refuses r#""" "ab" 97"#;
        "String" String,
            differs [],
            takes r#""" "text" "\ud83d\ude00""#,
            refuses "1 null []";
        "PathBuf" PathBuf,
            differs [],
            takes r#""" "/tmp/a" "..""#,
            refuses "1 null {}";
        "IpAddr" IpAddr,
            differs [FORMAT r#""localhost""#],
            takes r#""192.0.2.1" "::1" "2001:db8::1""#,
            refuses r#""localhost" "192.0.2" 1"#;
        "Duration" Duration,
            differs [
                BITS_64 r#"{"secs":18446744073709551616,"nanos":0}"#,
                CLOSED r#"{"secs":1,"nanos":0,"more":1}"#,
                LIST "[1,0]",
            ],
            takes r#"{"secs":1,"nanos":0} {"nanos":5,"secs":0} {"secs":0,"nanos":999999999}"#,
            refuses r#""1s" {"secs":1} 1"#;
        "duration::Text" duration::Text,
            differs [LONGEST r#""18446744073709551616s""#],
            takes r#""1.5s" "200ms" "1h30m""#,
            refuses r#""soon" 5 "18446744073709551616s""#;
        "Vec<u8>" Vec<u8>,
            differs [],
            takes "[] [0,255] [1,1]",
            refuses r#""AQ==" [256] {}"#;
        "[u8; 2]" [u8; 2],
            differs [],
            takes "[0,255] [1,1] [ 1 , 2 ]",
            refuses "[1] [1,2,3] 1";
        "(u8, String)" (u8, String),
            differs [],
            takes r#"[0,""] [255,"a"] [1,"1"]"#,
            refuses r#"[1] [1,"a",2] ["a",1]"#;
        "BTreeSet<u8>" BTreeSet<u8>,
            differs [],
            takes "[] [1,2] [255]",
            refuses r#"[1,1] [256] """#;
        "BTreeMap<String, u8>" BTreeMap<String, u8>,
            differs [],
            takes r#"{} {"a":1} {"":0,"b":255}"#,
            refuses r#"{"a":256} [] null"#;
        "HashMap<u8, bool>" HashMap<u8, bool>,
            differs [KEYS r#"{"256":true}"#],
            takes r#"{} {"1":true} {"255":false}"#,
            refuses r#"{"a":true} {"256":true} {"1":1}"#;
        "Option<u8>" Option<u8>,
            differs [NULL "null"],
            takes "1 255 null",
            refuses r#"256 "" []"#;
        "Option<Option<u8>>" Option<Option<u8>>,
            differs [NULL "null"],
            takes "1 255 null",
            refuses r#"256 "" []"#;
        "Vec<Option<u8>>" Vec<Option<u8>>,
            differs [],
            takes "[] [null,1] [255]",
            refuses "null [256] [[]]";
        "Value" Value,
            differs [],
            takes r#"null {"a":[1]} 1.5"#,
            refuses "";
        "()" (),
            differs [],
            takes "null",
            refuses "{} [] 0";
        "enum Unit { Low, High }" Unit,
            differs [],
            takes r#""Low" "High" "L\u006fw""#,
            refuses r#""low" 0 null"#;
        "enum Documented { /** To the left. */ Left, … }" Documented,
            differs [],
            takes r#""Left" "Right""#,
            refuses r#""left" 0 null"#;
        "enum External { Stop, Wait(u8), Move { by: i8 } }" External,
            differs [
                VARIANT r#"{"Stop":null}"#,
                LIST r#"{"Move":[1]}"#,
            ],
            takes r#""Stop" {"Wait":1} {"Move":{"by":-1}}"#,
            refuses r#""Wait" {"Wait":256} {"Wait":1,"Move":{"by":1}}"#;
        "#[serde(tag = \"kind\")] enum Internal { Circle { radius: u8 }, Point }" Internal,
            differs [
                LIST r#"["Circle",5]"#,
            ],
            takes r#"{"kind":"Point"} {"radius":1,"kind":"Circle"} {"kind":"Point","x":1}"#,
            refuses r#"{"kind":"Circle"} {"radius":1} "Point""#;
        "#[serde(tag = \"kind\", content = \"of\")] \
         enum Adjacent { Count(u8), Name(String) }" Adjacent,
            differs [LIST r#"["Count",5]"#],
            takes r#"{"kind":"Count","of":1} {"of":"a","kind":"Name"} {"kind":"Name","of":""}"#,
            refuses r#"{"kind":"Count"} {"kind":"Count","of":"a"} 1"#;
        "#[serde(untagged)] enum Untagged { Index(u8), Name(String) }" Untagged,
            differs [],
            takes r#"1 "a" 255"#,
            refuses "256 null []";
        "struct Open { a: u8, b: Option<String> }" Open,
            differs [
                NULL r#"{"a":5,"b":null}"#,
                LIST r#"[5,"x"]"#,
            ],
            takes r#"{"a":1} {"a":1,"b":"x"} {"a":1,"c":true}"#,
            refuses r#"{} {"a":256} {"a":1,"b":2}"#;
        "#[serde(deny_unknown_fields)] struct Closed { a: u8 }" Closed,
            differs [LIST "[5]"],
            takes r#"{"a":1} {"a":0} { "a" : 255 }"#,
            refuses r#"{} {"a":1,"b":2} null"#;
        "struct Defaults { #[serde(default)] a: u8, #[serde(default = \"two\")] b: u8 }" Defaults,
            differs [LIST "[]"],
            takes r#"{} {"a":1} {"b":255,"c":1}"#,
            refuses r#"{"a":256} {"b":null} null"#;
        "struct Flat { name: String, #[serde(flatten)] open: Open }" Flat,
            differs [
                NULL r#"{"name":"","a":5,"b":null}"#,
            ],
            takes r#"{"name":"","a":1} {"a":1,"name":"x","b":"y"} {"name":"","a":1,"z":0}"#,
            refuses r#"{"name":""} {"a":1} {"name":"","a":-1}"#;
        "struct Tree { children: Vec<Tree> }" Tree,
            differs [LIST "[[]]"],
            takes r#"{"children":[]} {"children":[{"children":[]}]} {"children":[],"x":1}"#,
            refuses r#"{} {"children":[{}]} {"children":null}"#;
        "struct Bounded { #[schemars(range(min = 1, max = 5))] count: u8, \
         #[schemars(length(min = 2, max = 3))] code: String, \
         #[schemars(regex(pattern = \"^[a-c]+$\"))] letters: String }" Bounded,
            differs [
                LIST r#"[5,"ab","a"]"#,
            ],
            takes r#"
                {"count":1,"code":"ab","letters":"a"}
                {"count":5,"code":"äöü","letters":"cab"}
                {"letters":"abc","code":"xyz","count":3}
            "#,
            refuses r#"
                {"count":6,"code":"ab","letters":"a"}
                {"count":1,"code":"a","letters":"a"}
                {"count":1,"code":"ab","letters":"d"}
            "#;
        "struct Wait { #[serde(with = \"toolwright::duration\")] \
         #[schemars(with = \"duration::Text\")] time: Duration }" Wait,
            differs [LONGEST r#"{"time":"18446744073709551616s"}"#, LIST r#"["1s"]"#],
            takes r#"{"time":"1s"} {"time":"1m2s"} {"time":"0.5h"}"#,
            refuses r#"{"time":1} {} {"time":"18446744073709551616s"}"#;
    };
    rows.extend(foreign());
    rows
}

#[cfg(all(feature = "chrono", feature = "uuid", feature = "url"))]
fn foreign() -> Vec<Row> {
    rows! {
        "chrono::DateTime<Utc>" chrono::DateTime<chrono::Utc>,
            differs [FORMAT r#""tomorrow""#],
            takes r#""2026-11-22T02:50:00Z" "2026-11-22T02:50:00.5+01:00" "2024-02-29T23:59:59Z""#,
            refuses r#""tomorrow" 1 "2026-11-22""#;
        "chrono::NaiveDate" chrono::NaiveDate,
            differs [FORMAT r#""22.11.2026""#],
            takes r#""2026-11-22" "2024-02-29" "1999-12-31""#,
            refuses r#""2025-02-29" "22.11.2026" 20261122"#;
        "uuid::Uuid" uuid::Uuid,
            differs [FORMAT r#""67e55044""#],
            takes r#"
                "67e55044-10b1-426f-9247-bb680e5fe0c8"
                "67e5504410b1426f9247bb680e5fe0c8"
                "00000000-0000-0000-0000-000000000000"
            "#,
            refuses r#""67e55044" "" 1"#;
        "url::Url" url::Url,
            differs [FORMAT r#""example.com""#],
            takes r#""https://example.com/" "data:,a" "file:///tmp""#,
            refuses r#""example.com" "" 1"#;
    }
}

/// Without the features the page's rows of these types cannot be checked.
#[cfg(not(all(feature = "chrono", feature = "uuid", feature = "url")))]
fn foreign() -> Vec<Row> {
    Vec::new()
}
