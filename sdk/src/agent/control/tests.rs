use serde_json::json;

use super::wire::Refusal;
use super::*;

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).unwrap()
}

fn read(line: &str) -> Control<'_> {
    Control::read(
        crate::scan::string(crate::scan::member(line, "type").unwrap()).unwrap().as_ref(),
        line,
    )
}

#[test]
fn requests_of_ours_are_written_and_resolved() {
    let mut session = ControlSession::new();
    let first = written(|out| drop(session.request("interrupt".into(), &Nothing {}, "a", out)));
    assert_eq!(
        first,
        "{\"type\":\"control_request\",\"request_id\":\"req_1\",\"request\":{\"subtype\":\"interrupt\"}}\n"
    );
    let second = written(|out| {
        drop(session.request("set_model".into(), &json!({"model": "opus"}), "b", out))
    });
    assert_eq!(
        second,
        "{\"type\":\"control_request\",\"request_id\":\"req_2\",\"request\":{\"subtype\":\"set_model\",\"model\":\"opus\"}}\n"
    );
    assert_eq!(session.resolve("req_2").unwrap().waiter, "b");
    assert!(session.resolve("req_2").is_none(), "a second answer is nobody's");
    assert_eq!(
        written(|out| session.withdraw("req_1", out)),
        "{\"type\":\"control_cancel_request\",\"request_id\":\"req_1\"}\n"
    );
    assert_eq!(written(|out| session.withdraw("req_1", out)), "");
    assert!(session.resolve("req_1").is_none());
}

#[test]
fn a_request_of_the_cli_is_answered_once_and_not_when_cancelled() {
    let mut session = ControlSession::<()>::new();
    assert!(session.open("x"));
    assert!(!session.open("x"), "the same id while it is open is a repetition");
    let answer = written(|out| session.answer("x", |out| out.extend_from_slice(b"{}"), out));
    assert_eq!(
        answer,
        "{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"x\",\"response\":{}}}\n"
    );
    assert_eq!(written(|out| session.answer("x", |_| {}, out)), "");
    assert!(session.open("x"));
    assert!(session.forget("x"));
    assert_eq!(written(|out| session.refuse("x", "late", None, out)), "");
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
            Err(Refusal { message: "no".into(), code: Some("c".into()) })
        )
    );
}

#[test]
fn the_id_of_what_is_too_long_is_found_in_its_beginning() {
    let request = r#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","input":{"request_id":"x","a":"bbb"#;
    assert!(
        matches!(Control::too_long("control_request", request), Control::BadRequest(id, _) if id == "r")
    );
    let response = r#"{"type":"control_response", "response": {"subtype": "success", "request_id": "req_1", "response": {"a": "bbb"#;
    assert!(
        matches!(Control::too_long("control_response", response), Control::Response(id, Err(_)) if id == "req_1")
    );
    for without in [
        "{",
        r#"{"type":"control_request","request_id":7,"#,
        r#"{"type":"control_request","request_id":"r"#,
    ] {
        assert_eq!(Control::too_long("control_request", without), Control::Malformed, "{without}");
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
