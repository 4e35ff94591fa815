//! Which tools hooks are called for.

use toolwright::agent::{AgentOptionsBuilder, HookMatcher, HookOutput};
use toolwright::json;
use toolwright::testing::Reply;

use super::agents::start;
use super::stage::Stage;
use super::tools::{add, done};

/// Names are separated by bars or commas, with spaces around them.
pub(super) async fn hooks_of_several_tools(stage: &mut Stage) {
    stage.script([add(), done()]);
    let mut options = stage.calc();
    for matcher in ["mcp__calc__add,Bash", "Bash, mcp__calc__add", "Bash mcp__calc__add", "Bash|"] {
        options = noted(stage, options, matcher);
    }
    stage.play(options).await;
}

pub(super) async fn hooks_of_an_older_name(stage: &mut Stage) {
    stage.script([start("general-purpose"), done()]);
    stage.agent([Reply::new().text("It is 42.")]);
    let mut options = stage.options().tools(["Agent"]).allowed_tools(["Agent"]);
    for matcher in ["Task", "Read|Task", "^Task$", "Agent", "TaskStop"] {
        options = noted(stage, options, matcher);
    }
    stage.play(options).await;
}

/// With a hook that notes its matcher.
fn noted(
    stage: &Stage,
    options: AgentOptionsBuilder,
    matcher: &'static str,
) -> AgentOptionsBuilder {
    let log = stage.asked.clone();
    options.hook(HookMatcher::pre_tool_use(matcher), async move |_, _| {
        log.note(json!(matcher));
        HookOutput::default()
    })
}
