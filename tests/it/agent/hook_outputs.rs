//! What the CLI makes of the outputs of hooks, where their names do not tell it all.

use std::fs;
use std::future::pending;
use std::time::Duration;

use serde_json::json;
use toolwright::agent::hook::OnFailure;
use toolwright::agent::message::SystemMessage;
use toolwright::agent::options::SettingSource;
use toolwright::agent::{
    AgentClient, AgentOptionsBuilder, ControlError, HookMatcher, HookOutput, Permission, query,
};
use toolwright::testing::RecordedToolResult;

use super::calc;
use super::heard::Heard;
use super::log::Log;
use super::scene::{Scene, all, say, within};

/// Has the tool called, and gives what the model is told and all messages.
async fn called(
    scene: &Scene,
    tool: &str,
    input: serde_json::Value,
    options: AgentOptionsBuilder,
) -> (Option<RecordedToolResult>, Heard) {
    scene.model.call(tool, input).say("Done.");
    let options = options.mcp_server(calc::registry()).build().unwrap();
    let heard = all(&mut within(query("Go on.", options)).await.unwrap()).await;
    (scene.results().pop(), heard)
}

async fn added(scene: &Scene, options: AgentOptionsBuilder) -> (Option<RecordedToolResult>, Heard) {
    called(scene, "mcp__calc__add", json!({"a": 2, "b": 40}), options).await
}

#[tokio::test]
async fn a_hook_that_stops_before_a_call_does_not_prevent_it() {
    let Some(scene) = Scene::open().await else { return };
    let options = scene.options().allowed_tools(["mcp__calc__*"]);
    let options = options
        .hook(HookMatcher::pre_tool_use("*"), async |_, _| HookOutput::default().stop("enough"));
    let (told, heard) = added(&scene, options).await;
    assert_eq!(told, None, "the model is not asked again");
    assert_eq!(heard.tool_results()[0].content.text(), "42");
    assert_eq!(heard.result().terminal_reason.as_deref(), Some("hook_stopped"));

    let Some(scene) = Scene::open().await else { return };
    let options = scene.options().allowed_tools(["mcp__calc__*"]);
    let options = options.hook(HookMatcher::pre_tool_use("*"), async |_, _| {
        HookOutput::default().deny("not this").stop("enough")
    });
    let (_, heard) = added(&scene, options).await;
    assert!(heard.tool_results()[0].is_error, "{heard:#?}");
    assert_eq!(heard.result().terminal_reason.as_deref(), Some("hook_stopped"));
}

#[tokio::test]
async fn the_output_of_a_built_in_tool_is_replaced_in_its_own_form_only() {
    for (replacement, expected) in [
        (json!("[secret]"), "hello"),
        (json!({"stdout": "[secret]", "stderr": "", "interrupted": false}), "[secret]"),
    ] {
        let Some(scene) = Scene::open().await else { return };
        let options = scene.options().allowed_tools(["Bash"]);
        let options = options.hook(HookMatcher::post_tool_use("Bash"), async move |_, _| {
            HookOutput::default().updated_tool_output(replacement)
        });
        let input = json!({"command": "echo hello", "description": "Greets"});
        let (told, _) = called(&scene, "Bash", input, options).await;
        assert_eq!(told.unwrap().text, expected);
    }
}

#[tokio::test]
async fn of_a_permission_callback_and_a_hook_the_first_to_answer_decides() {
    let Some(scene) = Scene::open().await else { return };
    let options = scene.options().can_use_tool(async |_| Permission::allow());
    let options = options
        .hook(HookMatcher::permission_request("*"), async |_, _| pending::<HookOutput<_>>().await);
    assert_eq!(added(&scene, options).await.0.unwrap().text, "42");

    let Some(scene) = Scene::open().await else { return };
    let asked = Log::new();
    let log = asked.clone();
    let options = scene.options().can_use_tool(async move |request| {
        log.note(request.tool_name);
        pending::<Permission>().await
    });
    let options = options.hook(HookMatcher::permission_request("*"), async |_, _| {
        HookOutput::default().decide(Permission::deny("not on a Sunday"))
    });
    let told = added(&scene, options).await.0.unwrap();
    assert!(told.is_error && told.text.contains("not on a Sunday"), "{told:?}");
    assert_eq!(asked.one(), "mcp__calc__add");
}

