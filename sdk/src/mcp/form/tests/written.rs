//! What a client gets: nothing that Claude refuses or drops.

use expect_test::expect;
use serde_json::{Value, json};
use toolwright::data;

use super::{Color, Plain, REVISIONS, form, newest};
use crate::mcp::form::requested;
use crate::mcp::protocol::Revision;

#[data]
struct Everything {
    /// # Full name
    ///
    /// As on the passport.
    #[schemars(length(min = 2, max = 80))]
    name: String,
    #[schemars(email)]
    mail: String,
    letter: char,
    /// In years
    age: u8,
    limit: u32,
    far: u64,
    floor: Option<i16>,
    #[schemars(range(min = 0.5, max = 9.5))]
    score: f64,
    #[serde(default)]
    verified: bool,
    color: Color,
    plain: Option<Plain>,
    /// What else
    #[schemars(length(min = 1))]
    more: Vec<Color>,
    #[serde(default)]
    others: Vec<Plain>,
}

fn lines(form: &Value) -> String {
    let properties = form["properties"].as_object().unwrap();
    let lines = properties.iter().map(|(name, property)| format!("{name} {property}\n"));
    lines.chain([form["required"].to_string() + "\n"]).collect()
}

#[test]
fn every_field_has_its_property_in_declaration_order() {
    expect![[r#"
        name {"type":"string","title":"Full name","description":"As on the passport.","minLength":2,"maxLength":80}
        mail {"type":"string","format":"email"}
        letter {"type":"string","minLength":1,"maxLength":1}
        age {"type":"integer","description":"In years","minimum":0,"maximum":255}
        limit {"type":"integer","minimum":0,"maximum":4294967295}
        far {"type":"integer","minimum":0}
        floor {"type":"integer","minimum":-32768,"maximum":32767}
        score {"type":"number","minimum":0.5,"maximum":9.5}
        verified {"type":"boolean","default":false}
        color {"type":"string","oneOf":[{"const":"dark-green","title":"dark-green"},{"const":"blue","title":"Like the sky."},{"const":"red","title":"Red!"}]}
        plain {"type":"string","oneOf":[{"const":"One","title":"One"},{"const":"Two","title":"Two"}]}
        more {"type":"array","description":"What else","minItems":1,"items":{"anyOf":[{"const":"dark-green","title":"dark-green"},{"const":"blue","title":"Like the sky."},{"const":"red","title":"Red!"}]}}
        others {"type":"array","items":{"anyOf":[{"const":"One","title":"One"},{"const":"Two","title":"Two"}]},"default":[]}
        ["name","mail","letter","age","limit","far","score","color","more"]
    "#]].assert_eq(&lines(&newest::<Everything>()));
    assert_eq!(form::<Everything>(Revision::V2025_11_25, None), newest::<Everything>());
}

#[test]
fn the_first_revision_with_forms_has_less() {
    let form =
        form::<Everything>(Revision::V2025_06_18, Some(&json!({"verified": true, "age": 3})));
    expect![[r#"
        name {"type":"string","title":"Full name","description":"As on the passport.","minLength":2,"maxLength":80}
        mail {"type":"string","format":"email"}
        letter {"type":"string","minLength":1,"maxLength":1}
        age {"type":"integer","description":"In years","minimum":0,"maximum":255}
        limit {"type":"integer","minimum":0,"maximum":4294967295}
        far {"type":"integer","minimum":0}
        floor {"type":"integer","minimum":-32768,"maximum":32767}
        score {"type":"number","minimum":0.5,"maximum":9.5}
        verified {"type":"boolean","default":true}
        color {"type":"string","enum":["dark-green","blue","red"],"enumNames":["dark-green","Like the sky.","Red!"]}
        plain {"type":"string","enum":["One","Two"],"enumNames":["One","Two"]}
        more {"type":"string","description":"What else\nAny of these, with commas between them: dark-green, blue, red"}
        others {"type":"string","description":"Any of these, with commas between them: One, Two"}
        ["name","mail","letter","age","limit","far","score","color","more"]
    "#]].assert_eq(&lines(&form));
}

#[test]
fn an_option_is_only_not_required() {
    /// The colors.
    #[data]
    struct Optional {
        color: Option<Color>,
        /// The second
        #[schemars(title = "No. 2")]
        other: Option<Color>,
        more: Option<Vec<Plain>>,
        #[serde(default)]
        truth: Option<bool>,
        twice: Option<Option<String>>,
    }

    expect![[r#"
        color {"type":"string","oneOf":[{"const":"dark-green","title":"dark-green"},{"const":"blue","title":"Like the sky."},{"const":"red","title":"Red!"}]}
        other {"type":"string","title":"No. 2","description":"The second","oneOf":[{"const":"dark-green","title":"dark-green"},{"const":"blue","title":"Like the sky."},{"const":"red","title":"Red!"}]}
        more {"type":"array","items":{"anyOf":[{"const":"One","title":"One"},{"const":"Two","title":"Two"}]}}
        truth {"type":"boolean"}
        twice {"type":"string"}
        null
    "#]].assert_eq(&lines(&newest::<Optional>()));
}

#[test]
fn a_form_without_fields_has_empty_properties() {
    #[data]
    struct Nothing {}

    expect![[r#"{"type":"object","properties":{}}"#]].assert_eq(&newest::<Nothing>().to_string());
}

#[test]
fn a_format_is_written_if_clients_take_it() {
    #[data]
    struct Formats {
        #[schemars(email)]
        mail: String,
        #[schemars(url)]
        page: String,
        #[schemars(extend("format" = "date"))]
        day: String,
        #[schemars(extend("format" = "date-time"))]
        time: String,
        #[schemars(extend("format" = "uuid"))]
        id: String,
        #[schemars(ipv4)]
        address: String,
    }

    expect![[r#"
        mail {"type":"string","format":"email"}
        page {"type":"string","format":"uri"}
        day {"type":"string","format":"date"}
        time {"type":"string","format":"date-time"}
        id {"type":"string"}
        address {"type":"string"}
        ["mail","page","day","time","id","address"]
    "#]]
    .assert_eq(&lines(&newest::<Formats>()));
}

#[cfg(all(feature = "chrono", feature = "url"))]
#[test]
fn types_with_a_format_are_written_with_it() {
    use super::problem;
    use crate::mcp::form::accepted;

    #[data]
    struct Booking {
        day: chrono::NaiveDate,
        at: chrono::DateTime<chrono::Utc>,
        page: Option<url::Url>,
    }

    expect![[r#"
        day {"type":"string","format":"date"}
        at {"type":"string","format":"date-time"}
        page {"type":"string","format":"uri"}
        ["day","at"]
    "#]]
    .assert_eq(&lines(&newest::<Booking>()));
    let content =
        r#"{"day":"2026-02-28","at":"2026-02-28T10:00:00+01:00","page":"https://a.example/"}"#;
    let booking = accepted::<Booking>(Some(content)).unwrap();
    assert_eq!(booking.at.to_string(), "2026-02-28 09:00:00 UTC");
    let wrong = r#"{"day":"2026-02-30","at":"noon","page":"a"}"#;
    expect![[r#"
        day: expected a date such as 2026-11-22, got string "2026-02-30" (input is out of range)
        at: expected a date and time such as 2026-11-22T02:50:00Z, got string "noon" (input contains invalid characters)
        page: expected a URI such as https://example.com/, got string "a" (relative URL without a base: "a")"#]]
    .assert_eq(&problem::<Booking>(wrong));
}

#[test]
fn what_clients_drop_is_not_written() {
    #[data]
    #[schemars(title = "A title")]
    struct Dropped {
        #[schemars(regex(pattern = "^[a-z]+$"), example = &"abc")]
        word: String,
        #[schemars(extend("const" = "yes"))]
        sure: String,
        #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 10))]
        digit: i32,
        #[schemars(extend("exclusiveMinimum" = 0, "minimum" = 5, "multipleOf" = 5))]
        step: i64,
        #[schemars(extend("exclusiveMaximum" = 1.5))]
        ratio: f32,
        #[schemars(extend("enum" = [1, 2]))]
        choice: u8,
        #[schemars(extend("uniqueItems" = true))]
        set: Vec<Plain>,
        #[schemars(extend("x-kind" = "else", "deprecated" = true))]
        more: String,
    }

    expect![[r#"
        word {"type":"string"}
        sure {"type":"string","oneOf":[{"const":"yes","title":"yes"}]}
        digit {"type":"integer","minimum":1,"maximum":9}
        step {"type":"integer","minimum":5}
        ratio {"type":"number","maximum":1.5}
        choice {"type":"integer","minimum":0,"maximum":255}
        set {"type":"array","items":{"anyOf":[{"const":"One","title":"One"},{"const":"Two","title":"Two"}]}}
        more {"type":"string"}
        ["word","sure","digit","step","ratio","choice","set","more"]
    "#]].assert_eq(&lines(&newest::<Dropped>()));
}

#[test]
fn attributes_of_serde_change_the_form_as_they_change_the_type() {
    #[data]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    #[allow(dead_code)]
    struct Renamed {
        first_name: String,
        #[serde(rename = "surname", alias = "last_name")]
        last_name: String,
        #[serde(default = "seven")]
        count: u32,
        #[serde(skip)]
        hidden: std::collections::BTreeMap<String, String>,
        r#type: Option<Plain>,
    }

    fn seven() -> u32 {
        7
    }

    expect![[r#"
        firstName {"type":"string"}
        surname {"type":"string"}
        count {"type":"integer","minimum":0,"maximum":4294967295,"default":7}
        type {"type":"string","oneOf":[{"const":"One","title":"One"},{"const":"Two","title":"Two"}]}
        ["firstName","surname"]
    "#]]
    .assert_eq(&lines(&newest::<Renamed>()));
}

#[test]
fn defaults_are_those_of_the_call_or_else_of_the_type() {
    #[data]
    struct Defaults {
        name: String,
        #[serde(default)]
        age: u32,
        score: f64,
        color: Color,
        more: Vec<Color>,
        note: Option<String>,
    }

    let default = |default: &Value| lines(&form::<Defaults>(Revision::V2025_11_25, Some(default)));
    let all = Defaults {
        name: "Ann".into(),
        age: 30,
        score: 95.5,
        color: Color::DarkGreen,
        more: vec![Color::Red],
        note: None,
    };
    expect![[r#"
        name {"type":"string","default":"Ann"}
        age {"type":"integer","minimum":0,"maximum":4294967295,"default":30}
        score {"type":"number","default":95.5}
        color {"type":"string","oneOf":[{"const":"dark-green","title":"dark-green"},{"const":"blue","title":"Like the sky."},{"const":"red","title":"Red!"}],"default":"dark-green"}
        more {"type":"array","items":{"anyOf":[{"const":"dark-green","title":"dark-green"},{"const":"blue","title":"Like the sky."},{"const":"red","title":"Red!"}]},"default":["red"]}
        note {"type":"string"}
        ["name","score","color","more"]
    "#]].assert_eq(&default(&serde_json::to_value(all).unwrap()));
    // What is no value of its field is left out.
    let unfit = json!({
        "name": 1, "age": 1.5, "score": "high", "color": "pink", "more": ["red", "pink"], "it": 1,
    });
    expect![[r#"
        name {"type":"string"}
        age {"type":"integer","minimum":0,"maximum":4294967295}
        score {"type":"number"}
        color {"type":"string","oneOf":[{"const":"dark-green","title":"dark-green"},{"const":"blue","title":"Like the sky."},{"const":"red","title":"Red!"}]}
        more {"type":"array","items":{"anyOf":[{"const":"dark-green","title":"dark-green"},{"const":"blue","title":"Like the sky."},{"const":"red","title":"Red!"}]}}
        note {"type":"string"}
        ["name","score","color","more"]
    "#]].assert_eq(&default(&unfit));
}

#[test]
fn the_text_is_as_short_as_json_can_be() {
    #[data]
    struct Short {
        a: bool,
    }

    for revision in REVISIONS {
        let text = requested::<Short>(revision.profile(), None);
        let expected =
            r#"{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"]}"#;
        assert_eq!(*text, *expected);
    }
}
