//! Random forms and answers, judged by an independent validator.

use jsonschema::draft202012;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};
use toolwright::data;

use super::{Color, Plain, REVISIONS};
use crate::judge::{Kind, assert_valid};
use crate::mcp::form::requested::flat;
use crate::mcp::form::{accepted, accepted_by};
use crate::mcp::schema;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];
const CHOICES: [&str; 4] = ["one", "two", "three", "four"];

#[data]
#[derive(Debug, Clone, PartialEq)]
struct Everything {
    #[schemars(length(min = 1, max = 3), regex(pattern = "^[a-z]*$"))]
    text: String,
    #[schemars(range(max = 9))]
    small: u8,
    #[schemars(extend("exclusiveMinimum" = -2))]
    large: i64,
    number: f64,
    truth: bool,
    color: Color,
    #[schemars(length(max = 2), extend("uniqueItems" = true))]
    several: Vec<Plain>,
    maybe: Option<i16>,
    #[serde(default)]
    filled: u32,
}

/// A property as an author may write it, and as types give it.
fn property() -> impl Strategy<Value = Value> {
    let text = (0..3_u8, select(vec!["email", "uri", "date", "uuid", ""]), any::<bool>()).prop_map(
        |(least, format, has_pattern)| {
            let mut property = json!({"type": "string", "minLength": least, "maxLength": 4});
            if !format.is_empty() {
                property["format"] = format.into();
            }
            if has_pattern {
                property["pattern"] = "^[a-z]*$".into();
            }
            property
        },
    );
    let bounds = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"];
    let bounds = (subsequence(bounds.to_vec(), 0..=3), vec(1..9_i8, 3));
    let number = (select(vec!["integer", "number"]), bounds).prop_map(|(kind, (keys, values))| {
        let mut property = json!({ "type": kind });
        keys.iter().zip(values).for_each(|(key, value)| property[key] = value.into());
        property
    });
    let choices = subsequence(CHOICES.to_vec(), 1..=4);
    let one = (choices.clone(), any::<bool>()).prop_map(|(names, is_titled)| match is_titled {
        false => json!({"type": "string", "enum": names}),
        true => {
            let named = names.iter().map(|name| json!({"const": name, "title": name}));
            json!({"type": "string", "oneOf": named.collect::<Value>()})
        }
    });
    let several = (choices, 0..3_u8, any::<bool>()).prop_map(|(names, least, is_set)| {
        json!({
            "type": "array",
            "items": {"type": "string", "enum": names},
            "minItems": least,
            "uniqueItems": is_set,
        })
    });
    let kind = prop_oneof![text, number, one, several, Just(json!({"type": "boolean"}))];
    (kind, any::<bool>(), value()).prop_map(|(mut property, is_described, default)| {
        if is_described {
            property["title"] = "A title".into();
            property["description"] = "A description".into();
            property["default"] = default;
        }
        property
    })
}

fn form() -> impl Strategy<Value = Value> {
    let properties = vec(property(), 4);
    let names = || subsequence(NAMES.to_vec(), 0..=4);
    (properties, names(), names()).prop_map(|(properties, names, required)| {
        let named = names.iter().zip(properties).map(|(name, it)| ((*name).to_owned(), it));
        let required: Vec<_> = required.into_iter().filter(|name| names.contains(name)).collect();
        json!({
            "type": "object",
            "properties": named.collect::<Map<_, _>>(),
            "required": required,
            "additionalProperties": false,
        })
    })
}

fn value() -> impl Strategy<Value = Value> {
    let word = select([&CHOICES[..], &["", "A1", "blue", "red", "One", "Two", "5"]].concat());
    prop_oneof![
        3 => word.clone().prop_map(Value::from),
        3 => (-3..12_i64).prop_map(Value::from),
        1 => (-6..20_i8).prop_map(|half| Value::from(f64::from(half) / 2.0)),
        1 => any::<u64>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        2 => vec(word, 0..3).prop_map(Value::from),
        1 => Just(Value::Null),
        1 => Just(json!({})),
    ]
}

