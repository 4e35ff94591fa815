//! The methods of the test client that call tools, with a program at the other end.

use std::io::ErrorKind;
use std::process::Command;

use serde_json::json;
use toolwright::testing::TestClient;

use super::{connect, fixture};

#[test]
fn results_and_errors_of_a_program_are_read() {
    for mut client in [connect(), TestClient::spawn(&mut fixture()).unwrap().modern()] {
        assert_eq!(client.call_as::<f64>("add", json!({"a": 2, "b": 40})).unwrap(), 42.0);
        let text = client.expect_error("quick_timeout", ()).unwrap();
        assert_eq!(text, "The tool `quick_timeout` was stopped: it did not finish within 50ms.");
        let error = client.call("add", json!({"a": 2})).unwrap_err().to_string();
        assert!(error.contains("- /b: missing, expected number"), "{error}");
        assert!(error.contains(r#""arguments":{"a":2}"#), "{error}");
        assert!(client.close().unwrap().success());
    }
}

#[test]
fn a_call_of_a_program_is_cancelled() {
    let mut client = connect();
    let id = client.start_call("until_cancelled", ()).unwrap();
    let started = client.receive().unwrap().unwrap();
    assert_eq!(started["params"]["progressToken"], id);
    client.cancel(id).unwrap();
    assert!(client.finish_call(id).is_err());
    assert!(client.close().unwrap().success());
}

#[test]
fn a_program_that_ends_leaves_an_error_that_names_the_request() {
    let mut command = Command::new("sh");
    let mut client = TestClient::spawn(command.env_clear().args(["-c", "read line"])).unwrap();
    let error = client.initialize().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
    let text = error.to_string();
    assert!(text.starts_with("the server closed its output before it answered\n"), "{text}");
    assert!(text.contains(r#""method":"initialize""#), "{text}");
}
