//! Structured output.

use serde_json::{Value, json};
use toolwright::agent::{AgentOptionsBuilder, HookMatcher, HookOutput};
use toolwright::data;
use toolwright::testing::Reply;

use super::stage::Stage;
use super::tools::done;

#[data]
struct Verdict {
    approve: bool,
}

fn output(value: Value) -> Reply {
    Reply::new().call("StructuredOutput", value)
}

fn right() -> Reply {
    output(json!({"approve": true}))
}

fn wrong() -> Reply {
    output(json!({"approve": "maybe"}))
}

fn options(stage: &Stage) -> AgentOptionsBuilder {
    stage.options().output_type::<Verdict>()
}

/// With hooks that note what they are asked.
fn with_hooks(stage: &Stage) -> AgentOptionsBuilder {
    ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Stop"].into_iter().fold(
        options(stage),
        |options, event| {
            let log = stage.asked.clone();
            options.hook(HookMatcher::raw(event, None), async move |input, _| {
                log.note(serde_json::from_str(input.raw()).unwrap());
                HookOutput::default()
            })
        },
    )
}

pub(super) async fn structured_output(stage: &mut Stage) {
    stage.script([right(), done()]);
    stage.play(with_hooks(stage)).await;
}

pub(super) async fn wrong_output(stage: &mut Stage) {
    stage.script([wrong(), output(json!({"approved": true})), right(), done()]);
    stage.play(with_hooks(stage)).await;
}

pub(super) async fn converted_output(stage: &mut Stage) {
    stage.script([output(json!({"approve": "true"})), done()]);
    stage.play(with_hooks(stage)).await;
}

/// The real CLI may not yet know the usage of the last one.
pub(super) async fn output_that_never_fits(stage: &mut Stage) {
    stage.script((0..6).map(|_| wrong().usage(0, 0)));
    stage.play(options(stage)).await;
}

pub(super) async fn denied_output(stage: &mut Stage) {
    stage.script((0..6).map(|_| right()));
    let options = options(stage).hook(HookMatcher::pre_tool_use("*"), async move |_, _| {
        HookOutput::default().deny("policy says no")
    });
    stage.play(options).await;
}

pub(super) async fn text_before_the_output(stage: &mut Stage) {
    stage.script([Reply::new().text("I would say so."), right(), done()]);
    stage.play(with_hooks(stage)).await;
}

/// The second text ends the turn.
pub(super) async fn text_in_place_of_the_output(stage: &mut Stage) {
    let says = || Reply::new().text("I would say so.");
    match stage.is_real() {
        true => stage.script([says(), says()]),
        false => stage.script([says()]),
    };
    stage.play(with_hooks(stage)).await;
}

pub(super) async fn output_that_a_stop_hook_blocks(stage: &mut Stage) {
    stage.script([right(), done()]);
    let options = options(stage)
        .hook(HookMatcher::stop(), async move |_, _| HookOutput::default().block("once more"));
    stage.play(options).await;
}

pub(super) async fn outputs_of_two_turns(stage: &mut Stage) {
    let says = || Reply::new().text("I would say so.");
    match stage.is_real() {
        true => stage.script([right(), says(), says()]),
        false => stage.script([right()]).script([says()]),
    };
    let mut client = stage.open(options(stage)).await;
    stage.say(&mut client, "First").await;
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}

/// To be told to give it is a turn.
pub(super) async fn output_at_the_limit(stage: &mut Stage) {
    stage.script([done(), right()]);
    stage.play(options(stage).max_turns(1)).await;
}
