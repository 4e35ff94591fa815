//! Built-in tools that talk to the user, and those that are not there.

use serde_json::{Value, json};
use toolwright::agent::{Permission, PermissionMode, PermissionRequest};
use toolwright::testing::Reply;

use super::stage::Stage;
use super::tools::done;

fn questions() -> Value {
    let options = json!([
        {"label": "Red", "description": "A red one."},
        {"label": "Blue", "description": "A blue one."},
    ]);
    json!({"questions": [
        {"question": "Which colour?", "header": "Colour", "options": options, "multiSelect": false},
        {"question": "And then?", "header": "Next", "options": options, "multiSelect": true},
    ]})
}

async fn ask(stage: &mut Stage, answer: fn(PermissionRequest) -> Permission) {
    stage.builtin("AskUserQuestion");
    stage.script([Reply::new().call("AskUserQuestion", questions()), done()]);
    let log = stage.asked.clone();
    let options = stage.options().tools(["AskUserQuestion"]);
    let options = options.can_use_tool(move |request: PermissionRequest| {
        log.note(serde_json::from_str(request.raw()).unwrap());
        let answer = answer(request);
        async { answer }
    });
    stage.play(options).await;
}

fn answers(answers: Value) -> Permission {
    let mut input = questions();
    input["answers"] = answers;
    Permission::allow().with_input(input)
}

pub(super) async fn question(stage: &mut Stage) {
    ask(stage, |_| answers(json!({"And then?": "Red, Blue", "Which colour?": "Red"}))).await;
}

pub(super) async fn question_with_another_answer(stage: &mut Stage) {
    ask(stage, |_| answers(json!({"Which colour?": "Red", "And then?": ["Green", "Blue"]}))).await;
}

pub(super) async fn question_half_answered(stage: &mut Stage) {
    ask(stage, |_| answers(json!({"Which colour?": "Red"}))).await;
}

/// Answers go by questions.
pub(super) async fn question_answered_by_header(stage: &mut Stage) {
    ask(stage, |_| answers(json!({"Colour": "Red"}))).await;
}

pub(super) async fn question_only_allowed(stage: &mut Stage) {
    ask(stage, |_| Permission::allow()).await;
}

pub(super) async fn question_denied(stage: &mut Stage) {
    ask(stage, |_| Permission::deny("not now")).await;
}

/// An input without the questions is refused.
pub(super) async fn answers_alone(stage: &mut Stage) {
    ask(stage, |_| Permission::allow().with_input(json!({"answers": {"Which colour?": "Red"}})))
        .await;
}

pub(super) async fn question_to_nobody(stage: &mut Stage) {
    stage.builtin("AskUserQuestion").builtin("ExitPlanMode").builtin("Bash");
    stage.script([
        Reply::new().call("AskUserQuestion", questions()),
        Reply::new().call("ExitPlanMode", json!({})),
        Reply::new().call("Bash", json!({"command": "echo hi"})),
        done(),
    ]);
    stage.play(stage.options().tools(["AskUserQuestion", "ExitPlanMode"])).await;
}

/// Outside of plan mode a plan cannot end.
pub(super) async fn end_of_a_plan(stage: &mut Stage) {
    stage.builtin("ExitPlanMode");
    let forget = || Reply::new().call("mcp__calc__forget", json!({"what": "it"}));
    let exit = || Reply::new().call("ExitPlanMode", json!({}));
    stage.script([forget(), exit(), forget(), exit(), done()]);
    let log = stage.asked.clone();
    let options = stage.calc().tools(["ExitPlanMode"]).permission_mode(PermissionMode::Plan);
    let options = options.can_use_tool(move |request: PermissionRequest| {
        log.note(serde_json::from_str(request.raw()).unwrap());
        let answer = match request.tool_name == "ExitPlanMode" {
            true => Permission::allow(),
            false => Permission::deny("not yet"),
        };
        async { answer }
    });
    stage.play(options).await;
}
