use super::{check_version, parse};

#[test]
fn versions_are_read_in_all_their_forms() {
    for (text, expected) in [
        ("2.1.328 (Claude Code)", Some([2, 1, 328])),
        ("v2.0.0-beta.3", Some([2, 0, 0])),
        (" 1.9\n", Some([1, 9, 0])),
        ("3", Some([3, 0, 0])),
        ("unknown", None),
        ("", None),
        ("99999999999.0.0", None),
    ] {
        assert_eq!(parse(text), expected, "{text}");
    }
}

#[test]
fn only_what_is_surely_old_is_old() {
    assert!(check_version("2.1.328"));
    assert!(check_version("2.0.0"));
    assert!(check_version("of tomorrow"));
    let is_skipped = std::env::var_os("CLAUDE_AGENT_SDK_SKIP_VERSION_CHECK")
        .is_some_and(|value| !value.is_empty());
    assert_eq!(check_version("1.0.128"), is_skipped);
}
