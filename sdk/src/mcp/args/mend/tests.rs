use expect_test::expect;
use toolwright::{Args, data, tool};

use super::integer;
use crate::mcp::context::Context;
use crate::mcp::tool::Tool;

/// What is wrong with the arguments; empty if they are taken.
fn problems(tool: &Tool, arguments: &str) -> String {
    let begun = tool.decoder().decode(Some(arguments), &Context::detached());
    begun.err().map(|bad| bad.to_string()).unwrap_or_default()
}

#[test]
fn whole_numbers_are_written_as_integers() {
    for (written, meant) in [
        ("5.0", "5"),
        ("-5.000", "-5"),
        ("1e3", "1000"),
        ("1.5E+1", "15"),
        ("12300e-2", "123"),
        ("0.0", "0"),
        ("-0", "0"),
        ("-0.0e5", "0"),
        ("0e99999999", "0"),
        ("0.1e1", "1"),
        ("340282366920938463463374607431768211455.0", "340282366920938463463374607431768211455"),
    ] {
        assert_eq!(integer(written).as_deref(), Some(meant), "{written}");
    }
    for other in
        ["5", "-7", "0", "0.5", "1e-1", "15e-1", "1e999", "1e99999999999999999999", "1.05e1"]
    {
        assert_eq!(integer(other), None, "{other}");
    }
    for no_number in ["01", "-01", "00.0", "5.", ".0", "5.x0", "1e", "1e+-1", "--5.0", "+5.0", ""] {
        assert_eq!(integer(no_number), None, "{no_number}");
    }
}

#[data]
struct Node {
    id: u64,
    weight: Option<f64>,
    children: Option<Vec<Node>>,
}

#[data]
#[serde(tag = "kind")]
enum Shape {
    Circle { size: f64 },
    Grid { size: u8 },
    Nothing,
}

#[data]
#[serde(untagged)]
enum Either {
    Number(f32),
    Count { count: i64 },
}

#[tool]
fn numbers(
    node: Option<Node>,
    shapes: Option<Vec<Shape>>,
    pair: Option<(u8, f64)>,
    either: Option<Either>,
    #[arg(max = 9)] small: Option<u8>,
) -> String {
    let _ = (node.map(|it| (it.id, it.weight, it.children.is_some())), shapes.map(|it| it.len()));
    let _ = either.map(|it| match it {
        Either::Number(it) => it.to_string(),
        Either::Count { count } => count.to_string(),
    });
    format!("{pair:?} {small:?}")
}

#[tool]
fn node(Args(node): Args<Node>) -> u64 {
    node.id
}

