//! Lines of a size that nobody expects.

use std::time::Duration;

use serde_json::json;
use toolwright::ToolRegistry;
use toolwright::agent::{ControlError, query};

use super::fake::Fake;
use super::{Heard, TOO_LONG, can_use_tool, result, says, within};

const MIB: usize = 1024 * 1024;
const BEFORE: &str = r#"{"type":"assistant","message":{"content":[{"type":"text","text":""#;
const AFTER: &str = r#""}]}}"#;

fn filled(fake: Fake, before: &str, bytes: usize, after: &str) -> Fake {
    fake.with("fill", json!([before, bytes, after]))
}

#[tokio::test]
async fn a_message_of_100_mib_is_delivered() {
    let fake = filled(Fake::initialized().then("user"), BEFORE, 100 * MIB, AFTER).say(result());
    let heard = Heard::of(&mut fake.query().await).await;
    assert_eq!(heard.text().len(), 100 * MIB);
    assert_eq!(heard.results().len(), 1);
    fake.is_gone().await;
}

#[tokio::test]
async fn a_line_over_the_bound_is_dropped_and_the_run_goes_on() {
    let fake = filled(Fake::initialized().then("user").say(says("a")), BEFORE, 3 * MIB, AFTER)
        .say(says("b"));
    let fake = filled(fake, BEFORE, MIB / 2, AFTER).say(result());
    let mut run =
        within(query("Go.", fake.options().max_line(MIB).build().unwrap())).await.unwrap();
    let heard = Heard::of(&mut run).await;
    assert_eq!(heard.text().len(), MIB / 2 + 2);
    assert_eq!(heard.types(), ["assistant", "assistant", "assistant", "result"]);
    assert!(heard.error.is_none());
    fake.is_gone().await;
}

#[tokio::test]
async fn a_request_over_the_bound_is_refused() {
    let before = r#"{"type":"control_request","request_id":"big","request":{"subtype":"can_use_tool","tool_name":"Write","input":{"a":""#;
    let fake = filled(Fake::initialized().then("user"), before, 2 * MIB, "\"}}}")
        .with("answers", json!(["big"]));
    let fake = fake.asks("small", can_use_tool("Write", json!({}))).then("report").say(result());
    let options = fake
        .options()
        .max_line(MIB)
        .can_use_tool(|_| async { toolwright::agent::Permission::allow() });
    let mut run = within(query("Go.", options.build().unwrap())).await.unwrap();
    let report = Heard::of(&mut run).await.report();
    assert_eq!(report.answer("big")["subtype"], "error");
    assert_eq!(report.answer("big")["error"], "the request is longer than a line may be");
    assert_eq!(report.answer("small")["subtype"], "success");
    fake.is_gone().await;
}

#[tokio::test]
async fn an_answer_over_the_bound_fails_its_request() {
    let before = r#"{"type":"control_response","response":{"subtype":"success","request_id":"req_2","response":{"a":""#;
    let fake =
        filled(Fake::initialized().with("control", "get_settings"), before, 2 * MIB, "\"}}}")
            .with("control", "set_model");
    let fake = fake.with("reply", json!({}));
    let client = within(toolwright::agent::AgentClient::connect(
        fake.options().max_line(MIB).build().unwrap(),
    ))
    .await
    .unwrap();
    let error = within(client.handle().request("get_settings", json!({}))).await.unwrap_err();
    assert!(
        matches!(&error, ControlError::Malformed { reason, .. } if reason.contains("longer than a line may be")),
        "{error:?}"
    );
    within(client.set_model(None)).await.unwrap();
    within(client.close()).await;
    fake.is_gone().await;
}

#[tokio::test]
async fn a_result_over_the_bound_still_ends_the_run() {
    // The run has a server, so its input stays open until there is a result.
    let registry = ToolRegistry::builder("calc").build().unwrap();
    let fake = filled(
        Fake::initialized().then("user"),
        r#"{"type":"result","is_error":true,"result":""#,
        2 * MIB,
        "\"}",
    )
    .then("end");
    let options = fake
        .options()
        .max_line(MIB)
        .mcp_server(registry)
        .close_grace(2 * TOO_LONG)
        .terminate_grace(Duration::ZERO);
    let mut run = within(query("Go.", options.build().unwrap())).await.unwrap();
    let heard = Heard::of(&mut run).await;
    assert_eq!(heard.types(), ["result"]);
    assert!(heard.results()[0].text().contains("more than a line may have"), "{heard:?}");
    fake.is_gone().await;
}
