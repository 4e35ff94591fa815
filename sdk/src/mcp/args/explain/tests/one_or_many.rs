//! A list beside other alternatives: serde also takes a struct as the array of its fields.

use std::collections::BTreeMap;

use toolwright::{data, tool};

use super::{is_taken, refused};

#[data]
struct Point {
    #[schemars(range(max = 9))]
    x: i32,
}

#[data]
struct Plain {
    a: u8,
}

#[data]
#[serde(untagged)]
enum Points {
    One(Point),
    Many(Vec<Point>),
}

#[data]
#[serde(untagged)]
enum Plains {
    One(Plain),
    Few(#[schemars(length(min = 1, max = 2))] Vec<Plain>),
}

#[data]
#[serde(untagged)]
enum Named {
    Map(BTreeMap<String, Point>),
    List(#[schemars(length(min = 1))] Vec<Point>),
}

#[tool]
fn points(v: Points) {
    drop(v);
}

#[tool]
fn plains(v: Plains) {
    drop(v);
}

#[tool]
fn named(v: Named) {
    drop(v);
}

#[test]
fn a_list_beside_a_struct_or_a_map_keeps_its_bounds() {
    for (tool, good, bad, said) in [
        (points::tool(), r#"[{"x":9}]"#, r#"[{"x":10}]"#, "/0/x: expected at most 9, got 10"),
        (points::tool(), r#"[[9],{"x":9}]"#, "[[9],[10]]", "/1/0: expected at most 9, got 10"),
        (points::tool(), "[9]", "[10]", "/0: expected at most 9, got 10"),
        (points::tool(), r#"{"x":9}"#, r#"{"x":10}"#, "/x: expected at most 9, got 10"),
        (plains::tool(), r#"[{"a":1}]"#, "[]", ": expected at least 1 item, got 0"),
        (
            plains::tool(),
            "[1]",
            r#"[{"a":1},{"a":2},{"a":3}]"#,
            ": expected at most 2 items, got 3",
        ),
        (named::tool(), r#"[{"x":9}]"#, r#"[{"x":10}]"#, "/0/x: expected at most 9, got 10"),
        (named::tool(), r#"{"a":{"x":9}}"#, "[]", ": expected at least 1 item, got 0"),
    ] {
        let of = |value| format!(r#"{{"v":{value}}}"#);
        assert!(is_taken(&tool, &of(good)), "{good}");
        assert!(!is_taken(&tool, &of(bad)), "{bad}");
        let refused = refused(&tool, &of(bad));
        assert!(refused.ends_with(&format!("- /v{said}")), "{bad}: {refused}");
    }
}
