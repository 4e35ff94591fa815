//! Hooks that do not let a turn or a subagent end.

use toolwright::agent::{AgentOptionsBuilder, HookMatcher, HookOutput};
use toolwright::json;
use toolwright::testing::Reply;

use super::stage::Stage;
use super::tools::{add, done};

/// A turn that the hook of its end lets go on takes as many turns as it may.
async fn stop_hook_at_the_limit(stage: &mut Stage, limit: u32) {
    stage.script([done()]).script([done()]).script([done()]);
    let options = stage
        .calc()
        .max_turns(limit)
        .hook(HookMatcher::stop(), async |_, _| HookOutput::default().block("go on"));
    stage.play(options).await;
}

pub(super) async fn stop_hook_at_the_first_turn(stage: &mut Stage) {
    stop_hook_at_the_limit(stage, 1).await;
}

pub(super) async fn stop_hook_at_the_second_turn(stage: &mut Stage) {
    stop_hook_at_the_limit(stage, 2).await;
}

/// A hook that never lets a turn end, or a subagent.
async fn endless(stage: &mut Stage, options: AgentOptionsBuilder) {
    let (stop, subagent) = (stage.asked.clone(), stage.asked.clone());
    let options = options
        .hook(HookMatcher::stop(), async move |input, _| {
            stop.note(serde_json::from_str(input.raw()).unwrap());
            HookOutput::default().block("go on")
        })
        .hook(HookMatcher::subagent_stop(), async move |input, _| {
            let is_active = input.stop_hook_active;
            let said = input.last_assistant_message;
            subagent.note(json!({"type": "hook", "is_active": is_active, "said": said}));
            HookOutput::default().block("go on")
        });
    stage.play(options).await;
}

pub(super) async fn stop_hook_without_end(stage: &mut Stage) {
    stage.script([add(), done()]);
    // A call between them makes the count begin again.
    stage.script([add(), done()]);
    for _ in 0..9 {
        stage.script([done()]);
    }
    endless(stage, stage.calc()).await;
}

pub(super) async fn stop_hook_without_end_in_a_subagent(stage: &mut Stage) {
    let input = json!({
        "description": "Find it", "prompt": "Find it.",
        "subagent_type": "general-purpose", "run_in_background": false,
    });
    stage.script([Reply::new().call("Agent", input), done()]);
    stage.script([done()]).script([done()]);
    stage.agent([add(), Reply::new().text("It is 42.")]);
    for _ in 0..3 {
        stage.agent([Reply::new().text("It is 43.")]);
    }
    let options = stage.calc().tools(["Agent"]).env("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "2");
    endless(stage, options).await;
}
