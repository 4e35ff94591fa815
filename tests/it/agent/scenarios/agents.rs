//! Which subagents there are, and their tools.

use serde_json::json;
use toolwright::agent::options::{AgentDefinition, InlineSettings};
use toolwright::agent::{
    AgentClient, AgentOptionsBuilder, HookMatcher, HookOutput, Permission, PermissionMode,
    PermissionRequest, Priority, UserPrompt,
};
use toolwright::testing::{Gate, Reply};

use super::super::scene::within;
use super::stage::Stage;
use super::tools::{add, done};

const SECOND: &str = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";

pub(super) fn start(kind: &str) -> Reply {
    start_by("Agent", kind)
}

fn start_by(tool: &str, kind: &str) -> Reply {
    let input = json!({
        "description": "Find it", "prompt": "Find it.",
        "subagent_type": kind, "run_in_background": false,
    });
    Reply::new().call(tool, input)
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

/// An agent that the script does not play.
pub(super) async fn unknown_agent_beside_others(stage: &mut Stage) {
    stage.script([start("nobody"), done()]);
    let options = reviewer(stage, |it| it);
    stage.play(options).await;
}

/// The options have no tool that starts one.
pub(super) async fn no_agents(stage: &mut Stage) {
    play(stage, "general-purpose", stage.calc()).await;
}

/// The older name of the tool is known too.
pub(super) async fn agent_by_its_older_name(stage: &mut Stage) {
    stage.script([start_by("Task", "general-purpose"), done()]);
    stage.agent([add(), Reply::new().text("It is 42.")]);
    let log = stage.asked.clone();
    let options = stage.calc().tools(["Task"]);
    let options = options.hook(HookMatcher::pre_tool_use("Agent"), async move |input, _| {
        log.note(serde_json::from_str(input.raw()).unwrap());
        HookOutput::default()
    });
    stage.play(options).await;
}

async fn forbidden(stage: &mut Stage, name: &str) {
    stage.script([start("general-purpose"), start_by("Task", "general-purpose"), done()]);
    stage.agent([Reply::new().text("Never.")]);
    stage.play(stage.calc().tools(["Agent"]).disallowed_tools([name])).await;
}

pub(super) async fn agents_that_are_forbidden(stage: &mut Stage) {
    forbidden(stage, "Agent").await;
}

pub(super) async fn agents_that_are_forbidden_by_the_older_name(stage: &mut Stage) {
    forbidden(stage, "Task").await;
}

pub(super) async fn agents_that_a_rule_asks_for(stage: &mut Stage) {
    stage.script([start("general-purpose"), done()]);
    stage.agent([Reply::new().text("Never.")]);
    let log = stage.asked.clone();
    let options = stage.calc().tools(["Agent"]).settings(InlineSettings::new().ask(["Task"]));
    let options = options.can_use_tool(move |request: PermissionRequest| {
        log.note(json!({"type": "asked", "for": request.tool_name}));
        async { Permission::deny("not on a Sunday") }
    });
    stage.play(options).await;
}

/// A subagent that may take one turn by its definition.
async fn limited(stage: &mut Stage, replies: [Reply; 2]) {
    stage.script([start("reviewer"), done()]);
    for reply in replies {
        stage.agent([reply]);
    }
    let log = stage.asked.clone();
    let options = reviewer(stage, |it| it.max_turns(1));
    let options = options.hook(HookMatcher::subagent_stop(), async move |input, _| {
        log.note(json!({"type": "hook", "said": input.last_assistant_message}));
        HookOutput::default().block("go on")
    });
    stage.play(options).await;
}

pub(super) async fn agent_with_a_limit(stage: &mut Stage) {
    limited(stage, [add(), Reply::new().text("It is 42.")]).await;
}

pub(super) async fn agent_with_a_limit_that_speaks(stage: &mut Stage) {
    let add = Reply::new().text("Hm.").call("mcp__calc__add", json!({"a": 2, "b": 40}));
    limited(stage, [add, Reply::new().text("It is 42.")]).await;
}

pub(super) async fn agent_with_a_limit_that_a_hook_lets_go_on(stage: &mut Stage) {
    limited(stage, [Reply::new().text("Hm."), Reply::new().text("It is 42.")]).await;
}

pub(super) async fn agent_with_a_mode(stage: &mut Stage) {
    stage.script([start("reviewer"), done()]);
    let fails = Reply::new().call("mcp__calc__fails", json!({}));
    stage.agent([add(), fails, Reply::new().text("It is 42.")]);
    let reviewer = AgentDefinition::new("Reviews.", "You review.");
    let reviewer = reviewer.permission_mode(PermissionMode::DontAsk);
    let options = stage.options().mcp_server(stage.registry()).tools(["Agent"]);
    let options = options.allowed_tools(["mcp__calc__fails"]);
    let options = options.agents([("reviewer", reviewer)]);
    let (began, log) = (stage.asked.clone(), stage.asked.clone());
    let options = options
        .can_use_tool(async |_: PermissionRequest| Permission::allow())
        .hook(HookMatcher::subagent_start(), async move |input, _| {
            began.note(serde_json::from_str(input.raw()).unwrap());
            HookOutput::default()
        })
        .hook(HookMatcher::pre_tool_use("mcp__.*"), async move |input, _| {
            log.note(serde_json::from_str(input.raw()).unwrap());
            HookOutput::default()
        });
    stage.play(options).await;
}
