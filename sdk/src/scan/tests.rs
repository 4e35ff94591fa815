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
}
