use std::os::unix::process::ExitStatusExt;

use serde_json::json;

use super::*;
use crate::agent::Message;

#[test]
fn an_error_result_does_not_say_that_it_is_a_success() {
    let said = |subtype: &str| {
        let line = json!({"type": "result", "subtype": subtype, "is_error": true, "result": "why"});
        let Message::Result(result) = Message::parse(line.to_string()) else { panic!("{line}") };
        RunError::check(*result).unwrap_err().to_string()
    };
    assert_eq!(said("success"), "the run ended with an error result: why");
    assert_eq!(
        said("error_max_turns"),
        "the run ended with an error result (error_max_turns): why"
    );
}

#[test]
fn an_interrupt_is_told_without_the_words_of_the_cli() {
    let error = |reason: &str| {
        let line = json!({
            "type": "result", "subtype": "error_during_execution", "is_error": true,
            "errors": ["[ede_diagnostic]"], "terminal_reason": reason,
        });
        let Message::Result(result) = Message::parse(line.to_string()) else { panic!("{line}") };
        RunError::check(*result).unwrap_err()
    };
    for reason in ["aborted_streaming", "aborted_tools"] {
        let error = error(reason);
        assert!(error.is_interrupted());
        assert_eq!(error.to_string(), "the turn was interrupted");
    }
    assert!(!error("model_error").is_interrupted() && !RunError::NoResult.is_interrupted());
}

#[test]
fn a_program_that_has_ended_with_success_has_not_failed() {
    let said = |status: i32| {
        let status = Some(ExitStatusExt::from_raw(status << 8));
        RunError::Process(ProcessExit { status, ..ProcessExit::default() }).to_string()
    };
    assert_eq!(said(0), "the claude program has ended: exit status: 0");
    assert_eq!(said(1), "the claude program failed: exit status: 1");
}

#[test]
fn a_result_without_success_is_an_error_whether_it_says_so_or_not() {
    let check = |line: &str| match Message::parse(line) {
        Message::Result(result) => RunError::check(*result),
        other => panic!("{other:?}"),
    };
    for (line, is_good) in [
        (r#"{"type":"result","subtype":"error_max_turns","is_error":false}"#, false),
        (r#"{"type":"result","subtype":"success","is_error":true}"#, false),
        (r#"{"type":"result","subtype":"success"}"#, true),
        (r#"{"type":"result"}"#, true),
    ] {
        assert_eq!(check(line).is_ok(), is_good, "{line}");
    }
}
