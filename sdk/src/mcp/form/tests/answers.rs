//! Answers to forms: all that the schema says is checked, also what clients drop.

use expect_test::expect;
use toolwright::data;

use super::{Color, Plain, problem};
use crate::mcp::form::accepted;

#[data]
#[derive(Debug, PartialEq)]
struct Order {
    #[schemars(length(min = 2))]
    city: String,
    #[schemars(range(min = 1, max = 20))]
    parcels: u32,
    weight: f64,
    color: Color,
    #[serde(default)]
    plain: Vec<Plain>,
    floor: Option<i8>,
    is_gift: Option<bool>,
}

#[test]
fn an_answer_becomes_a_value() {
    let content =
        r#" {"city":"Rome","parcels":2,"weight":1,"color":"dark-green","plain":["Two"]} "#;
    let order = Order {
        city: "Rome".into(),
        parcels: 2,
        weight: 1.0,
        color: Color::DarkGreen,
        plain: vec![Plain::Two],
        floor: None,
        is_gift: None,
    };
    assert_eq!(accepted(Some(content)), Ok(order));
}

#[test]
fn every_problem_is_named() {
    let content = r#"{"city":"R","parcels":21,"weight":"2","colour":"blue","plain":["Three"],
                      "floor":200,"is_gift":"yes"}"#;
    expect![[r#"
        city: expected at least 2 characters, got 1
        parcels: expected 1 to 20, got 21
        weight: expected number, got string "2": write 2 without quotes
        colour: unknown, did you mean `color`?
        plain/0: expected one of "One", "Two", got string "Three"
        floor: expected -128 to 127, got 200
        is_gift: expected boolean, got string "yes"
        color: missing, expected one of "dark-green" or "blue" or "red""#]]
    .assert_eq(&problem::<Order>(content));
}

#[test]
fn no_content_is_an_answer_without_values() {
    #[data]
    #[derive(Debug, PartialEq)]
    struct Note {
        note: Option<String>,
    }

    for content in [None, Some("null"), Some(" null "), Some("{}"), Some(r#"{"note":null}"#)] {
        assert_eq!(accepted(content), Ok(Note { note: None }), "{content:?}");
    }
    expect![[r#"
        city: missing, expected string
        parcels: missing, expected integer
        weight: missing, expected number
        color: missing, expected one of "dark-green" or "blue" or "red""#]]
    .assert_eq(&problem::<Order>("null"));
}

#[test]
fn what_is_no_object_is_refused() {
    for content in ["[]", "1", "\"text\"", "true", "{", ""] {
        assert_eq!(problem::<Order>(content), "expected an object", "{content}");
    }
}

#[test]
fn an_unknown_name_is_refused_although_the_type_ignores_it() {
    let content = r#"{"city":"Rome","parcels":2,"weight":1,"color":"red","flor":3}"#;
    expect!["flor: unknown, did you mean `floor`?"].assert_eq(&problem::<Order>(content));
}

#[test]
fn a_whole_number_may_have_a_point() {
    let content = r#"{"city":"Rome","parcels":2.0,"weight":1,"color":"red"}"#;
    assert_eq!(accepted::<Order>(Some(content)).unwrap().parcels, 2);
}

#[test]
fn what_clients_drop_is_enforced() {
    #[data]
    #[derive(Debug)]
    #[allow(dead_code)]
    struct Dropped {
        #[schemars(regex(pattern = "^[a-z]+$"))]
        word: Option<String>,
        #[schemars(extend("const" = "yes"))]
        sure: Option<String>,
        #[schemars(extend("exclusiveMinimum" = 0))]
        above: Option<f64>,
        #[schemars(extend("enum" = [1, 2]))]
        choice: Option<u8>,
        #[schemars(extend("uniqueItems" = true))]
        set: Option<Vec<Plain>>,
        #[schemars(extend("multipleOf" = 5))]
        step: Option<i64>,
        limit: Option<u32>,
        far: Option<i64>,
    }

    let right = r#"{"word":"abc","sure":"yes","above":0.1,"choice":2,"set":["One","Two"],
                    "step":10,"limit":4294967295,"far":-9223372036854775808}"#;
    accepted::<Dropped>(Some(right)).unwrap();
    let wrong = r#"{"word":"a1","sure":"no","above":0,"choice":3,"set":["One","One"],
                    "step":7,"limit":4294967296,"far":9223372036854775808}"#;
    expect![[r#"
        word: expected a match of `^[a-z]+$`, got "a1"
        sure: expected "yes", got string "no"
        above: expected more than 0, got 0
        choice: expected one of 1, 2, got number 3
        step: expected a multiple of 5, got 7
        limit: expected 0 to 4294967295, got 4294967296"#]]
    .assert_eq(&problem::<Dropped>(wrong));
    for field in ["word", "sure", "above", "choice", "set", "step", "limit", "far"] {
        let wrong: serde_json::Value = serde_json::from_str(wrong).unwrap();
        let alone = serde_json::json!({ field: wrong[field] }).to_string();
        let problem = problem::<Dropped>(&alone);
        assert!(problem.starts_with(field), "{alone}: {problem}");
    }
}

#[test]
fn a_list_may_be_written_as_a_text() {
    #[data]
    #[derive(Debug, PartialEq)]
    struct Colors {
        colors: Vec<Color>,
    }

    let colors = |text: &str| {
        let content = serde_json::json!({"colors": text}).to_string();
        accepted::<Colors>(Some(&content)).map(|answer| answer.colors)
    };
    assert_eq!(colors("blue, Dark-Green ,"), Ok(vec![Color::Blue, Color::DarkGreen]));
    assert_eq!(colors(""), Ok(vec![]));
    expect![[r#"colors/1: expected one of "dark-green" or "blue" or "red", got string "pink""#]]
        .assert_eq(&colors("blue, pink").unwrap_err());
}

#[test]
fn of_names_that_differ_in_case_the_equal_one_is_meant() {
    #[data]
    #[derive(Debug, PartialEq)]
    #[serde(rename_all = "snake_case")]
    enum Grade {
        Pass,
        #[serde(rename = "PASS")]
        Honours,
    }
    #[data]
    #[derive(Debug, PartialEq)]
    struct Grades {
        grades: Vec<Grade>,
    }

    let Grades { grades } = accepted(Some(r#"{"grades":"PASS, pass, Pass"}"#)).unwrap();
    assert_eq!(grades, [Grade::Honours, Grade::Pass, Grade::Pass]);
}

#[test]
fn what_cannot_be_read_of_an_answer_is_said() {
    for (content, problem) in
        [(r#"{"city":"\ud83d"}"#, "hex escape"), (r#"{"weight":1e400}"#, "number out of range")]
    {
        let refusal = accepted::<Order>(Some(content)).unwrap_err();
        assert!(refusal.contains(problem), "{refusal}");
    }
}
