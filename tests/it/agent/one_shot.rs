//! `query`: one prompt, to the end.

use serde_json::json;
use toolwright::agent::{Message, query};
use toolwright::{ToolRegistry, tool, tools};

use super::scene;

/// Add two numbers.
#[tool(read_only)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tokio::test(flavor = "current_thread")]
async fn an_in_process_tool_answers_the_real_cli() {
    let Some((model, options)) = scene().await else { return };
    model.call("mcp__calc__add", json!({"a": 2, "b": 40}));
    model.say("It is 42.");
    let registry = ToolRegistry::builder("calc").tools(tools![add]).build().unwrap();
    let options = options.mcp_server(registry).allowed_tools(["mcp__calc__*"]).build().unwrap();
    let mut run = query("What is 2 + 40?", options).await.unwrap();
    let mut texts = Vec::new();
    let mut results = 0;
    while let Some(message) = run.next().await {
        match message.unwrap() {
            Message::Assistant(message) => texts.push(message.text().into_owned()),
            Message::Result(result) => {
                results += 1;
                assert!(!result.is_error, "{result:?}");
                assert_eq!(result.num_turns, 2);
            }
            _ => {}
        }
    }
    assert_eq!(results, 1);
    assert_eq!(texts.concat(), "It is 42.");
    let answers = model.requests().last().unwrap().tool_results();
    assert_eq!(answers[0].text, "42");
}
