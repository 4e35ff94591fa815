//! Answers as CLI 2.1.328 gives them. `tests/it/agent/requests/` asks it for each.

use serde_json::json;

use super::*;
use crate::agent::control::decode;
use crate::agent::error::ControlError;
use crate::agent::wire::Record;

fn read<T: Record>(answer: &serde_json::Value) -> T {
    decode("test", &answer.to_string()).unwrap()
}

#[test]
fn a_file_is_a_text_or_bytes() {
    let text: FileContents = read(&json!({"contents": "hé", "absPath": "/a", "lossy": false}));
    assert_eq!((text.bytes().unwrap(), text.lossy), ("hé".as_bytes().to_vec(), Some(false)));
    let answer = json!({"contents": "aMOp", "truncated": true, "encoding": "base64"});
    let bytes: FileContents = read(&answer);
    assert_eq!((bytes.bytes().unwrap(), bytes.truncated), ("hé".as_bytes().to_vec(), true));
    let broken: FileContents = read(&json!({"contents": "?", "encoding": "base64"}));
    assert!(broken.bytes().is_err());
}

#[test]
fn a_result_of_a_tool_has_texts() {
    let blocks =
        json!([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]);
    for (content, text) in
        [(blocks, "a\nb"), (json!("{\"sum\":42}"), "{\"sum\":42}"), (json!(7), "")]
    {
        assert_eq!(read::<McpCallResult>(&json!({"content": content})).text(), text);
    }
}

#[test]
fn a_call_has_failed_if_its_answer_says_so() {
    let call = |staging| read::<McpCallResult>(&json!({"content": "t", "staging": staging}));
    let failed = json!({"ok": false, "error_code": "timeout", "detail": "too late"});
    assert!(matches!(
        call(failed).unless_failed(),
        Err(ControlError::Refused { message, code: Some(code) })
            if message == "too late" && code == "timeout"
    ));
    for other in [json!({"ok": true}), json!({"ok": "no"}), json!(null), json!(7), json!([false])] {
        assert_eq!(call(other.clone()).unless_failed().unwrap().text(), "t", "{other}");
    }
}

#[test]
fn a_path_is_a_file_to_read() {
    assert_eq!(ReadFile::from("a"), ReadFile::new("a"));
    assert_ne!(ReadFile::from(String::from("a")), ReadFile::new("a").base64().max_bytes(1));
}

#[test]
fn damage_costs_one_member_only() {
    let answer = json!({"contents": 5, "absPath": "/a", "lossy": "no", "new": [1]});
    let contents: FileContents = read(&answer);
    assert_eq!((contents.contents.as_str(), contents.abs_path.as_str()), ("", "/a"));
    assert_eq!((contents.lossy, contents.member("new")), (None, Some("[1]")));
    let answer = json!({"rules": [{"rule": "Read", "notInEffect": true}, 7], "originalCwd": null});
    let rules: PermissionRules = read(&answer);
    assert_eq!((rules.rules.len(), rules.rules[0].not_in_effect), (1, true));
}
