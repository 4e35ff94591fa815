use proptest::prelude::*;

use super::*;

fn matches(pattern: &str, text: &str) -> bool {
    Pattern::of(pattern).unwrap_or_else(|| panic!("`{pattern}` is not read")).is_match(text)
}

/// Each was given to `new RegExp(…, "u")` of Node 20.
#[test]
fn an_expression_is_one_if_javascript_compiles_it() {
    for wrong in [
        "[",
        "((",
        "a)",
        "*",
        "a{",
        "a}",
        "a]",
        "a{2,1}",
        "a**",
        r"a\",
        r"\-",
        r"\@",
        r"\ ",
        r"\<",
        r"\é",
        r"\1",
        r"(a)\2",
        r"[\1]",
        r"\k<a>",
        r"(?<a>b)\k<c>",
        r"(?<a>b)(?<\u0061>c)",
        "(?<a>b)|(?<a>c)",
        "(?<1>a)",
        "(?<a",
        "(?=a)*",
        "(?P<a>b)",
        "(?i)a",
        "(?i",
        "(?i:a)",
        "(?-i:a)",
        r"\pL",
        r"\p{",
        r"\p{}",
        r"\p{^L}",
        r"[\p{L}",
        r"[\p{L}-z]",
        r"[\w-z]",
        "[b-a]",
        r"\c1",
        r"\00",
        r"\x1",
        r"\u12",
        r"\u{110000}",
        r"\u{+1}",
        r"\u{61",
        r"(?!a)\-",
        r"\p{L}}",
    ] {
        assert!(!Pattern::is_one(wrong), "{wrong}");
    }
    for right in [
        r"^\d{4}-\d{2}$",
        r"[\w\-]",
        r"\/",
        "[@{}(*]",
        "[]",
        "[^]",
        r"\u{61}\ud83d\ude00",
        r"[\ud800-\udfff]",
        r"\cJ",
        "(?<$ä>a)",
        r"a\0",
        "a{99999999999}",
    ] {
        assert!(Pattern::is_one(right), "{right}");
    }
    let nested = format!("{}a{}", "(".repeat(200), ")".repeat(200));
    for unread in [
        r"^(?!\.\.)[a-z/.]+$",
        "(?<=a)b",
        r"^\p{L}+$",
        r"[^\P{Script=Greek}\d]",
        r"(a)\1",
        r"\1(a)",
        r"(?<a>b)\k<\u0061>",
        "a{20000}",
        "^[a-z]{1,10000}$",
        "^(?:[A-Za-z0-9+/]{4}){1,2500}$",
        &nested,
    ] {
        assert!(Pattern::is_one(unread) && Pattern::of(unread).is_none(), "{unread}");
    }
    assert!(!matches("^[a-z]{1,9000}$", "A") && matches("^[a-z]{1,9000}$", "a"));
}

/// Rust's syntax has them.
#[test]
fn needless_escapes_are_read() {
    for (pattern, text) in [(r"^a\-b$", "a-b"), (r"^[\@\-z]\@$", "-@"), (r"^\#\~\&\ $", "#~& ")] {
        assert!(matches(pattern, text), "{pattern}");
    }
}

#[test]
fn expressions_match_as_in_ecmascript() {
    for (pattern, matching, others) in [
        ("^a", &["a", "ab"][..], &["ba", ""][..]),
        ("a$", &["a", "ba"], &["ab", "a\n"]),
        ("", &["", "x"], &[]),
        ("^(?:a|bc)*$", &["", "abca"], &["ab", "c"]),
        (r"^-?\d+$", &["1", "-20"], &["", "-", "1x"]),
        (r"^[A-Z]{2,3}-\d{4}$", &["AB-1234", "ABC-1234"], &["A-1234", "ABCD-1234"]),
        (r"^[^\s,]+(,[^\s,]+)*$", &["a,b", "ä"], &["a,,b", "a b", ""]),
        (r"\bcat\b", &["a cat.", "cat"], &["concat", "cats"]),
        ("^.$", &["ä", "😀"], &["", "\n", "ab"]),
        (r"^[\w.+-]+@[\w-]+\.[a-z]{2,}$", &["a.b+c@d-e.fr"], &["a@b", "@b.fr"]),
        (r"^\u0061\x62\u{1F600}\/$", &["ab😀/"], &["ab"]),
        (r"^\ud83d\ude00[\ud800-\udfff😀]\cJ$", &["😀😀\n"], &["😀a\n"]),
        ("^(?<year>[0-9]{4})$", &["2024"], &["24"]),
        ("^(a|b||c)d$", &["ad", "d", "cd"], &["abd"]),
        (r"^[\D]$", &["x"], &["1"]),
        (r"^[^\W_]$", &["x", "1"], &["_", "-"]),
        ("^(a*)*b$", &["aaab", "b"], &["aaa"]),
        ("^a{0}b{1,}$", &["b", "bb"], &["ab", ""]),
        ("^[a-]$", &["a", "-"], &["b"]),
    ] {
        for text in matching {
            assert!(matches(pattern, text), "{pattern} {text:?}");
        }
        for text in others {
            assert!(!matches(pattern, text), "{pattern} {text:?}");
        }
    }
}

#[test]
fn what_it_does_not_know_is_not_read() {
    let nested = format!("{}a{}", "(".repeat(200), ")".repeat(200));
    for pattern in [
        "(?=a)",
        "(?<!a)b",
        r"(a)\1",
        r"\p{L}",
        "a**",
        "*",
        "(",
        ")",
        "[",
        "a{2,1}",
        r"\",
        "[b-a]",
        "(?i)a",
        r"\k<n>",
        "(a{1000}){1000}",
        "(((){1000}){1000}){1000}",
        "a{99999999999}",
        &nested,
    ] {
        assert!(Pattern::of(pattern).is_none(), "{pattern}");
    }
}

/// A matcher that tries again would need 2^10000 steps for this.
#[test]
fn a_match_takes_linear_time() {
    assert!(!matches("^(a|a)*(a+)+$", &format!("{}b", "a".repeat(10_000))));
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[abc]",
        Just(".".to_owned()),
        Just(r"\w".to_owned()),
        Just(r"\D".to_owned()),
        Just("[^ab]".to_owned()),
        Just("[a-c0]".to_owned()),
        Just("(?:)".to_owned()),
        Just(r"(?:\b)".to_owned()),
        Just("(?:^)".to_owned()),
        Just("(?:$)".to_owned()),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}{b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(?:{a}|{b})")),
            (inner.clone(), "[*+?]|\\{2\\}|\\{1,3\\}|\\{0,\\}")
                .prop_map(|(a, times)| format!("({a}){times}")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// The other matcher is that of the tests' other parts; both read the same syntax here.
    #[cfg(feature = "testing")]
    #[test]
    fn it_agrees_with_another_matcher(pattern in expression(), text in "[abc0 ]{0,8}") {
        let other = regex_lite::Regex::new(&pattern).unwrap();
        prop_assert_eq!(matches(&pattern, &text), other.is_match(&text));
    }

    #[test]
    fn no_expression_stops_it(pattern in ".{0,20}", text in ".{0,20}") {
        let _ = Pattern::of(&pattern).map(|pattern| pattern.is_match(&text));
    }
}
