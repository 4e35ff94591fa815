//! What makes no difference to a recording.

use serde_json::json;

use super::difference;

#[test]
fn a_key_that_was_redacted_may_be_any() {
    let recorded = json!({"prices": {"of [redacted]": 2, "plum": 3}});
    assert_eq!(difference(&recorded, &json!({"prices": {"of peach": 2, "plum": 3}})), None);
    let other = difference(&recorded, &json!({"prices": {"of peach": 5, "plum": 3}}));
    assert_eq!(other.unwrap(), "/prices/of [redacted] is 5, recorded: 2");
    let missing = difference(&recorded, &json!({"prices": {"plum": 3}}));
    assert_eq!(missing.unwrap(), "/prices/of [redacted] is missing, recorded: 2");
    let new = difference(&recorded, &json!({"prices": {"of peach": 2, "plum": 3, "pear": 4}}));
    assert_eq!(new.unwrap(), "/prices/pear is new: 4");
    // Of two that became one the recording has the last.
    let two = json!({"prices": {"of peach": 1, "of pear": 2, "plum": 3}});
    assert_eq!(difference(&recorded, &two), None);
}
