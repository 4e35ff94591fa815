//! Which subagents there are, and their tools.

use serde_json::json;
use toolwright::agent::options::AgentDefinition;
use toolwright::agent::{
    AgentClient, AgentOptionsBuilder, HookMatcher, HookOutput, Permission, PermissionRequest,
    Priority, UserPrompt,
};
use toolwright::testing::{Gate, Reply};

use super::super::scene::within;
use super::stage::Stage;
use super::tools::{add, done};

const SECOND: &str = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";

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

/// A conversation with a subagent that calls one tool after another.
async fn running(stage: &mut Stage, options: AgentOptionsBuilder) -> AgentClient {
    let endless = Reply::new().call("mcp__calc__endless", json!({}));
    stage.agent([add(), endless]);
    let mut client = stage.open(options.tools(["Agent"])).await;
    within(client.query("First")).await.unwrap();
    client
}

pub(super) async fn interrupt_of_a_subagent(stage: &mut Stage) {
    stage.script([start("general-purpose")]).script([done()]);
    let mut client = running(stage, stage.calc()).await;
    within(stage.begun.notified()).await;
    within(client.interrupt()).await.unwrap();
    stage.hear_turn(&mut client).await;
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}

pub(super) async fn subagent_denied_for_good(stage: &mut Stage) {
    stage.script([start("general-purpose"), done()]).script([done()]);
    let options = stage
        .options()
        .mcp_server(stage.registry())
        .can_use_tool(async |_: PermissionRequest| Permission::deny("Enough.").and_interrupt());
    let mut client = running(stage, options).await;
    stage.hear_turn(&mut client).await;
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}

pub(super) async fn subagent_at_the_limit(stage: &mut Stage) {
    stage.script([start("general-purpose")]);
    stage.agent([add(), add(), Reply::new().text("It is 42.")]);
    stage.play(stage.calc().tools(["Agent"]).max_turns(1)).await;
}

pub(super) async fn prompt_for_now_in_a_subagent(stage: &mut Stage) {
    stage.script([start("general-purpose")]).script([done()]);
    let mut client = running(stage, stage.calc()).await;
    within(stage.begun.notified()).await;
    let urgent = UserPrompt::text("Second").priority(Priority::Now);
    stage.queue(&mut client, urgent, SECOND).await;
    stage.hear_turn(&mut client).await;
    stage.hear_turn(&mut client).await;
    stage.close(client).await;
}

pub(super) async fn interrupt_of_the_model_of_a_subagent(stage: &mut Stage) {
    let gate = Gate::new();
    stage.script([start("general-purpose")]).script([done()]);
    stage.agent([add(), Reply::new().text("Never.").held_by(&gate)]);
    let mut client = stage.open(stage.calc().tools(["Agent"])).await;
    within(client.query("First")).await.unwrap();
    within(gate.reached()).await;
    within(client.interrupt()).await.unwrap();
    stage.hear_turn(&mut client).await;
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}

/// A subagent that makes one call, and reports.
fn calling(stage: &mut Stage) -> AgentOptionsBuilder {
    stage.script([start("general-purpose"), done()]);
    stage.agent([add(), Reply::new().text("It is 42.")]);
    stage.calc().tools(["Agent"])
}

pub(super) async fn subagent_that_a_hook_stops(stage: &mut Stage) {
    let matcher = HookMatcher::post_tool_use("mcp__calc__.*");
    let options = calling(stage);
    let stop = async |_, _| HookOutput::default().stop("Enough.");
    stage.play(options.hook(matcher, stop)).await;
}

pub(super) async fn subagent_that_defers(stage: &mut Stage) {
    let matcher = HookMatcher::pre_tool_use("mcp__calc__.*");
    let options = calling(stage);
    let defer = async |_, _| HookOutput::default().defer();
    stage.play(options.hook(matcher, defer)).await;
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
