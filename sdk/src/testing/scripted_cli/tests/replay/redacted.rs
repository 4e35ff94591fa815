//! What a recording does not say.

use serde_json::json;

use super::super::{last_result, play};
use super::Tape;
use crate::agent::{AgentOptions, query_with};
use crate::testing::{Recording, ScriptedCli};
use crate::{ToolRegistry, tool, tools};

#[tokio::test]
async fn secrets_are_not_in_the_file_and_make_no_difference() {
    /// Looks.
    #[tool(crate = crate)]
    async fn look() -> String {
        "peach-pear by Jane Doe, sk-ant-api03-abc".into()
    }
    let options = |key: &str| {
        let registry = ToolRegistry::builder("shop").tools(tools![look]).build().unwrap();
        AgentOptions::builder()
            .allow_registry(&registry)
            .mcp_server(registry)
            .env("SHOP_KEY", key)
            .append_system_prompt(format!("The key is {key}."))
    };
    let tape = Tape::new();
    let script = ScriptedCli::new().turn(|t| t.call("mcp__shop__look", json!({})).say_result());
    let recording = Recording::new(script, &tape.0).redact("Jane Doe");
    let run = query_with(recording, "Go.", options("peach-pear").build().unwrap()).await.unwrap();
    last_result(run).await;
    let text = tape.lines().join("\n");
    for secret in ["peach", "Jane", "sk-ant"] {
        assert!(!text.contains(secret), "{text}");
    }
    assert!(text.contains("The key is [redacted]."), "{text}");
    let (seen, result) = play(tape.replay(), options("another key")).await;
    assert_eq!(seen.difference(), None);
    assert_eq!(result.text(), "[redacted] by [redacted], [redacted]");
}

#[tokio::test]
async fn a_difference_says_that_what_was_asked_was_redacted() {
    /// Finds a customer.
    #[tool(read_only, crate = crate)]
    async fn customer(name: &str) -> Result<u64, String> {
        if name == "Jane Doe" { Ok(7) } else { Err(format!("nobody is called {name}")) }
    }
    let options = || {
        let registry = ToolRegistry::builder("shop").tools(tools![customer]).build().unwrap();
        AgentOptions::builder().allow_registry(&registry).mcp_server(registry)
    };
    let tape = Tape::new();
    let call = json!({"name": "Jane Doe"});
    let script = ScriptedCli::new().turn(|t| t.call("mcp__shop__customer", call).say("Seven."));
    let recording = Recording::new(script, &tape.0).redact("Jane Doe");
    let run = query_with(recording, "Go.", options().build().unwrap()).await.unwrap();
    last_result(run).await;
    let difference = tape.difference(options()).await;
    let (what, why) = difference.split_once("; ").unwrap_or((&difference, ""));
    let place = "/response/response/mcp_response/result/content/0/text";
    assert_eq!(what, format!(r#"{place} is "nobody is called [redacted]", recorded: "7""#));
    assert_eq!(why, "what it was asked was redacted");
}
