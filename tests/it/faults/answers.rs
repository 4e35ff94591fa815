//! Answers that are not as they should be, or do not come.

use serde_json::{Value, json};
use toolwright::agent::{AgentClient, ControlError};

use super::fake::Fake;
use super::{Heard, SHORT, result, within};

#[tokio::test]
async fn answers_that_cannot_be_read_fail_their_request() {
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    let answers = [
        (r#"{"subtype":"success","request_id":"req_2","response":5}"#.to_owned(), false),
        (r#"{"subtype":"levitated","request_id":"req_2"}"#.to_owned(), false),
        (r#"{"request_id":"req_2"}"#.to_owned(), false),
        (r#"{"subtype":"error","request_id":"req_2"}"#.to_owned(), true),
        (r#"{"subtype":"error","request_id":"req_2","error":5}"#.to_owned(), true),
        (
            format!(
                r#"{{"subtype":"success","request_id":"req_2","response":{{"mcpServers":{deep}}}}}"#
            ),
            false,
        ),
    ];
    for (answer, is_refusal) in answers {
        let fake = Fake::initialized()
            .with("control", "mcp_status")
            .text(format!("{{\"type\":\"control_response\",\"response\":{answer}}}\n"))
            .with("control", "set_model")
            .with("reply", Value::Null);
        let client = fake.connect().await;
        let error = within(client.mcp_status()).await.expect_err(&answer);
        assert!(
            match &error {
                ControlError::Refused { .. } => is_refusal,
                ControlError::Malformed { subtype, .. } => !is_refusal && subtype == "mcp_status",
                _ => false,
            },
            "{answer}: {error:?}"
        );
        within(client.set_model(None)).await.unwrap();
        within(client.close()).await;
        fake.is_gone().await;
    }
}

#[tokio::test]
async fn a_request_that_is_not_answered_in_time_is_withdrawn() {
    let fake = Fake::initialized()
        .with("control", "mcp_status")
        .with("hears", "control_cancel_request")
        .with("reply", json!({"mcpServers": []}))
        .then("user")
        .then("report")
        .say(result());
    let options = fake.options().control_timeout(SHORT).build().unwrap();
    let mut client = within(AgentClient::connect(options)).await.unwrap();
    let error = within(client.mcp_status()).await.unwrap_err();
    assert!(
        matches!(&error, ControlError::TimedOut { subtype, after } if subtype == "mcp_status" && *after == SHORT),
        "{error:?}"
    );
    client.query("Go.").await.unwrap();
    let report = Heard::of_turn(&mut client).await.report();
    assert_eq!(report.of_type("control_cancel_request")[0]["request_id"], "req_2");
    within(client.close()).await;
    fake.is_gone().await;
}

#[tokio::test]
async fn a_body_that_is_no_object_is_not_sent() {
    let fake = Fake::initialized().then("user").then("report").say(result());
    let mut client = fake.connect().await;
    for body in [Value::Null, json!(5), json!("model"), json!(["model"])] {
        let error = within(client.request("set_model", body)).await.unwrap_err();
        assert!(matches!(&error, ControlError::NoObject { subtype } if subtype == "set_model"));
    }
    client.query("Go.").await.unwrap();
    let report = Heard::of_turn(&mut client).await.report();
    assert_eq!(report.of_type("control_request").len(), 1, "only `initialize`: {report:?}");
    within(client.close()).await;
    fake.is_gone().await;
}
