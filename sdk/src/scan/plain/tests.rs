use proptest::prelude::*;

use super::*;
use crate::scan::{is_json, value};

#[test]
fn the_forms_that_are_checked() {
    let texts = [
        (r#""a" "#, Some(3)),
        ("true,", Some(4)),
        ("false", Some(5)),
        ("{}}", Some(2)),
        (r#"{"a":{"b":true,"c":"é"}}]"#, Some(25)),
        (r#"{"a":{"a":{"a":{}}}}"#, Some(20)),
        // These may be JSON, which others check.
        (r#"{"a":{"a":{"a":{"a":{}}}}}"#, None),
        (r#""a\n""#, None),
        (r#"{ "a":true}"#, None),
        (r#"{"a":1}"#, None),
        ("7", None),
        // These are not.
        ("", None),
        ("\"a", None),
        ("\"\t\"", None),
        (r#"{"a":true,}"#, None),
        (r#"{a":true}"#, None),
        (r#"{"a""b"}"#, None),
    ];
    for (text, length) in texts {
        assert_eq!(plain_length(text), length, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_taken_is_one_value(
        text in r#"(\{|\{|"id":|"é":|"a"|"\\|"b|:|,|true|false|1|null|\}|\}|\[|\]| |\t){0,16}"#,
    ) {
        if let Some(length) = plain_length(&text) {
            let taken = &text[..length];
            prop_assert!(is_json(taken), "{}", taken);
            // A word may have a tail, which is found where the next comma must stand.
            if taken.starts_with(['"', '{']) {
                prop_assert_eq!(value(&text), Some(taken));
            }
        }
    }
}
