//! Runs that end with an error result, and results of a given form.

use serde_json::json;
use toolwright::agent::message::ResultMessage;
use toolwright::agent::{AgentOptionsBuilder, RunError, query};
use toolwright::testing::Reply;
use toolwright::{Value, data};

use super::calc;
use super::scene::{Scene, all, within};

/// Runs twice: the failure is one message and nothing else, and `finish` makes it an error.
async fn failure(script: impl Fn(), options: impl Fn() -> AgentOptionsBuilder) -> ResultMessage {
    let options =
        || options().mcp_server(calc::registry()).allowed_tools(["mcp__calc__*"]).build().unwrap();
    script();
    let mut run = query("Go on.", options()).await.unwrap();
    let heard = all(&mut run).await;
    let result = heard.result().clone();
    assert!(result.is_error, "{result:#?}");
    assert_eq!(run.handle().exit().unwrap().status.unwrap().code(), Some(1));

    script();
    let error = within(query("Go on.", options()).await.unwrap().finish()).await.unwrap_err();
    let RunError::ErrorResult { subtype, text, result: whole } = error else { panic!("{error:?}") };
    assert_eq!((subtype, text), (result.subtype.clone(), result.text().into_owned()));
    assert_eq!(
        (whole.num_turns, &whole.terminal_reason, whole.api_error_status),
        (result.num_turns, &result.terminal_reason, result.api_error_status)
    );
    result
}

#[tokio::test]
async fn the_bound_of_turns_is_an_error_result() {
    let Some(scene) = Scene::open().await else { return };
    let script = || {
        scene.model.call("mcp__calc__add", json!({"a": 1, "b": 1}));
    };
    let result = failure(script, || scene.options().max_turns(1)).await;
    assert_eq!(
        (result.subtype.as_str(), result.text().as_ref()),
        ("error_max_turns", "Reached maximum number of turns (1)")
    );
}

#[tokio::test]
async fn the_budget_is_an_error_result() {
    let Some(scene) = Scene::open().await else { return };
    let expensive =
        || Reply::new().call("mcp__calc__add", json!({"a": 1, "b": 1})).usage(1_000_000, 1_000);
    let script = || {
        scene.model.reply(expensive());
    };
    let result = failure(script, || scene.options().max_budget_usd(0.01)).await;
    assert_eq!(result.subtype, "error_max_budget_usd");
    assert_eq!(result.text(), "Reached maximum budget ($0.01)");
    assert!(result.total_cost_usd > 0.01, "{result:#?}");
    assert!(
        result.model_usage.values().any(|usage| usage.input_tokens >= 1_000_000),
        "{result:#?}"
    );
}

#[tokio::test]
async fn an_error_of_the_api_is_an_error_result() {
    let Some(scene) = Scene::open().await else { return };
    // The CLI asks again with less in the request before it gives up.
    scene.model.reply_ever_after(Reply::error(
        400,
        "invalid_request_error",
        "the model is out of sorts",
    ));
    let result = failure(|| (), || scene.options()).await;
    assert_eq!(result.text(), "API Error: 400 the model is out of sorts");
    assert_eq!((result.subtype.as_str(), result.api_error_status), ("success", Some(400)));
    assert_eq!(result.terminal_reason.as_deref(), Some("api_error"));
}

#[data]
#[derive(Debug, PartialEq)]
struct Verdict {
    approve: bool,
    reasons: Vec<String>,
}

#[tokio::test]
async fn a_result_has_the_form_that_was_asked_for() {
    let Some(scene) = Scene::open().await else { return };
    let verdict = json!({"approve": true, "reasons": ["it is even"]});
    scene.model.call("StructuredOutput", verdict.clone()).say("Done.");
    let options = scene.options().output_type::<Verdict>().build().unwrap();
    let result = within(query("Is 42 good?", options).await.unwrap().finish()).await.unwrap();
    let output = result.structured_output.as_ref().unwrap();
    assert_eq!(
        output.decode::<Verdict>().unwrap(),
        Verdict { approve: true, reasons: vec!["it is even".into()] }
    );
    assert_eq!(serde_json::from_str::<Value>(&result.text()).unwrap(), verdict);
}
