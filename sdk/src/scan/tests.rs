use super::*;

fn walk(text: &str) -> Result<Vec<(&str, &str)>, Malformed> {
    let mut members = Members::of(text)?;
    let mut seen = Vec::new();
    while let Some(key) = members.key()? {
        seen.push((key, members.value()?));
    }
    members.finish()?;
    Ok(seen)
}

#[test]
fn members_are_found_whatever_stands_in_them() {
    let text = r#" {"a" : "x\"}{" , "b":[1,{"c":"]"}],"d":-1.5e3,"e":{} , "f":null}  "#;
    let members = walk(text).unwrap();
    assert_eq!(
        members,
        [
            ("a", r#""x\"}{""#),
            ("b", r#"[1,{"c":"]"}]"#),
            ("d", "-1.5e3"),
            ("e", "{}"),
            ("f", "null")
        ]
    );
    assert_eq!(walk("{}").unwrap(), []);
}

#[test]
fn punctuation_is_checked() {
    for broken in [
        "",
        "[]",
        "{",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":\"",
        "{\"a\":[1}",
        "{} {}",
        "{\"a\":\"\\",
    ] {
        assert_eq!(walk(broken), Err(Malformed), "{broken}");
    }
}

#[test]
fn a_member_before_the_break_is_found() {
    assert_eq!(member(r#"{"id":7,"params":{"a":"#, "id"), Some("7"));
    assert_eq!(member(r#"{"params":{"id":1},"id":"x"}"#, "id"), Some("\"x\""));
    assert_eq!(member(r#"{"params":{"id":1"#, "id"), None);
    assert_eq!(member(r#"{"\u0069d":1,"i\u0064":2}"#, "id"), Some("2"));
}

#[test]
fn a_likely_key_is_skipped_if_it_is_written_as_it_is() {
    let mut members = Members::of(r#"{"a": 1,"b":2 , "c":3,"cd":4,"\u0065":5}"#).unwrap();
    assert!(!members.skip_key("b") && !members.skip_key(""));
    assert!(members.skip_key("a"));
    assert_eq!(members.value(), Ok("1"));
    assert!(!members.skip_key("a") && members.skip_key("b"));
    assert_eq!(members.value(), Ok("2"));
    // White space is before the comma.
    assert!(!members.skip_key("c"));
    assert_eq!(members.key(), Ok(Some("c")));
    assert_eq!(members.value(), Ok("3"));
    assert!(!members.skip_key("c") && members.skip_key("cd"));
    assert_eq!(members.value(), Ok("4"));
    assert!(!members.skip_key("e"));
    assert_eq!(members.key(), Ok(Some("\\u0065")));
}

#[test]
fn a_name_that_needs_escapes_is_no_likely_key() {
    for (text, name) in [(r#"{"a"b":1}"#, "a\"b"), (r#"{"a\n":1}"#, "a\\n")] {
        assert!(!Members::of(text).unwrap().skip_key(name), "{text}");
    }
    assert!(!Members::of("{").unwrap().skip_key("a"));
    assert!(!Members::of(r#"{"a"#).unwrap().skip_key("a"));
    assert!(!Members::of(r#"{"a" :1}"#).unwrap().skip_key("a"));
}
