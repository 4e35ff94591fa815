//! Interrupts, prompts while a turn runs, requests.

use serde_json::{Value, json};
use toolwright::agent::hook::event::UserPromptSubmit;
use toolwright::agent::{
    AgentClient, AgentOptionsBuilder, HookMatcher, HookOutput, Message, Permission, PermissionMode,
    PermissionRequest, Priority, UserPrompt,
};
use toolwright::testing::{Gate, Reply};

use super::super::scene::within;
use super::stage::Stage;
use super::tools::{add, done};

const SECOND: &str = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";
const THIRD: &str = "cccccccc-cccc-4ccc-8ccc-cccccccccccc";

/// A conversation whose first turn waits for the model.
async fn held(stage: &mut Stage, gate: &Gate) -> AgentClient {
    held_with(stage, gate, stage.calc()).await
}

async fn held_with(stage: &mut Stage, gate: &Gate, options: AgentOptionsBuilder) -> AgentClient {
    let mut client = stage.open(options).await;
    within(client.query("First")).await.unwrap();
    within(gate.reached()).await;
    client
}

/// A conversation whose first turn runs a tool that does not end.
async fn running(stage: &mut Stage) -> AgentClient {
    stage.script([Reply::new().call("mcp__calc__endless", json!({}))]);
    stage.script([Reply::new().text("Two.")]);
    let mut client = stage.open(stage.calc()).await;
    within(client.query("First")).await.unwrap();
    within(stage.begun.notified()).await;
    client
}

/// Hears two turns and ends.
async fn finish(stage: &mut Stage, mut client: AgentClient) {
    stage.hear_turn(&mut client).await;
    stage.hear_turn(&mut client).await;
    stage.close(client).await;
}

fn second() -> UserPrompt {
    UserPrompt::text("Second")
}

pub(super) async fn interrupt_of_the_model(stage: &mut Stage) {
    let gate = Gate::new();
    stage.script([Reply::new().text("Never.").held_by(&gate)]).script([done()]);
    let mut client = held(stage, &gate).await;
    within(client.interrupt()).await.unwrap();
    stage.hear_turn(&mut client).await;
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}

pub(super) async fn interrupt_of_a_tool(stage: &mut Stage) {
    let mut client = running(stage).await;
    within(client.interrupt()).await.unwrap();
    stage.hear_turn(&mut client).await;
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}

pub(super) async fn interrupt_of_the_second_answer(stage: &mut Stage) {
    let gate = Gate::new();
    stage.script([add(), Reply::new().text("Ne").pause_at(&gate).text("ver.")]);
    let mut client = held(stage, &gate).await;
    stage
        .hear_until(
            &mut client,
            |message| matches!(message, Message::Assistant(message) if message.text() == "Ne"),
        )
        .await;
    within(client.interrupt()).await.unwrap();
    stage.hear_turn(&mut client).await;
    stage.close(client).await;
}

pub(super) async fn interrupt_with_a_queued_prompt(stage: &mut Stage) {
    let mut client = running(stage).await;
    stage.queue(&mut client, second(), SECOND).await;
    let receipt = within(client.interrupt()).await.unwrap();
    stage.asked.note(json!({"still_queued": receipt.still_queued}));
    finish(stage, client).await;
}

pub(super) async fn queued_prompt(stage: &mut Stage) {
    let gate = Gate::new();
    stage.script([Reply::new().text("One.").held_by(&gate)]).script([Reply::new().text("Two.")]);
    let mut client = held(stage, &gate).await;
    stage.queue(&mut client, second(), SECOND).await;
    gate.open();
    finish(stage, client).await;
}

pub(super) async fn folded_prompt(stage: &mut Stage) {
    let gate = Gate::new();
    stage.script([add().held_by(&gate), Reply::new().text("Both.")]);
    let mut client = held(stage, &gate).await;
    stage.queue(&mut client, second(), SECOND).await;
    gate.open();
    finish(stage, client).await;
}

/// Two prompts that wait while the model answers.
async fn queue_two(stage: &mut Stage, gate: &Gate, mut client: AgentClient) {
    stage.queue(&mut client, second(), SECOND).await;
    stage.queue(&mut client, UserPrompt::text("Third"), THIRD).await;
    gate.open();
    finish(stage, client).await;
}

pub(super) async fn prompts_that_share_a_turn(stage: &mut Stage) {
    let gate = Gate::new();
    stage.script([Reply::new().text("One.").held_by(&gate)]).script([Reply::new().text("Both.")]);
    let client = held(stage, &gate).await;
    queue_two(stage, &gate, client).await;
}

/// Options with a hook of prompts, which notes them.
fn judged(stage: &Stage, judge: fn(&str) -> HookOutput<UserPromptSubmit>) -> AgentOptionsBuilder {
    let log = stage.asked.clone();
    stage.calc().hook(HookMatcher::user_prompt_submit(), async move |input, _| {
        log.note(json!({"type": "hook", "prompt": input.prompt}));
        judge(&input.prompt)
    })
}

