//! Turns and calls, one after another or at the same time.

use std::future::pending;
use std::time::Duration;

use serde_json::json;
use toolwright::agent::hook::{
    HookContext, PostToolUseFailureInput, PreToolUseInput, StopFailureInput, StopInput,
    UserPromptSubmitInput,
};
use toolwright::agent::options::McpServer;
use toolwright::agent::{AgentOptionsBuilder, HookMatcher, HookOutput, UserPrompt};
use toolwright::testing::{Gate, Reply};
use toolwright::{Context, Tool, ToolRegistry, Value, tools};

use super::super::calc;
use super::super::scene::within;
use super::stage::Stage;
use super::tools::{add, done};

pub(super) async fn interrupt_between_turns(stage: &mut Stage) {
    stage.script([done()]).script([done()]);
    let mut client = stage.open(stage.calc()).await;
    within(client.interrupt()).await.unwrap();
    stage.say(&mut client, "First").await;
    within(client.interrupt()).await.unwrap();
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}

pub(super) async fn interrupt_twice(stage: &mut Stage) {
    let gate = Gate::new();
    stage.script([Reply::new().text("Never.").held_by(&gate)]).script([done()]);
    let mut client = stage.open(stage.calc()).await;
    within(client.query("First")).await.unwrap();
    within(gate.reached()).await;
    let handle = client.handle();
    let (first, second) =
        within(async { tokio::join!(client.interrupt(), handle.interrupt()) }).await;
    first.unwrap();
    second.unwrap();
    stage.hear_turn(&mut client).await;
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}

pub(super) async fn blank_prompt(stage: &mut Stage) {
    stage.script([done()]).script([done()]);
    let submit = stage.asked.clone();
    let options = stage.options().hook(
        HookMatcher::user_prompt_submit(),
        move |input: UserPromptSubmitInput, _: HookContext| {
            submit.note(serde_json::from_str(input.raw()).unwrap());
            async { HookOutput::default() }
        },
    );
    let mut client = stage.open(options).await;
    stage.say(&mut client, "First").await;
    stage.say(&mut client, " \n ").await;
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}

pub(super) async fn blank_first_prompt(stage: &mut Stage) {
    stage.script([done()]);
    let mut client = stage.open(stage.calc()).await;
    stage.say(&mut client, "\t").await;
    stage.say(&mut client, "First").await;
    stage.close(client).await;
}

pub(super) async fn calls_of_several_servers(stage: &mut Stage) {
    let call = |server: &str, tool: &str, input: Value| (format!("mcp__{server}__{tool}"), input);
    let calls = [
        call("calc", "add", json!({"a": 1, "b": 1})),
        call("other", "add", json!({"a": 2, "b": 2})),
        call("calc", "forget", json!({"what": "it"})),
        call("other", "forget", json!({"what": "all"})),
        call("calc", "fails", json!({})),
        call("other", "add", json!({"a": 3, "b": 3})),
    ];
    let calls =
        calls.into_iter().fold(Reply::new(), |reply, (tool, input)| reply.call(tool, input));
    stage.script([calls, done()]);
    let other =
        ToolRegistry::builder("other").tools(tools![calc::add, calc::forget]).build().unwrap();
    let log = stage.asked.clone();
    let options =
        stage.calc().allow_registry(&other).mcp_server(other).allowed_tools(["mcp__other__*"]);
    let options = options.hook(
        HookMatcher::pre_tool_use("mcp__other__.*"),
        move |input: PreToolUseInput, _: HookContext| {
            log.note(serde_json::from_str(input.raw()).unwrap());
            async { HookOutput::default() }
        },
    );
    stage.play(options).await;
}

async fn odd_tool(stage: &mut Stage, tool: Tool) {
    let shelf = ToolRegistry::builder("shelf").tools([tool]).build().unwrap();
    stage.script([Reply::new().call("mcp__shelf__odd", json!({})), done()]);
    let log = stage.asked.clone();
    let options = stage.options().allow_registry(&shelf).mcp_server(shelf);
    let options = options.hook(
        HookMatcher::post_tool_use_failure("*"),
        async move |input: PostToolUseFailureInput, _: HookContext| {
            log.note(serde_json::from_str(input.raw()).unwrap());
            HookOutput::default()
        },
    );
    stage.play(options).await;
}

