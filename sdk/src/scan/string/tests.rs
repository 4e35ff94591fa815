use proptest::prelude::*;

use super::*;

/// As serde_json reads it, followed by something else.
#[track_caller]
fn same(raw: &str) {
    let wanted = serde_json::from_str::<String>(raw).ok();
    assert_eq!(string(raw).map(Cow::into_owned), wanted, "{raw}");
    let text = format!("{raw},\"more\"]");
    let found = leading_string(&text).filter(|(_, end)| *end == raw.len());
    assert_eq!(found.map(|(text, _)| text), wanted, "{text}");
}

#[test]
fn every_escape_stands_for_what_it_does_in_serde_json() {
    for escape in 0..=u8::MAX {
        for after in ["", "0041", "00e9", "004", "+041", "00 1", "é41"] {
            for before in ["", "plain", "eight by", "more than eight bytes"] {
                same(&format!("\"{before}\\{}{after}{before}\"", char::from(escape)));
            }
        }
    }
}

#[test]
fn halves_of_characters_are_refused_unless_both_are_there() {
    for halves in ["d83d\\ude00", "d83d\\ude00\\ud83d\\ude01", "d83d", "de00", "d83d\\u0041"] {
        same(&format!("\"a\\u{halves}b\""));
    }
    for halves in ["d83dude00", "ude00\\ud83d", "d83d\\n", "d83d\\ud83d\\ude00", "d83d\\\\ude00"] {
        same(&format!("\"a\\u{halves}b\""));
    }
}

#[test]
fn what_has_no_end_or_control_characters_is_no_string() {
    for broken in ["\"", "\"a", "\"a\\", "\"a\\\"", "\"a\\u004", "\"\\u0041", ""] {
        assert_eq!(string(broken), None, "{broken}");
        assert_eq!(leading_string(broken), None, "{broken}");
    }
    assert_eq!(leading_string("\"a\nb\""), None);
}

proptest! {
    #[test]
    fn any_text_is_read_as_it_was_written(
        text in "[\\x00-\\x7f\u{80}-\u{ff}\u{1f600}]{0,60}([a-z ]{0,90}[\"\\\\\n]){0,3}",
    ) {
        let raw = serde_json::to_string(&text).unwrap();
        prop_assert_eq!(string(&raw).map(Cow::into_owned), Some(text.clone()));
        prop_assert_eq!(leading_string(&raw), Some((text, raw.len())));
    }

    #[test]
    fn any_raw_text_is_read_as_serde_json_reads_it(raw in "[a-f0-9un/\\\\\u{e9}]{0,24}") {
        same(&format!("\"{raw}\""));
    }

    #[test]
    fn a_string_ends_at_the_first_quote_that_no_backslash_escapes(
        text in "([a-z]{0,90}\\\\{0,4}\"){0,4}[a-z\\\\]{0,20}",
    ) {
        let (bytes, mut at) = (text.as_bytes(), 0);
        while at < bytes.len() && bytes[at] != b'"' {
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        prop_assert_eq!(string_end(bytes, 0), (at < bytes.len()).then_some(at + 1));
    }
}