/// Prompts that a running turn takes up, one after the other.
async fn folded_prompts(stage: &mut Stage, judge: fn(&str) -> HookOutput<UserPromptSubmit>) {
    let gate = Gate::new();
    stage.script([add().held_by(&gate), Reply::new().text("Both.")]);
    stage.script([Reply::new().text("And the other.")]);
    let client = held_with(stage, &gate, judged(stage, judge)).await;
    queue_two(stage, &gate, client).await;
}

pub(super) async fn folded_prompts_with_hooks(stage: &mut Stage) {
    folded_prompts(stage, |prompt| match prompt {
        "Second" => HookOutput::default().block("not this one"),
        _ => HookOutput::default().system_message("a prompt").additional_context("it is Sunday"),
    })
    .await;
}

pub(super) async fn folded_prompt_that_a_hook_stops(stage: &mut Stage) {
    folded_prompts(stage, |prompt| match prompt {
        "Second" => HookOutput::default().stop("enough"),
        _ => HookOutput::default(),
    })
    .await;
}

pub(super) async fn folded_prompts_whose_hook_fails(stage: &mut Stage) {
    folded_prompts(stage, |prompt| match prompt {
        "First" => HookOutput::default(),
        _ => HookOutput::failed("broken"),
    })
    .await;
}

/// One call of the hooks is for all prompts that share a turn.
async fn shared_turn(stage: &mut Stage, judge: fn(&str) -> HookOutput<UserPromptSubmit>) {
    let gate = Gate::new();
    stage.script([Reply::new().text("One.").held_by(&gate)]).script([Reply::new().text("Both.")]);
    let client = held_with(stage, &gate, judged(stage, judge)).await;
    queue_two(stage, &gate, client).await;
}

pub(super) async fn hook_of_prompts_that_share_a_turn(stage: &mut Stage) {
    shared_turn(stage, |_| HookOutput::default()).await;
}

pub(super) async fn blocked_prompts_that_share_a_turn(stage: &mut Stage) {
    shared_turn(stage, |prompt| match prompt.contains("Third") {
        true => HookOutput::default().block("not this one"),
        false => HookOutput::default(),
    })
    .await;
}

pub(super) async fn prompt_for_later(stage: &mut Stage) {
    let gate = Gate::new();
    stage.script([add().held_by(&gate), Reply::new().text("One.")]);
    stage.script([Reply::new().text("Two.")]);
    let mut client = held(stage, &gate).await;
    stage.queue(&mut client, second().priority(Priority::Later), SECOND).await;
    gate.open();
    finish(stage, client).await;
}

pub(super) async fn prompt_for_now(stage: &mut Stage) {
    let mut client = running(stage).await;
    stage.queue(&mut client, second().priority(Priority::Now), SECOND).await;
    finish(stage, client).await;
}

pub(super) async fn withdrawn_prompt(stage: &mut Stage) {
    let gate = Gate::new();
    stage.script([Reply::new().text("One.").held_by(&gate)]).script([Reply::new().text("Two.")]);
    let mut client = held(stage, &gate).await;
    stage.queue(&mut client, second(), SECOND).await;
    let request = client.request("cancel_async_message", json!({"message_uuid": SECOND}));
    let answer = within(request).await.unwrap();
    stage.asked.note(serde_json::from_str::<Value>(answer.get()).unwrap());
    gate.open();
    stage.hear_turn(&mut client).await;
    stage.hear_turn(&mut client).await;
    stage.say(&mut client, "Third").await;
    stage.close(client).await;
}

pub(super) async fn requests(stage: &mut Stage) {
    stage.script([Reply::new().text("One.")]).script([Reply::new().text("Two.")]);
    let mut client = stage.open(stage.options()).await;
    stage.say(&mut client, "First").await;
    within(client.set_model(Some("claude-opus-5-5"))).await.unwrap();
    within(client.set_permission_mode(PermissionMode::Plan)).await.unwrap();
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}

/// A conversation whose first turn waits for a permission.
async fn asking(stage: &mut Stage) -> AgentClient {
    stage.script([add()]).script([Reply::new().text("Two.")]);
    let begun = stage.begun.clone();
    let options = stage.options().mcp_server(stage.registry());
    let options = options.can_use_tool(move |_: PermissionRequest| {
        begun.notify_one();
        std::future::pending::<Permission>()
    });
    let mut client = stage.open(options).await;
    within(client.query("First")).await.unwrap();
    within(stage.begun.notified()).await;
    client
}

pub(super) async fn interrupt_of_a_permission(stage: &mut Stage) {
    let mut client = asking(stage).await;
    within(client.interrupt()).await.unwrap();
    stage.hear_turn(&mut client).await;
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}

pub(super) async fn prompt_for_now_at_a_permission(stage: &mut Stage) {
    let mut client = asking(stage).await;
    stage.queue(&mut client, second().priority(Priority::Now), SECOND).await;
    finish(stage, client).await;
}
