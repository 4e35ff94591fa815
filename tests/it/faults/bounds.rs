//! What waits between the run and its CLI is bounded, in both directions.

use std::future::pending;

use serde_json::{Value, json};
use toolwright::agent::{Permission, PermissionRequest, RunError, query};

use super::fake::Fake;
use super::{Heard, result, within};

#[tokio::test]
async fn a_cli_that_asks_and_never_reads_the_answers_ends_the_run() {
    let line = format!(
        r#"{{"type":"control_request","request_id":"{}{{n}}","request":{{"subtype":"unheard_of"}}}}"#,
        "x".repeat(2_000)
    );
    let fake = Fake::initialized().then("user").with("repeat", json!([60_000, line])).then("sleep");
    let options = fake.options().build().unwrap();
    let mut run = within(query("Go.", options)).await.unwrap();
    let heard = Heard::of(&mut run).await;
    assert!(matches!(heard.error, Some(RunError::Unwritten { .. })), "{:?}", heard.error);
    fake.is_gone().await;
}

#[tokio::test]
async fn requests_that_are_too_many_to_wait_are_refused() {
    let line = r#"{"type":"control_request","request_id":"p{n}","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t"}}"#;
    let fake = Fake::initialized()
        .then("user")
        .with("repeat", json!([16_384, line]))
        .with("repeat", json!([1, line.replace("p{n}", "last")]))
        .with("answers", vec!["last"])
        .then("report")
        .say(result());
    let options = fake
        .options()
        .can_use_tool(|_: PermissionRequest| pending::<Permission>())
        .build()
        .unwrap();
    let mut run = within(query("Go.", options)).await.unwrap();
    let heard = Heard::of(&mut run).await;
    let report = heard.report();
    let last: &Value = report.answer("last");
    assert_eq!(last["subtype"], "error", "{last}");
    assert_eq!(last["error"], "Too many requests are open");
    fake.is_gone().await;
}
