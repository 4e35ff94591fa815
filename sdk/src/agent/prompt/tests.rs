use super::*;

#[test]
fn uuids_are_of_version_4_and_differ() {
    let write = || UserPrompt::text("Go.").write(false, &mut Vec::new());
    let (a, b) = (write(), write());
    assert_ne!(a, b);
    assert_eq!(a.len(), 36);
    assert_eq!(a.as_bytes()[14], b'4');
    assert!(b"89ab".contains(&a.as_bytes()[19]), "{a}");
}

#[test]
fn the_uuid_is_the_one_on_the_wire() {
    for prompt in [
        UserPrompt::text("Go.").uuid("a"),
        UserPrompt::text("Go.").extra("uuid", "a"),
        UserPrompt::text("Go.").uuid("b").extra("uuid", "a"),
    ] {
        let mut line = Vec::new();
        assert_eq!(prompt.write(false, &mut line), "a");
        let line: Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(line["uuid"], "a");
    }
}

#[test]
fn a_block_is_shortened_only_if_it_is_nothing_but_text() {
    let content = |prompt: UserPrompt| {
        let mut line = Vec::new();
        prompt.write(false, &mut line);
        serde_json::from_slice::<Value>(&line).unwrap()["message"]["content"].take()
    };
    assert_eq!(content(UserPrompt::text("Go.")), "Go.");
    assert_eq!(content(UserPrompt::default()), json!([]));
    for block in [
        json!({"type": "text", "text": "Go.", "cache_control": {"type": "ephemeral"}}),
        json!({"type": "text"}),
        json!({"type": "text", "text": 7}),
        json!({"type": "note", "text": "Go."}),
        json!("text"),
    ] {
        assert_eq!(content(UserPrompt::default().and(block.clone())), json!([block]));
    }
}
