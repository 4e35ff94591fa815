//! Which subagents there are, and their tools.

use serde_json::json;
use toolwright::agent::AgentOptionsBuilder;
use toolwright::agent::options::AgentDefinition;
use toolwright::testing::Reply;

use super::stage::Stage;
use super::tools::{add, done};

fn start(kind: &str) -> Reply {
    let input = json!({
        "description": "Find it", "prompt": "Find it.",
        "subagent_type": kind, "run_in_background": false,
    });
    Reply::new().call("Agent", input)
}

fn reviewer(stage: &Stage, change: fn(AgentDefinition) -> AgentDefinition) -> AgentOptionsBuilder {
    let reviewer = change(AgentDefinition::new("Reviews.", "You review."));
    stage.calc().tools(["Agent"]).agents([("reviewer", reviewer)])
}

async fn play(stage: &mut Stage, kind: &str, options: AgentOptionsBuilder) {
    stage.script([start(kind), done()]);
    stage.agent([add(), Reply::new().text("It is 42.")]);
    stage.play(options).await;
}

pub(super) async fn unknown_agent(stage: &mut Stage) {
    play(stage, "reviewer", stage.calc().tools(["Agent"])).await;
}

pub(super) async fn misspelt_agent(stage: &mut Stage) {
    play(stage, "revewer", reviewer(stage, |it| it)).await;
}

pub(super) async fn agent_with_some_tools(stage: &mut Stage) {
    play(stage, "reviewer", reviewer(stage, |it| it.tools(["mcp__calc__forget"]))).await;
}

pub(super) async fn agent_without_a_tool(stage: &mut Stage) {
    play(stage, "reviewer", reviewer(stage, |it| it.disallowed_tools(["mcp__calc__add"]))).await;
}

/// The options have no tool that starts one.
pub(super) async fn no_agents(stage: &mut Stage) {
    play(stage, "general-purpose", stage.calc()).await;
}
