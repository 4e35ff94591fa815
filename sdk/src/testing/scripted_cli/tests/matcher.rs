//! Matchers of hooks.

use super::super::matcher::Matcher;

#[test]
fn matchers_fit_what_they_fit_in_the_real_cli() {
    let fits = |matcher: Option<&str>, subject: &str| Matcher::read(matcher).unwrap().fits(subject);
    for any in [None, Some(""), Some("*")] {
        assert!(fits(any, "Bash"));
    }
    assert!(fits(Some("Bash"), "Bash"));
    assert!(!fits(Some("Bash"), "BashOutput"));
    assert!(fits(Some("Edit|Write"), "Write"));
    for list in ["Edit,Write", "Edit, Write", " Write ", "Edit |Write"] {
        assert!(fits(Some(list), "Write"), "{list}");
    }
    assert!(!fits(Some("Edit Write"), "Write"));
    assert!(fits(Some("mcp__calc__.*"), "mcp__calc__add"));
    assert!(!fits(Some("mcp__calc__.+"), "mcp__calc__"));
    assert!(fits(Some("^Bash.*"), "BashOutput"));
    assert!(!fits(Some("^ash.*"), "Bash"));
    assert!(fits(Some("ash$"), "Bash"));
    assert!(!fits(Some("Bas$"), "Bash"));
    assert!(fits(Some("mcp__.*__[a-c]dd|Bash"), "mcp__calc__add"));
    assert!(!fits(Some("mcp__.*__[^a]dd"), "mcp__calc__add"));
    assert!(fits(Some(r"a\.b"), "a.b"));
    assert!(!fits(Some(r"a\.b"), "a+b"));
    assert!(fits(Some("mcp__calc__a?dd"), "mcp__calc__dd"));
    assert!(fits(Some("^(Bash|Edit)$"), "Edit"));
    assert!(!fits(Some("^a{2}$"), "aaa"));
    assert!(fits(Some(r"^v\d+$"), "v12"));
}

#[test]
fn what_is_not_played_is_refused() {
    for matcher in ["(?=a)", "(?<!a)b", r"(a)\1", "[a", "*a", r"a\"] {
        assert!(Matcher::read(Some(matcher)).is_err(), "{matcher}");
    }
}