pub(super) async fn panicking_tool(stage: &mut Stage) {
    odd_tool(
        stage,
        calc::reader("odd", async |input: Value, _: Context| -> &str { panic!("no {input}") }),
    )
    .await;
}

pub(super) async fn late_tool(stage: &mut Stage) {
    let tool = calc::reader("odd", async |_: Value, _: Context| pending::<&str>().await);
    odd_tool(stage, tool.with_timeout(Duration::from_millis(50))).await;
}

/// Its server is given a second.
pub(super) async fn call_without_an_end(stage: &mut Stage) {
    stage.script([Reply::new().call("mcp__calc__endless", json!({})), add(), done()]);
    let server = McpServer::in_process(&stage.registry()).timeout(Duration::from_secs(1));
    stage.play(stage.options().mcp_server(server).allowed_tools(["mcp__calc__*"])).await;
}

pub(super) async fn max_turns_in_a_conversation(stage: &mut Stage) {
    stage.script([add()]).script([done()]).script([add()]);
    let mut client = stage.open(stage.calc().max_turns(1)).await;
    stage.say(&mut client, "First").await;
    stage.say(&mut client, "Second").await;
    stage.say(&mut client, "Third").await;
    stage.close(client).await;
}

pub(super) async fn queued_blank_prompt(stage: &mut Stage) {
    let gate = Gate::new();
    stage.script([Reply::new().text("One.").held_by(&gate)]).script([Reply::new().text("Two.")]);
    let mut client = stage.open(stage.calc()).await;
    within(client.query("First")).await.unwrap();
    within(gate.reached()).await;
    stage.queue(&mut client, UserPrompt::text(" "), "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb").await;
    gate.open();
    stage.hear_turn(&mut client).await;
    stage.hear_turn(&mut client).await;
    stage.close(client).await;
}

pub(super) async fn nothing_to_continue(stage: &mut Stage) {
    stage.script([done()]);
    stage.play(stage.options().continue_conversation(true)).await;
}

pub(super) async fn ordered_hooks(stage: &mut Stage) {
    stage.script([add(), done()]);
    let mut options = stage.calc();
    for matcher in
        ["*", "mcp__calc__add", "mcp__calc__forget", "mcp__calc", "mcp__.*__add", "add", ""]
    {
        let log = stage.asked.clone();
        options = options.hook(
            HookMatcher::pre_tool_use(matcher),
            move |_: PreToolUseInput, _: HookContext| {
                log.note(json!({"matcher": matcher}));
                async { HookOutput::default() }
            },
        );
    }
    stage.play(options).await;
}

/// Options with hooks that note how the turn has ended.
fn noted_end(stage: &Stage) -> AgentOptionsBuilder {
    let (failures, stops) = (stage.asked.clone(), stage.asked.clone());
    stage
        .options()
        .env("CLAUDE_CODE_MAX_RETRIES", "0")
        .hook(HookMatcher::stop_failure(), move |input: StopFailureInput, _: HookContext| {
            let input: Value = serde_json::from_str(input.raw()).unwrap();
            let mode = &input["permission_mode"];
            failures.note(json!({"error": input["error"], "permission_mode": mode}));
            async { HookOutput::default() }
        })
        .hook(HookMatcher::stop(), move |_: StopInput, _: HookContext| {
            stops.note(json!({"error": null}));
            async { HookOutput::default() }
        })
}

pub(super) async fn hook_of_a_failure(stage: &mut Stage) {
    stage.fail(Reply::error(400, "invalid_request_error", "too many images"));
    stage.play(noted_end(stage)).await;
}

pub(super) async fn hook_of_a_refusal(stage: &mut Stage) {
    let refusal = || Reply::new().text("I would rather not.").stop_reason("refusal");
    stage.script([refusal(), refusal()]);
    stage.play(noted_end(stage)).await;
}