#[test]
fn integers_may_have_a_point_wherever_the_schema_wants_them() {
    for taken in [
        r#"{"small":5.0}"#,
        r#"{"pair":[1e1,1.5],"small":9.0}"#,
        r#"{"node":{"id":1.0,"weight":2.0,"children":[{"id":2e0,"children":[{"id":3.0}]}]}}"#,
        r#"{"shapes":[{"kind":"Circle","size":1.5},{"size":2.0,"kind":"Grid"}]}"#,
        r#"{"either":1.0}"#,
        r#"{"either":{"count":-1.70141183460469e18}}"#,
    ] {
        assert_eq!(problems(&numbers::tool(), taken), "", "{taken}");
    }
    assert_eq!(
        problems(&node::tool(), r#" { "id" : 1.0 , "children" : [ { "id" : 2.0 } ] } "#),
        ""
    );
    // A struct may also be the list of its fields.
    assert_eq!(problems(&numbers::tool(), r#"{"node":[1.0,2.5,[[2.0,1,[]]]]}"#), "");
}

#[test]
fn what_is_mended_still_has_to_fit() {
    expect![[r#"
        Invalid arguments for `numbers`:
        - /small: expected 0 to 9, got 10"#]]
    .assert_eq(&problems(&numbers::tool(), r#"{"small":10.0}"#));
    expect![[r#"
        Invalid arguments for `numbers`:
        - /node/children/0/id: expected integer, got number 2.5
        - /small: expected 0 to 9, got 256"#]]
    .assert_eq(&problems(
        &numbers::tool(),
        r#"{"node":{"id":1.0,"children":[{"id":2.5}]},"small":256.0}"#,
    ));
    expect![[r#"
        Invalid arguments for `numbers`:
        - /small: given more than once"#]]
    .assert_eq(&problems(&numbers::tool(), r#"{"small":5.0,"small":1}"#));
    expect![[r#"
        Invalid arguments for `node`:
        - /children/0/id: missing, expected integer"#]]
    .assert_eq(&problems(&node::tool(), r#"{"id":1.0,"children":[{}]}"#));
}

#[tool]
fn lenient(
    #[arg(lenient)] count: Option<u8>,
    #[arg(lenient, max = 9)] limit: Option<i64>,
    #[arg(lenient)] flag: Option<bool>,
    #[arg(lenient)] list: Option<Vec<u8>>,
    #[arg(lenient)] node: Option<Node>,
    #[arg(lenient)] text: Option<String>,
    strict: Option<u8>,
) -> String {
    format!("{count:?}{limit:?}{flag:?}{list:?}{}{text:?}{strict:?}", node.is_some())
}

#[test]
fn a_lenient_argument_may_be_in_a_string() {
    for taken in [
        r#"{"count":"7"}"#,
        r#"{"count":" 7.0 ","flag":"true"}"#,
        r#"{"list":"[1,\"2\"]","node":"{\"id\":\"1\"}"}"#,
        r#"{"list":["1",2],"text":"[1]"}"#,
    ] {
        assert_eq!(problems(&lenient::tool(), taken), "", "{taken}");
    }
    expect![[r#"
        Invalid arguments for `lenient`:
        - /limit: expected at most 9, got 10
        - /count: expected integer, got string "seven"
        - /flag: expected boolean, got string "1"
        - /list: expected array, got string "[1"
        - /strict: expected integer, got string "1": write 1 without quotes"#]]
    .assert_eq(&problems(
        &lenient::tool(),
        r#"{"count":"seven","limit":"10","flag":"1","list":"[1","strict":"1"}"#,
    ));
}

#[data]
enum When {
    Now,
    In(u32),
    At { day: String },
}

#[tool]
fn remind(#[arg(lenient)] when: Option<When>) -> String {
    when.map_or_else(String::new, |when| match when {
        When::Now => "now".to_owned(),
        When::In(days) => days.to_string(),
        When::At { day } => day,
    })
}

#[test]
fn names_of_variants_do_not_hide_the_variants_with_values() {
    for taken in [
        r#"{"when":"Now"}"#,
        r#"{"when":"{\"In\":5}"}"#,
        r#"{"when":"{\"In\":\"5\"}"}"#,
        r#"{"when":"{\"At\":{\"day\":\"1\"}}"}"#,
    ] {
        assert_eq!(problems(&remind::tool(), taken), "", "{taken}");
    }
    for refused in [r#"{"when":"Later"}"#, r#"{"when":"{\"In\":\"x\"}"}"#] {
        assert_ne!(problems(&remind::tool(), refused), "", "{refused}");
    }
}

#[test]
fn very_large_arguments_are_left_as_they_are() {
    let list = "1.0,".repeat(20_000);
    let problems = problems(&lenient::tool(), &format!(r#"{{"list":[{list}1]}}"#));
    assert!(problems.contains("/list/0: "), "{problems}");
}

macro_rules! of_many {
    ($($name:ident)*) => {
        #[expect(clippy::too_many_arguments, reason = "an answer names fifty problems")]
        #[tool]
        fn of_many($(#[arg(lenient)] $name: Option<u8>),*) -> usize {
            [$($name),*].iter().flatten().count()
        }
        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

of_many!(
    a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 c0 c1 c2 c3 c4 c5 c6 c7 c8 c9
    d0 d1 d2 d3 d4 d5 d6 d7 d8 d9 e0 e1 e2 e3 e4 e5 e6 e7 e8 e9 f0 f1 f2 f3 f4 f5 f6 f7 f8 f9
);

#[test]
fn whatever_comes_after_many_mended_arguments_is_read_too() {
    let mut members: Vec<_> = NAMES.iter().map(|name| format!(r#""{name}":"1""#)).collect();
    let arguments = |members: &[String]| format!("{{{}}}", members.join(","));
    assert_eq!(problems(&of_many::tool(), &arguments(&members)), "");
    members.pop();
    for wrong in [r#""bogus":1"#, r#""f9":"x""#, r#""f9":999"#, r#""f9":tru"#, r#""a0":5"#] {
        let members = [&members[..], &[wrong.to_owned()]].concat();
        assert_ne!(problems(&of_many::tool(), &arguments(&members)), "", "{wrong}");
    }
}

#[test]
fn a_text_with_a_control_character_is_not_mended() {
    for text in ["{\"count\":\"7\t\"}", "{\"list\":\"[1,\n2]\"}", "{\"limit\":\"1\\n\t\"}"] {
        assert_ne!(problems(&lenient::tool(), text), "", "{text}");
    }
}
