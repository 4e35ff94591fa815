//! Arguments of the right types must also keep the bounds of their schema.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::expect;
use toolwright::{Args, Value, data, tool};

use super::{is_taken, refused};

/// Declares a tool whose argument `x` is a struct with one field, `v`, and returns what the model
/// reads about a value of the field; nothing if the value is taken.
macro_rules! field {
    ($(#[$attribute:meta])* $type:ty) => {{
        #[data]
        struct Field {
            $(#[$attribute])*
            v: $type,
        }
        #[tool]
        fn check(x: Field) {
            let _ = x.v;
        }
        let tool = check::tool();
        move |value: &str| {
            let arguments = format!(r#"{{"x":{{"v":{value}}}}}"#);
            if is_taken(&tool, &arguments) {
                return String::new();
            }
            let said = refused(&tool, &arguments);
            said.strip_prefix("Invalid arguments for `check`:\n- /x/v").unwrap_or(&said).to_owned()
        }
    }};
}

#[test]
fn numbers_of_all_types_keep_their_ranges() {
    let latitude = field!(
        #[schemars(range(min = -90.0, max = 90.0))]
        f64
    );
    assert_eq!(latitude("91"), ": expected -90.0 to 90.0, got 91");
    assert_eq!(latitude("-90.00000000000001"), ": expected -90.0 to 90.0, got -90.00000000000001");
    assert_eq!(latitude("9e1") + &latitude("-90") + &latitude("0"), "");
    let share = field!(
        #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
        f32
    );
    assert_eq!(share("0"), ": expected more than 0, got 0");
    assert_eq!(share("1.0"), ": expected less than 1, got 1.0");
    assert_eq!(share("0.5"), "");
    let byte = field!(
        #[schemars(range(min = 1))]
        u8
    );
    assert_eq!(byte("0"), ": expected 1 to 255, got 0");
    assert_eq!(byte("256"), ": expected 1 to 255, got 256");
    let large = field!(
        #[schemars(range(min = 18446744073709551615u64))]
        u128
    );
    assert_eq!(large("340282366920938463463374607431768211455"), "");
    assert_eq!(
        large("18446744073709551614"),
        ": expected at least 18446744073709551615, got 18446744073709551614"
    );
    let signed = field!(
        #[schemars(range(min = -5))]
        i128
    );
    assert_eq!(signed("170141183460469231731687303715884105727"), "");
    assert_eq!(
        signed("-170141183460469231731687303715884105728"),
        ": expected at least -5, got -170141183460469231731687303715884105728"
    );
    let optional = field!(#[schemars(range(max = 3))] Option<i64>);
    assert_eq!(optional("4"), ": expected at most 3, got 4");
    assert_eq!(optional("null"), "");
}

#[test]
fn steps_are_exact() {
    let step = field!(
        #[schemars(extend("multipleOf" = 1))]
        f64
    );
    assert_eq!(step("1000000000.5"), ": expected a multiple of 1, got 1000000000.5");
    assert_eq!(step("1000000001.0"), "");
    let cent = field!(
        #[schemars(extend("multipleOf" = 0.01))]
        f64
    );
    assert_eq!(cent("19.99") + &cent("0.07"), "");
    assert_eq!(cent("0.005"), ": expected a multiple of 0.01, got 0.005");
    let even = field!(
        #[schemars(extend("multipleOf" = 2))]
        u128
    );
    assert_eq!(even("340282366920938463463374607431768211454"), "");
    assert!(!even("340282366920938463463374607431768211455").is_empty());
}

#[test]
fn texts_keep_their_length_and_pattern() {
    let code = field!(
        #[schemars(length(min = 2, max = 3))]
        String
    );
    assert_eq!(code(r#""a""#), ": expected at least 2 characters, got 1");
    assert_eq!(code(r#""\u00e4ö\ud83d\ude00""#), "");
    assert_eq!(code(r#""äöüß""#), ": expected at most 3 characters, got 4");
    let id = field!(
        #[schemars(regex(pattern = r"^[a-z]+-\d{2,}$"))]
        String
    );
    assert_eq!(id(r#""ab-12""#) + &id(r#""\u0061-00""#), "");
    assert_eq!(id(r#""AB-12""#), r#": expected a match of `^[a-z]+-\d{2,}$`, got "AB-12""#);
    let both = field!(
        #[schemars(length(max = 2), regex(pattern = "^[a-z]+$"))]
        String
    );
    assert_eq!(both(r#""ABC""#), ": expected at most 2 characters, got 3");
    assert_eq!(both(r#""AB""#), r#": expected a match of `^[a-z]+$`, got "AB""#);
    // Neither what the matcher does not know nor what is no expression refuses anything.
    assert_eq!(
        field!(
            #[schemars(extend("pattern" = "^(?=a)"))]
            String
        )(r#""b""#),
        ""
    );
}

#[test]
fn lists_and_maps_keep_their_sizes() {
    let list = field!(#[schemars(length(min = 1, max = 2))] Vec<u8>);
    assert_eq!(list("[]"), ": expected at least 1 item, got 0");
    assert_eq!(list("[1,2,3]"), ": expected at most 2 items, got 3");
    assert_eq!(list("[ 1 , 2 ]"), "");
    let map = field!(
        #[schemars(extend("minProperties" = 1, "maxProperties" = 2))]
        BTreeMap<String, u8>
    );
    assert_eq!(map("{}"), ": expected at least 1 property, got 0");
    assert_eq!(map(r#"{"a":1,"b":2,"c":3}"#), ": expected at most 2 properties, got 3");
    assert_eq!(map(r#"{"a":1,"a":2,"\u0061":3}"#), "");
    let unique = field!(#[schemars(extend("uniqueItems" = true))] Vec<Value>);
    assert_eq!(unique(r#"[1,"1",[1],{"a":1},null]"#), "");
    assert_eq!(
        unique(r#"[{"a":1,"b":2},{"b":2.0,"a":1}]"#),
        "/1: expected another value than that of item 0"
    );
    assert_eq!(
        field!(BTreeSet<String>)(r#"["a","b","a"]"#),
        "/2: expected another value than that of item 0"
    );
    let exact = field!(#[schemars(extend("uniqueItems" = true))] Vec<u128>);
    assert_eq!(
        exact("[340282366920938463463374607431768211455,340282366920938463463374607431768211454]"),
        ""
    );
}

#[test]
fn values_are_those_of_the_list() {
    let mode = field!(
        #[schemars(extend("enum" = ["r", "w"]))]
        String
    );
    assert_eq!(mode(r#""\u0072""#), "");
    assert_eq!(mode(r#""x""#), r#": expected one of "r", "w", got "x""#);
    let version = field!(
        #[schemars(extend("const" = 2))]
        f64
    );
    assert_eq!(version("2.0"), "");
    assert_eq!(version("3"), ": expected 2, got 3");
    let optional = field!(#[schemars(extend("enum" = ["r"]))] Option<String>);
    assert_eq!(optional("null"), "");
    assert_eq!(optional(r#""w""#), r#": expected one of "r", got "w""#);
    let any = field!(
        #[schemars(extend("enum" = [null, {"a": [1]}]))]
        Value
    );
    assert_eq!(any("null") + &any(r#"{ "a" : [ 1e0 ] }"#), "");
    assert_eq!(any("false"), r#": expected one of null, {"a":[1]}, got false"#);
}

#[data]
struct Point {
    #[schemars(range(max = 9))]
    x: i32,
}

#[data]
#[serde(tag = "kind")]
enum Tagged {
    A {
        #[schemars(length(max = 1))]
        text: String,
    },
    B {
        #[schemars(range(max = 1))]
        n: i32,
    },
}

#[data]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Point(Point),
    Text(String),
}

#[data]
#[serde(untagged)]
enum Untagged {
    Point(Point),
    Number(#[schemars(range(max = 9))] i32),
    Text(String),
}

#[data]
struct Flat {
    #[serde(flatten)]
    point: Point,
    #[serde(flatten)]
    more: BTreeMap<String, Point>,
}

#[data]
struct Tree {
    #[schemars(length(max = 3))]
    name: String,
    children: Vec<Tree>,
    next: Option<Box<Tree>>,
}

#[test]
fn bounds_hold_wherever_they_are() {
    for (check, good, bad, said) in [
        (
            &field!(Vec<Point>) as &dyn Fn(&str) -> String,
            r#"[{"x":9}]"#,
            r#"[{"x":1},{"x":10}]"#,
            "/1/x: expected at most 9, got 10",
        ),
        (
            &field!((u8, Point)),
            r#"[1,{"x":9}]"#,
            r#"[1,{"x":10}]"#,
            "/1/x: expected at most 9, got 10",
        ),
        (
            &field!(BTreeMap<String, Point>),
            r#"{"a/b":{"x":9}}"#,
            r#"{"a/b":{"x":10}}"#,
            "/a~1b/x: expected at most 9, got 10",
        ),
        (
            &field!(BTreeMap<i8, Point>),
            r#"{"-1":{"x":9}}"#,
            r#"{"-1":{"x":10}}"#,
            "/-1/x: expected at most 9, got 10",
        ),
        (
            &field!(Option<Vec<Option<Point>>>),
            r#"[null,{"x":9}]"#,
            r#"[null,{"x":10}]"#,
            "/1/x: expected at most 9, got 10",
        ),
        (
            &field!(Tagged),
            r#"{"kind":"A","text":"a"}"#,
            r#"{"text":"ab","kind":"A"}"#,
            "/text: expected at most 1 character, got 2",
        ),
        (
            &field!(Tagged),
            r#"{"kind":"B","n":1}"#,
            r#"{"kind":"B","n":2}"#,
            "/n: expected at most 1, got 2",
        ),
        (
            &field!(Adjacent),
            r#"{"t":"Point","c":{"x":9}}"#,
            r#"{"c":{"x":10},"t":"Point"}"#,
            "/c/x: expected at most 9, got 10",
        ),
        (&field!(Untagged), r#"{"x":9}"#, r#"{"x":10}"#, "/x: expected at most 9, got 10"),
        (&field!(Untagged), r#""long""#, "10", ": expected at most 9, got 10"),
        (
            &field!(Flat),
            r#"{"x":9,"y":{"x":9}}"#,
            r#"{"x":9,"y":{"x":10}}"#,
            "/y/x: expected at most 9, got 10",
        ),
        (&field!(Flat), r#"{"x":9}"#, r#"{"x":10}"#, "/x: expected at most 9, got 10"),
        (
            &field!(Tree),
            r#"{"name":"a","children":[{"name":"b","children":[]}]}"#,
            r#"{"name":"a","children":[{"name":"b","children":[],"next":{"name":"long","children":[]}}]}"#,
            "/children/0/next/name: expected at most 3 characters, got 4",
        ),
    ] {
        assert_eq!(check(good), "", "{good}");
        assert_eq!(check(bad), said, "{bad}");
    }
}

#[tool]
fn whole(Args(tree): Args<Tree>) -> usize {
    tree.name.len() + tree.children.len() + usize::from(tree.next.is_some())
}

#[tool]
fn search(at: Point, from: Option<Point>, limit: u8) -> String {
    format!("{}{:?}{limit}", at.x, from.map(|point| point.x))
}

#[test]
fn all_problems_are_named_wherever_they_come_from() {
    expect![[r#"
        Invalid arguments for `whole`:
        - /name: expected at most 3 characters, got 4
        - /children/0/name: expected at most 3 characters, got 4"#]]
    .assert_eq(&refused(
        &whole::tool(),
        r#" {"name":"long","children":[{"name":"root","children":[]}]}"#,
    ));
    expect![[r#"
        Invalid arguments for `search`:
        - /at/x: expected at most 9, got 10
        - /from/x: expected integer, got string "1": write 1 without quotes
        - /limit: missing, expected integer"#]]
    .assert_eq(&refused(&search::tool(), r#"{"at":{"x":10},"from":{"x":"1"}}"#));
    assert!(is_taken(&search::tool(), r#"{"at":{"x":9},"from":null,"limit":1}"#));
    let many = format!(r#"{{"v":[{}]}}"#, r#"{"x":10},"#.repeat(1000).trim_end_matches(','));
    #[tool]
    fn points(v: Vec<Point>) -> usize {
        v.len()
    }
    let said = refused(&points::tool(), &many);
    assert_eq!(said.lines().count(), 52, "{said}");
    assert!(said.ends_with("\n- and more"), "{said}");
}

/// serde takes a struct as the array of its fields, which is no way round its bounds.
#[test]
fn the_array_of_its_fields_keeps_the_bounds_of_a_struct() {
    for (check, good, bad) in [
        (&field!(Point) as &dyn Fn(&str) -> String, "[9]", "[10]"),
        (&field!(Vec<Point>), "[[9],[1]]", "[[9],[10]]"),
        (&field!(Option<Point>), "[9]", "[10]"),
        (&field!(Tagged), r#"["A","a"]"#, r#"["A","ab"]"#),
        (&field!(Adjacent), r#"["Point",[9]]"#, r#"["Point",[10]]"#),
        (&field!(Untagged), "[9]", "[10]"),
        (&field!(Tree), r#"["a",[["b",[],null]],null]"#, r#"["a",[["long",[],null]],null]"#),
    ] {
        assert_eq!(check(good), "", "{good}");
        let said = check(bad);
        assert!(said.contains(": expected at most "), "{good} {bad} {said:?}");
    }
}
