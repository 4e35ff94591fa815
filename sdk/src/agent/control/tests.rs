use serde_json::json;

use super::*;
use crate::agent::message::{ControlKind, Peek, peek};

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).unwrap()
}

fn read(line: &str) -> Control<'_> {
    let Peek::Control(kind) = peek(line) else { panic!("no control message: {line}") };
    Control::read(kind, line)
}

#[test]
fn requests_of_ours_are_written_and_resolved() {
    let mut sent = Sent::default();
    let a = sent.open("a");
    assert_eq!(
        written(|out| write_request(out, a, "interrupt", &json!({}))),
        "{\"type\":\"control_request\",\"request_id\":\"req_1\",\"request\":{\"subtype\":\"interrupt\"}}\n"
    );
    let b = sent.open("b");
    assert_eq!(
        written(|out| write_request(out, b, "set_model", &json!({"model": "opus"}))),
        "{\"type\":\"control_request\",\"request_id\":\"req_2\",\"request\":{\"subtype\":\"set_model\",\"model\":\"opus\"}}\n"
    );
    let c = sent.open("c");
    assert_eq!(
        written(|out| write_mcp_message(out, c, "ca\"lc", "{\"jsonrpc\":\"2.0\"}")),
        "{\"type\":\"control_request\",\"request_id\":\"req_3\",\"request\":{\"subtype\":\"mcp_message\",\"server_name\":\"ca\\\"lc\",\"message\":{\"jsonrpc\":\"2.0\"}}}\n"
    );
    let read = SentId::read("req_2").unwrap();
    assert_eq!(sent.take(read), Some("b"));
    assert_eq!(sent.take(read), None, "a second answer is nobody's");
    assert_eq!(
        written(|out| write_cancel(out, a)),
        "{\"type\":\"control_cancel_request\",\"request_id\":\"req_1\"}\n"
    );
    assert_eq!(sent.take(a), Some("a"));
    assert_eq!(sent.take(a), None);
    assert_eq!(sent.take_all(), ["c"]);
    for other in ["req_x", "1", "req_", "req_0", "req_01", "req_+1", "req_-1", "req_1 ", "REQ_1"] {
        assert_eq!(SentId::read(other), None, "{other}");
    }
}

#[test]
fn a_request_of_the_cli_is_answered_once_and_not_when_cancelled() {
    let mut received = Received::default();
    let id = received.open("x", 1).unwrap();
    assert!(received.open("x", 1).is_none(), "the same id while it is open is a repetition");
    assert_eq!(received.attach(&id, 7), None);
    assert_eq!(received.take(&id), Some(Some(7)));
    assert_eq!(
        written(|out| write_success(out, &id, &["{", "}"])),
        "{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"x\",\"response\":{}}}\n"
    );
    assert_eq!(received.take(&id), None);
    assert_eq!(received.attach(&id, 8), Some(8), "nothing is kept for it any more");
    let second = received.open("x", 1).unwrap();
    assert_eq!(received.take(&id), None, "a late answer to the first one answers no other");
    assert_eq!(received.cancel("x"), None);
    assert_eq!(received.take(&second), None, "it was cancelled");
    assert_eq!(received.attach(&second, 9), Some(9));
}

