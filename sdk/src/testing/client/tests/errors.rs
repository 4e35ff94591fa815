//! An error says all that a developer needs to see why.

use std::collections::HashMap;
use std::fmt::Debug;
use std::io;
use std::process::Command;
use std::time::Duration;

use expect_test::{Expect, expect};
use serde_json::json;
use toolwright::testing::TestClient;
use toolwright::{Context, ToolRegistry, tool, tools};

#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tool]
async fn fails() -> Result<(), &'static str> {
    Err("The disk is full.\nFree some space.")
}

/// It ends without the message of a panic, which would be in the output of the tests.
#[tool]
async fn falls() {
    std::panic::resume_unwind(Box::new("a bug"));
}

#[tool]
async fn hangs() {
    std::future::pending::<()>().await;
}

fn client() -> TestClient {
    let tools = tools![add, fails, falls, hangs];
    TestClient::in_memory(&ToolRegistry::builder("toy").tools(tools).build().unwrap()).unwrap()
}

fn shows<T: Debug>(failed: io::Result<T>, expected: &Expect) {
    let error = failed.unwrap_err();
    expected.assert_eq(&error.to_string());
    // What `unwrap` shows has the same lines.
    assert!(format!("{error:?}").contains(&error.to_string()), "{error:?}");
}

#[test]
fn refused_arguments() {
    shows(
        client().call("add", json!({"a": "two", "c": 1})),
        &expect![[r#"
        the answer is an error:
            Invalid arguments for `add`:
            - /a: expected number, got string "two"
            - /c: unknown, known are `a`, `b`
            - /b: missing, expected number
          request: {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":"two","c":1},"_meta":{"progressToken":2}}}"#]],
    );
}

#[test]
fn an_error_of_the_tool() {
    shows(
        client().call("fails", json!({})),
        &expect![[r#"
        the answer is an error:
            The disk is full.
            Free some space.
          request: {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fails","arguments":{},"_meta":{"progressToken":2}}}"#]],
    );
}

#[test]
fn a_panic() {
    shows(
        client().call("falls", json!({})),
        &expect![[r#"
        the answer is an error:
            The tool `falls` failed: an internal error stopped it.
          request: {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"falls","arguments":{},"_meta":{"progressToken":2}}}"#]],
    );
}

#[test]
fn an_unknown_tool() {
    shows(
        client().call("sub", json!({})),
        &expect![[r#"
        the answer is an error:
            Unknown tool: sub. There are: add, fails, falls, hangs
          request: {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"sub","arguments":{},"_meta":{"progressToken":2}}}"#]],
    );
}

#[test]
fn arguments_that_are_no_object() {
    shows(
        client().call("add", 5),
        &expect![[r#"
        the answer is an error:
            `arguments` must be an object
          request: {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":5,"_meta":{"progressToken":2}}}"#]],
    );
}

#[test]
fn arguments_that_are_no_json() {
    let no_json = HashMap::from([((1, 2), 3)]);
    shows(client().call("add", no_json), &expect!["key must be a string"]);
}

#[test]
fn a_call_that_should_have_failed() {
    shows(
        client().expect_error("add", json!({"a": 2, "b": 40})),
        &expect![[r#"
        the call has succeeded
          result: [{"type":"text","text":"42"}]
          request: {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":40},"_meta":{"progressToken":2}}}"#]],
    );
}

#[test]
fn a_result_of_another_type() {
    shows(
        client().call_as::<bool>("add", json!({"a": 2, "b": 40})),
        &expect![[r#"
        the result is no bool: invalid type: integer `42`, expected a boolean at line 1 column 2
          result: [{"type":"text","text":"42"}]
          request: {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":40},"_meta":{"progressToken":2}}}"#]],
    );
}

#[test]
fn a_late_answer() {
    let mut client = client().timeout(Duration::from_millis(1));
    shows(
        client.call("hangs", json!({})),
        &expect![[r#"
        no answer within 1ms
          request: {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hangs","arguments":{},"_meta":{"progressToken":2}}}"#]],
    );
}

/// The tool waits for a task of the test, and the client blocks the only thread for both.
#[tokio::test]
async fn a_tool_that_waits_for_a_task_of_the_test() {
    use std::sync::Arc;
    use tokio::sync::Notify;
    use toolwright::State;

    #[tool]
    async fn asks(stub: State<Notify>) {
        stub.notified().await;
    }
    let stub = Arc::new(Notify::new());
    let registry = ToolRegistry::builder("toy").tools(tools![asks]).state(stub.clone());
    let mut client = TestClient::in_memory(&registry.build().unwrap()).unwrap();
    client = client.timeout(Duration::from_millis(1));
    tokio::spawn(async move { stub.notify_one() });
    shows(
        client.call("asks", json!({})),
        &expect![[r#"
            no answer within 1ms
              a tool may wait for a task of this test, such as a stub of an API, whose thread the client blocks: write #[tokio::test(flavor = "multi_thread")]
              request: {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"asks","arguments":{},"_meta":{"progressToken":2}}}"#]],
    );
}

#[test]
fn a_late_answer_of_a_tool_that_reports_progress() {
    #[tool]
    async fn counts(cx: &Context) {
        for number in 0_u32.. {
            cx.progress(number.into(), "counting");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    let registry = ToolRegistry::builder("toy").tools(tools![counts]).build().unwrap();
    let mut client = TestClient::in_memory(&registry).unwrap().timeout(Duration::from_millis(100));
    let error = client.call("counts", json!({})).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    assert!(error.to_string().starts_with("no answer within 100ms"), "{error}");
}

#[test]
fn a_line_that_is_no_text() {
    let mut program = Command::new("printf");
    let mut client = TestClient::spawn(program.arg(r#"{"text":"\377"}\n"#)).unwrap();
    let error = client.receive().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    assert!(error.to_string().starts_with("not a message: "), "{error}");
    assert_eq!(client.receive().unwrap(), None);
}

#[test]
fn an_error_of_the_protocol() {
    let mut client = client().modern();
    let params = json!({"name": "add", "arguments": []});
    let error = client.call_tool("add", params["arguments"].clone());
    assert!(error.unwrap_err().to_string().contains("`arguments` must be an object"));
}

#[test]
fn a_program_that_does_not_read_is_late() {
    let mut program = Command::new("sleep");
    let client = TestClient::spawn(program.arg("1000")).unwrap();
    let long = json!({"text": "x".repeat(1 << 20)});
    let error = client.timeout(Duration::from_millis(1)).call("add", long).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
}

#[test]
fn a_program_that_has_exited_is_said_with_the_request() {
    let mut program = Command::new("true");
    let mut client = TestClient::spawn(&mut program).unwrap();
    assert_eq!(client.receive().unwrap(), None);
    for _ in 0..3 {
        let error = client.call("add", ()).unwrap_err().to_string();
        assert!(error.contains("request: {"), "{error}");
    }
}

#[test]
fn a_program_that_does_not_exit_is_killed() {
    let mut program = Command::new("sleep");
    let mut client = TestClient::spawn(program.arg("1000")).unwrap();
    client = client.timeout(Duration::from_millis(1));
    client.end_input();
    assert_eq!(client.wait().unwrap_err().kind(), io::ErrorKind::TimedOut);
    client = client.timeout(Duration::from_secs(60));
    assert!(!client.wait().unwrap().success());
}