#[tokio::test]
async fn a_blocked_prompt_is_repeated_unless_the_hook_says_not_to() {
    for (is_suppressed, count) in [(false, 1), (true, 0)] {
        let Some(scene) = Scene::open().await else { return };
        let options = scene.options().hook(HookMatcher::user_prompt_submit(), async move |_, _| {
            let output = HookOutput::default().block("not today");
            if is_suppressed { output.suppress_original_prompt() } else { output }
        });
        let (told, heard) = added(&scene, options).await;
        assert_eq!(told, None);
        let said = heard.system().filter_map(|message| match message {
            SystemMessage::Informational(message) => Some(message.content.as_str()),
            _ => None,
        });
        let said: String = said.collect();
        assert!(said.contains("not today"), "{said}");
        assert_eq!(said.matches("Go on.").count(), count, "{said}");
    }
}

#[tokio::test]
async fn to_ask_about_another_model_is_to_refuse_it() {
    let Some(scene) = Scene::open().await else { return };
    let options = scene.options().model("claude-sonnet-5-5");
    let options = options
        .hook(HookMatcher::pre_model_switch(), async |_, _| HookOutput::default().ask("Sure?"));
    let client = within(AgentClient::connect(options.build().unwrap())).await.unwrap();
    let refused = within(client.set_model(Some("claude-opus-5-5"))).await.unwrap_err();
    let ControlError::Refused { message, .. } = &refused else { panic!("{refused:?}") };
    assert!(message.contains("Sure?"), "{message}");
    within(client.close()).await;
}

#[tokio::test]
async fn a_hook_that_fails_or_takes_too_long_blocks_a_call_and_no_end_of_a_turn() {
    for is_late in [false, true] {
        let Some(scene) = Scene::open().await else { return };
        let matcher = HookMatcher::pre_tool_use("*").on_failure(OnFailure::Block);
        let options = scene.options().allowed_tools(["mcp__calc__*"]);
        let options =
            options.hook(
                matcher.timeout(Duration::from_secs(1)),
                async move |_, _| match is_late {
                    true => pending().await,
                    false => HookOutput::failed("a failure that the test asked for"),
                },
            );
        let told = added(&scene, options).await.0.unwrap();
        assert!(told.is_error, "{is_late}: {told:?}");
    }

    let Some(scene) = Scene::open().await else { return };
    scene.model.say("42.");
    let asked = Log::new();
    let log = asked.clone();
    let matcher = HookMatcher::stop().on_failure(OnFailure::Block);
    let options = scene.options().hook(matcher, async move |_, _| {
        log.note(());
        HookOutput::failed("a failure that the test asked for")
    });
    let mut client = within(AgentClient::connect(options.build().unwrap())).await.unwrap();
    assert_eq!(say(&mut client, "Go on.").await.result().text(), "42.");
    asked.one();
    within(client.close()).await;
}

/// CLIs before 2.1.332 may not know the event; then the command runs.
#[tokio::test]
async fn a_command_in_a_skill_runs_unless_a_hook_denies_it() {
    let Some(scene) = Scene::open().await else { return };
    let folder = scene.project().join(".claude/skills/today");
    fs::create_dir_all(&folder).unwrap();
    let skill =
        "---\ndescription: Names the day.\nallowed-tools: Bash(echo:*)\n---\nIt is\n!`echo Monday`";
    fs::write(folder.join("SKILL.md"), skill).unwrap();
    scene.model.say("Done.");
    let log = Log::new();
    let hook = log.clone();
    let options = scene.options().setting_sources([SettingSource::Project]).hook(
        HookMatcher::pre_skill_shell_command("Bash"),
        async move |input, _| {
            hook.note(format!("{} {} {}", input.command_name, input.invoked_by, input.tool_input));
            HookOutput::default().deny("not here")
        },
    );
    let mut client = AgentClient::connect(options.build().unwrap()).await.unwrap();
    let version = client.server_info().claude_code_version.clone().unwrap();
    let knows_it = version.rsplit('.').next().unwrap().parse::<u32>().unwrap() >= 332;
    let heard = say(&mut client, "/today").await;
    assert!(!heard.result().is_error, "{heard:#?}");
    let prompt = scene.request().user_texts().join("\n");
    let called = [r#"today user {"command":"echo Monday"}"#.to_owned()];
    assert_eq!(log.take(), if knows_it { &called[..] } else { &[] });
    assert_eq!(prompt.contains("\nMonday"), !knows_it, "{prompt}");
    assert_eq!(prompt.contains("not here"), knows_it, "{prompt}");
}
