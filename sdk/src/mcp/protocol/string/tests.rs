use proptest::prelude::*;

use super::*;

fn written(text: &str) -> String {
    let mut out = Vec::new();
    write_string(&mut out, text);
    String::from_utf8(out).unwrap()
}

#[test]
fn every_character_is_written_as_serde_writes_it() {
    for char in (0..0x800).filter_map(char::from_u32).chain(['\u{2028}', '\u{10ffff}']) {
        for before in 0..9 {
            let text = format!("{}{char}after it", "-".repeat(before));
            assert_eq!(written(&text), serde_json::to_string(&text).unwrap());
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_written_as_serde_writes_it(text in "[\\x00-\\x7f\u{80}-\u{ff}]{0,60}") {
        prop_assert_eq!(written(&text), serde_json::to_string(&text).unwrap());
    }
}
