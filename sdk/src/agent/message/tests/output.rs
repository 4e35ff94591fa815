use serde_json::{Value, json};

use crate::agent::Message;
use crate::agent::message::{OutputError, ResultMessage};

fn result(members: Value) -> Box<ResultMessage> {
    let mut line = json!({"type": "result", "subtype": "success", "result": "text"});
    for (name, value) in members.as_object().unwrap() {
        line[name] = value.clone();
    }
    match Message::parse(line.to_string()) {
        Message::Result(result) => result,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_output_is_decoded() {
    let sum: u8 = result(json!({"structured_output": 42})).output().unwrap();
    assert_eq!(sum, 42);
    // The CLI leaves it out, or writes it so.
    for none in [json!({}), json!({"structured_output": null})] {
        let error = result(none).output::<u8>().unwrap_err();
        assert!(matches!(&error, OutputError::Missing { text } if text == "text"), "{error}");
    }
    let error = result(json!({"structured_output": "42"})).output::<u8>().unwrap_err();
    assert!(matches!(error, OutputError::Mismatch { .. }), "{error}");
}

#[test]
fn a_turn_that_failed_has_no_output() {
    let subtype = "error_max_structured_output_retries";
    for members in [
        json!({"is_error": true, "structured_output": 42}),
        json!({"subtype": subtype, "structured_output": 42}),
    ] {
        let result = result(members);
        assert!(!result.is_success());
        let error = result.output::<u8>().unwrap_err();
        assert!(matches!(error, OutputError::Failed { .. }), "{error}");
    }
    // An error of the API, and a result that does not say what it is.
    for members in [
        json!({"is_error": true, "result": "API Error: 529"}),
        json!({"is_error": true, "result": "API Error: 529", "subtype": ""}),
    ] {
        let error = result(members).output::<u8>().unwrap_err();
        assert_eq!(error.to_string(), "the turn failed: API Error: 529");
    }
    assert!(result(json!({})).is_success() && result(json!({"subtype": null})).is_success());
}
