//! What the CLI makes of the outputs of hooks.

use toolwright::agent::hook::OnFailure;
use toolwright::agent::{HookMatcher, HookOutput};
use toolwright::json;
use toolwright::testing::Reply;

use super::stage::Stage;
use super::tools::{add, done};

/// The CLI takes none of an output with a member of another type or with an unknown decision, and
/// the hook counts as one that fails.
pub(super) async fn outputs_that_do_not_count(stage: &mut Stage) {
    let forget = Reply::new().call("mcp__calc__forget", json!({"what": "it"}));
    stage.script([add(), forget, Reply::new().call("mcp__calc__sum", json!({})), done()]);
    let options = stage.calc();
    let options = options
        .hook(HookMatcher::pre_tool_use("mcp__calc__add"), async |_, _| {
            HookOutput::default().with("continue", "no").deny("not this one")
        })
        .hook(
            HookMatcher::pre_tool_use("mcp__calc__forget").on_failure(OnFailure::Block),
            async |_, _| HookOutput::default().with("decision", "maybe"),
        )
        .hook(
            HookMatcher::pre_tool_use("mcp__calc__sum").on_failure(OnFailure::Block),
            async |_, _| HookOutput::default().with_specific("permissionDecision", "denied"),
        );
    stage.play(options).await;
}

/// An output that is replaced by nothing.
pub(super) async fn outputs_of_nothing(stage: &mut Stage) {
    let sum = || Reply::new().call("mcp__calc__sum", json!({}));
    stage.script([sum(), add(), done()]);
    let options = stage
        .calc()
        .hook(HookMatcher::post_tool_use("mcp__calc__sum"), async |_, _| {
            HookOutput::default().updated_tool_output(())
        })
        .hook(HookMatcher::post_tool_use("mcp__calc__add"), async |_, _| {
            HookOutput::default().updated_tool_output("")
        });
    stage.play(options).await;
}

/// A hook gives the session a title for each prompt, also for one that it blocks.
pub(super) async fn titles(stage: &mut Stage) {
    stage.script([done()]).script([done()]);
    let options = stage.options().hook(HookMatcher::user_prompt_submit(), async |input, _| {
        let output = HookOutput::default().session_title(format!("About {}", input.prompt));
        match input.prompt.as_str() {
            "Nothing" => output.block("not that"),
            _ => output,
        }
    });
    let mut client = stage.open(options).await;
    for prompt in ["This", "This", "Nothing"] {
        stage.say(&mut client, prompt).await;
    }
    stage.close(client).await;
}