#[test]
fn requests_of_the_cli_are_read_in_any_order_of_keys() {
    let mcp = r#"{"request":{"message":{"jsonrpc":"2.0","id":1},"server_name":"calc","subtype":"mcp_message"},"request_id":"r","type":"control_request"}"#;
    assert_eq!(
        read(mcp),
        Control::Request(
            "r".into(),
            Request::Mcp { server: "calc".into(), message: r#"{"jsonrpc":"2.0","id":1}"# }
        )
    );
    let hook = r#"{"type":"control_request","request_id":"r","request":{"subtype":"hook_callback","callback_id":"hook_0","input":{"a":1}}}"#;
    assert_eq!(
        read(hook),
        Control::Request(
            "r".into(),
            Request::Hook { callback: "hook_0".into(), input: r#"{"a":1}"#, tool_use_id: None }
        )
    );
    let unknown = r#"{"type":"control_request","request_id":"r","request":{"subtype":"bogus"}}"#;
    assert_eq!(read(unknown), Control::Request("r".into(), Request::Unknown("bogus".into())));
}

#[test]
fn what_lacks_its_fields_is_refused_where_there_is_an_id() {
    for bad in [
        "7",
        "null",
        "[]",
        "{}",
        r#"{"subtype":7}"#,
        r#"{"subtype":"mcp_message"}"#,
        r#"{"subtype":"hook_callback"}"#,
    ] {
        let line = format!(r#"{{"type":"control_request","request_id":"r","request":{bad}}}"#);
        assert!(matches!(read(&line), Control::BadRequest(id, _) if id == "r"), "{line}");
    }
    assert!(matches!(
        read(r#"{"type":"control_request","request_id":"r"}"#),
        Control::BadRequest(..)
    ));
    for bad in [
        r#"{"type":"control_request"}"#,
        r#"{"type":"control_response"}"#,
        r#"{"type":"control_response","response":7}"#,
        r#"{"type":"control_cancel_request"}"#,
    ] {
        assert_eq!(read(bad), Control::Malformed, "{bad}");
    }
}

#[test]
fn answers_of_the_cli_are_read() {
    let line = r#"{"type":"control_response","response":{"subtype":"success","request_id":"req_1","response":{"a":1}}}"#;
    assert_eq!(read(line), Control::Response("req_1".into(), Ok(r#"{"a":1}"#)));
    let line =
        r#"{"type":"control_response","response":{"subtype":"success","request_id":"req_1"}}"#;
    assert_eq!(read(line), Control::Response("req_1".into(), Ok("{}")));
    let line = r#"{"type":"control_response","response":{"subtype":"error","request_id":"req_1","error":"no","error_code":"c"}}"#;
    assert_eq!(
        read(line),
        Control::Response(
            "req_1".into(),
            Err(NoResponse::Refused { message: "no".into(), code: Some("c".into()) })
        )
    );
    // JavaScript has cut the reason in the middle of a character.
    let cut = r#"{"type":"control_response","response":{"subtype":"error","request_id":"req_1","error":"\"no\" \ud83d","error_code":7}}"#;
    let message = "\"no\" \u{fffd}".into();
    assert_eq!(
        read(cut),
        Control::Response("req_1".into(), Err(NoResponse::Refused { message, code: None }))
    );
}

#[test]
fn the_id_of_what_is_too_long_is_found_in_its_beginning() {
    let request = r#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","input":{"request_id":"x","a":"bbb"#;
    let control = Control::too_long(ControlKind::Request, request);
    assert!(matches!(control, Control::BadRequest(id, _) if id == "r"));
    let response = r#"{"type":"control_response", "response": {"subtype": "success", "request_id": "req_1", "response": {"a": "bbb"#;
    let control = Control::too_long(ControlKind::Response, response);
    assert!(matches!(control, Control::Response(id, Err(_)) if id == "req_1"));
    for without in [
        "{",
        r#"{"type":"control_request","request_id":7,"#,
        r#"{"type":"control_request","request_id":"r"#,
    ] {
        assert_eq!(
            Control::too_long(ControlKind::Request, without),
            Control::Malformed,
            "{without}"
        );
    }
}

#[test]
fn a_permission_is_not_asked_for_without_a_tool_and_its_input() {
    let good = r#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}"#;
    assert!(matches!(read(good), Control::Request(_, Request::CanUseTool(_))));
    for (from, to) in
        [("\"Bash\"", "7"), ("\"input\":{}", "\"inputs\":{}"), ("{}", "[]"), ("tool_name", "tool")]
    {
        assert!(matches!(read(&good.replace(from, to)), Control::BadRequest(..)), "{to}");
    }
}

#[test]
fn open_requests_of_the_cli_are_bounded_in_number_and_in_bytes() {
    let mut received = Received::<()>::default();
    let ids: Vec<_> = (0..16_384).map(|id: u32| received.open(&id.to_string(), 1)).collect();
    assert!(!received.is_overloaded());
    let one_too_many = received.open("more", 1).unwrap();
    assert!(received.is_overloaded());
    received.take(&one_too_many);
    assert!(!received.is_overloaded());
    for id in ids.into_iter().flatten() {
        received.take(&id);
    }
    received.open("huge", 100 << 20).unwrap();
    assert!(!received.is_overloaded(), "a single request may have any length");
    let second = received.open("second", 1).unwrap();
    assert!(received.is_overloaded());
    received.take(&second);
    received.cancel("huge");
    received.open("third", 60 << 20).unwrap();
    received.open("fourth", 1 << 20).unwrap();
    assert!(!received.is_overloaded(), "what is closed counts no more");
}

#[test]
fn one_member_of_an_answer_may_be_missing_but_the_answer_is_an_object() {
    let member = |answer| decode_member::<Vec<u64>>("list", answer, "all");
    assert_eq!(member(r#"{"all":[0],"other":{"all":[2]},"all":[1,"x"]}"#).unwrap(), [1]);
    for without in ["{}", r#"{"all":null}"#, r#"{"all":"1"}"#] {
        assert!(member(without).unwrap().is_empty(), "{without}");
    }
    for malformed in ["", "[]", "null", "{", r#"{"all":[1]}x"#] {
        let error = member(malformed).unwrap_err();
        assert!(matches!(error, ControlError::Malformed { .. }), "{malformed}: {error}");
    }
}