fn answer(names: &[&'static str]) -> impl Strategy<Value = Map<String, Value>> + use<> {
    let names = [names, &["stranger"]].concat();
    let count = names.len();
    (subsequence(names, 0..=count), vec(value(), count))
        .prop_map(|(names, values)| names.iter().map(|it| (*it).to_owned()).zip(values).collect())
}

/// A right answer, most often.
fn everything() -> impl Strategy<Value = Everything> {
    let color = select(vec![Color::Blue, Color::DarkGreen, Color::Red]);
    let several = subsequence(vec![Plain::One, Plain::Two], 0..=2);
    let numbers = (0..11_u8, -3_i64..9, -9.0..9.0, any::<Option<i16>>(), any::<u32>());
    let words = ("[a-z]{0,4}", color, several, any::<bool>());
    (words, numbers).prop_map(|((text, color, several, truth), numbers)| {
        let (small, large, number, maybe, filled) = numbers;
        Everything { text, small, large, number, truth, color, several, maybe, filled }
    })
}

/// Null is the absence of a value.
fn without_null(answer: &Map<String, Value>) -> Value {
    let mut answer = answer.clone();
    answer.retain(|_, value| !value.is_null());
    answer.into()
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(128)
    })]

    #[test]
    fn every_form_is_one_that_clients_take(form in form(), default in answer(&NAMES)) {
        let default = Value::from(default);
        for revision in REVISIONS {
            let profile = revision.profile();
            for default in [None, Some(&default)] {
                assert_valid(profile.version, Kind::Form, &flat(&form, profile, default));
            }
        }
    }

    #[test]
    fn a_form_takes_what_its_author_meant(form in form(), answer in answer(&NAMES)) {
        let given = without_null(&answer);
        let is_valid = draft202012::is_valid(&form, &given);
        let taken = accepted_by(&form, Some(&Value::from(answer).to_string()));
        prop_assert_eq!(taken.is_ok(), is_valid, "{:?}", taken);
        if let Ok(taken) = taken {
            prop_assert_eq!(Value::from(taken), given);
        }
    }

    /// A client that knows all that it is asked may send each answer that the author takes.
    #[test]
    fn what_a_client_gets_allows_all_that_is_right(form in form(), answer in answer(&NAMES)) {
        let given = without_null(&answer);
        let asked = flat(&form, REVISIONS[2].profile(), None);
        if draft202012::is_valid(&form, &given) {
            prop_assert!(draft202012::is_valid(&asked, &given), "{asked}");
        }
    }

    #[test]
    fn a_value_comes_back(value in everything()) {
        let content = serde_json::to_string(&value).unwrap();
        let is_right = (1..=3).contains(&value.text.len()) && value.small <= 9 && value.large > -2;
        let taken = accepted::<Everything>(Some(&content));
        prop_assert_eq!(taken.is_ok(), is_right, "{:?}", taken);
        if let Ok(taken) = taken {
            prop_assert_eq!(taken, value);
        }
    }

    #[test]
    fn a_type_takes_what_its_schema_says(
        value in everything(),
        changes in answer(&["text", "small", "large", "number", "color", "several", "maybe"]),
    ) {
        let mut schema = schema::input::<Everything>();
        schema["additionalProperties"] = false.into();
        let Value::Object(mut answer) = serde_json::to_value(&value).unwrap() else { panic!() };
        answer.extend(changes);
        // The one thing that is read in another way: a list as a text.
        prop_assume!(!answer["several"].is_string());
        let is_valid = draft202012::is_valid(&schema, &without_null(&answer));
        let taken = accepted::<Everything>(Some(&Value::from(answer).to_string()));
        let is_ours = taken.is_ok();
        // `i64` has no bounds in the schema.
        let is_too_large = |problem: &String| problem.starts_with("large: ");
        prop_assert!(is_ours == is_valid || taken.is_err_and(|it| is_too_large(&it)));
    }
}
