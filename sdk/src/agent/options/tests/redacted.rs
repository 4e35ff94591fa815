//! What `Debug` does not print.

use serde_json::json;

use super::harness::{options, registry};
use crate::agent::UserPrompt;
use crate::agent::options::{AgentDefinition, McpServer, SystemPrompt};

#[test]
fn options_do_not_print_what_may_be_secret() {
    let secret = || json!({"key": "5ecret"});
    let options = options(|b| {
        b.mcp_server(registry("calc"))
            .mcp_server(McpServer::stdio("a", "a").args(["5ecret"]).env("NAME", "5ecret"))
            .mcp_server(McpServer::http("b", "https://5ecret@b.example/").header("Name", "5ecret"))
            .mcp_server(McpServer::sse("c", "https://c.example/5ecret").field("oauth", secret()))
            .env("NAME", "5ecret")
            .settings(secret())
            .sandbox(secret())
            .extra_arg("name", Some("5ecret"))
            .initialize_field("promptSuggestions", secret())
            .system_prompt(SystemPrompt::custom("5ecret").append("5ecret"))
            .plan_mode_instructions("5ecret")
            .agents([("agent", AgentDefinition::new("An agent.", "5ecret"))])
    });
    let agent = AgentDefinition::new("An agent.", "5ecret")
        .initial_prompt("5ecret")
        .field("newer", secret());
    let prompt = UserPrompt::text("5ecret").extra("newer", secret());
    let (launch, _files) = options.launch().unwrap();
    for printed in [
        format!("{options:?} {:?}", options.to_builder()),
        format!("{agent:?}"),
        format!("{prompt:?}"),
        format!("{:?}", crate::agent::Prompt::from(prompt)),
        format!("{launch:?}"),
    ] {
        assert!(!printed.contains("5ecret"), "{printed}");
    }
    for name in ["promptSuggestions", "sandbox: Some(Json([\"key\"]))", "<6 bytes>", "oauth"] {
        assert!(format!("{options:?}").contains(name), "{name} in {options:?}");
    }
}

#[test]
fn no_argument_is_secret() {
    let options = options(|b| {
        b.mcp_server(McpServer::stdio("a", "a").args(["5ecret"]))
            .mcp_server(McpServer::http("b", "https://5ecret@b.example/"))
            .settings(json!({"apiKeyHelper": "echo 5ecret"}))
            .sandbox(json!({"credentials": "5ecret"}))
    });
    let (launch, _files) = options.launch().unwrap();
    assert!(launch.args.iter().all(|arg| !arg.to_str().unwrap().contains("5ecret")));
}
