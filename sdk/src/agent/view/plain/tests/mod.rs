use super::plain;

/// What is said, and how it is shown: what hides something first, then emoji and words. The page
/// in the browser is tested with the same ones.
#[test]
fn nothing_that_is_said_is_drawn_as_nothing() {
    let cases: Vec<(String, String)> = serde_json::from_str(include_str!("cases.json")).unwrap();
    for (said, expected) in cases {
        assert_eq!(plain(&said), expected);
    }
}
