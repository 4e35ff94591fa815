//! Hooks.

use serde_json::json;
use toolwright::agent::hook::{
    HookContext, PostToolUseInput, PreToolUseInput, SessionEndInput, SessionStartInput,
    SessionStartSource, StopInput, UserPromptSubmitInput,
};
use toolwright::agent::message::SystemMessage;
use toolwright::agent::options::SettingSource;
use toolwright::agent::{
    AgentClient, AgentOptionsBuilder, HookMatcher, HookOutput, Permission, PermissionRequest, query,
};

use super::calc;
use super::heard::Heard;
use super::log::Log;
use super::scene::{Scene, all, conversation, say, within};

/// Has `add(2, 40)` called.
async fn add(scene: &Scene, options: AgentOptionsBuilder) -> Heard {
    scene.model.call("mcp__calc__add", json!({"a": 2, "b": 40})).say("Done.");
    ask(options.mcp_server(calc::registry())).await
}

async fn ask(options: AgentOptionsBuilder) -> Heard {
    all(&mut query("What is 2 + 40?", options.build().unwrap()).await.unwrap()).await
}

#[tokio::test]
async fn pre_tool_use_can_block() {
    let Some(scene) = Scene::open().await else { return };
    let told = Log::new();
    let log = told.clone();
    let options = scene.options().allowed_tools(["mcp__calc__*"]).hook(
        HookMatcher::pre_tool_use("mcp__calc__.*"),
        move |input: PreToolUseInput, cx: HookContext| {
            log.note((input, cx.tool_use_id));
            async { HookOutput::default().deny("policy says no") }
        },
    );
    let heard = add(&scene, options).await;
    let result = &scene.results()[0];
    assert_eq!(
        (result.text.as_str(), result.is_error),
        ("PreToolUse:mcp__calc__add hook error: policy says no", true)
    );
    assert_eq!(heard.result().permission_denials[0].tool_name, "mcp__calc__add");

    let (input, tool_use_id) = told.one();
    assert_eq!(
        (input.tool_name.as_str(), input.tool_input.to_value()),
        ("mcp__calc__add", json!({"a": 2, "b": 40}))
    );
    assert_eq!(input.session_id, heard.result().session_id);
    assert_eq!(tool_use_id, Some(input.tool_use_id));
}

#[tokio::test]
async fn pre_tool_use_can_change_the_input_and_allow_the_call() {
    let Some(scene) = Scene::open().await else { return };
    let asked = Log::new();
    let log = asked.clone();
    let options = scene
        .options()
        .can_use_tool(move |request: PermissionRequest| {
            log.note(request.tool_name);
            async { Permission::deny("nobody should have asked") }
        })
        .hook(HookMatcher::pre_tool_use("*"), |_: PreToolUseInput, _: HookContext| async {
            HookOutput::default().allow().updated_input(json!({"a": 20, "b": 3}))
        });
    add(&scene, options).await;
    assert_eq!(scene.results()[0].text, "23");
    assert_eq!(asked.take(), [""; 0]);
}

#[tokio::test]
async fn post_tool_use_sees_the_result_and_tells_the_model_more() {
    let Some(scene) = Scene::open().await else { return };
    let told = Log::new();
    let log = told.clone();
    let options = scene.options().allowed_tools(["mcp__calc__*"]).hook(
        HookMatcher::post_tool_use("mcp__calc__add"),
        move |input: PostToolUseInput, _: HookContext| {
            log.note(input);
            async { HookOutput::default().additional_context("the sum was checked by hand") }
        },
    );
    add(&scene, options).await;
    let input = told.one();
    assert_eq!(input.tool_input.to_value(), json!({"a": 2, "b": 40}));
    assert_eq!(input.tool_response.to_value(), json!([{"type": "text", "text": "42"}]));
    assert!(conversation(&scene.request()).contains("the sum was checked by hand"));
}

#[tokio::test]
async fn user_prompt_submit_tells_the_model_more() {
    let Some(scene) = Scene::open().await else { return };
    let told = Log::new();
    let log = told.clone();
    let options = scene.options().hook(
        HookMatcher::user_prompt_submit(),
        move |input: UserPromptSubmitInput, _: HookContext| {
            log.note(input.prompt);
            async { HookOutput::default().additional_context("the user likes even numbers") }
        },
    );
    scene.model.say("42.");
    ask(options).await;
    assert_eq!(told.one(), "What is 2 + 40?");
    assert!(conversation(&scene.request()).contains("the user likes even numbers"));
}

#[tokio::test]
async fn stop_can_make_the_agent_go_on() {
    let Some(scene) = Scene::open().await else { return };
    let told = Log::new();
    let log = told.clone();
    let options =
        scene.options().hook(HookMatcher::stop(), move |input: StopInput, _: HookContext| {
            let is_second = input.stop_hook_active;
            log.note((is_second, input.last_assistant_message));
            async move {
                if is_second {
                    HookOutput::default()
                } else {
                    HookOutput::default().block("say it in words")
                }
            }
        });
    scene.model.say("42.").say("Forty-two.");
    let heard = ask(options).await;
    assert_eq!(heard.result().text(), "Forty-two.");
    assert_eq!(
        told.take(),
        [(false, Some("42.".to_owned())), (true, Some("Forty-two.".to_owned()))]
    );
    assert!(conversation(&scene.request()).contains("say it in words"));
}

/// The CLI does not call the `SessionStart` hooks of an SDK when it starts or resumes, only when a
/// session is cleared or compacted.
#[tokio::test]
async fn session_start_tells_the_model_more() {
    let Some(scene) = Scene::open().await else { return };
    let told = Log::new();
    let log = told.clone();
    let options = scene.options().hook(
        HookMatcher::session_start(),
        move |input: SessionStartInput, _: HookContext| {
            log.note(input.source);
            async { HookOutput::default().additional_context("today is a Sunday") }
        },
    );
    let mut client = AgentClient::connect(options.build().unwrap()).await.unwrap();
    scene.model.say("41.").say("42.");
    say(&mut client, "What is 1 + 40?").await;
    assert_eq!(told.take(), []);
    say(&mut client, "/clear").await;
    assert_eq!(told.one(), SessionStartSource::Clear);
    say(&mut client, "What is 2 + 40?").await;
    assert!(conversation(&scene.request()).contains("today is a Sunday"));
    assert!(!conversation(&scene.request()).contains("1 + 40"));
    within(client.close()).await;
}

/// Nor those of `SessionEnd` at the end of a run: its input is closed by then.
#[tokio::test]
async fn session_end_comes_when_a_session_is_cleared_only() {
    let Some(scene) = Scene::open().await else { return };
    let told = Log::new();
    let log = told.clone();
    let options = scene.options().hook(
        HookMatcher::session_end(),
        move |input: SessionEndInput, _: HookContext| {
            log.note(input.raw().to_owned());
            async { HookOutput::default() }
        },
    );
    let mut client = AgentClient::connect(options.build().unwrap()).await.unwrap();
    scene.model.say("41.").say("42.");
    say(&mut client, "What is 1 + 40?").await;
    assert_eq!(told.take(), [""; 0]);
    say(&mut client, "/clear").await;
    let input = told.one();
    assert!(input.contains(r#""reason":"clear""#), "{input}");
    say(&mut client, "What is 2 + 40?").await;
    within(client.close()).await;
    assert_eq!(told.take(), [""; 0]);
}

#[tokio::test]
async fn hook_events_are_those_of_the_settings() {
    let Some(scene) = Scene::open().await else { return };
    let folder = scene.project().join(".claude");
    std::fs::create_dir(&folder).unwrap();
    let command = json!({"hooks": [{"type": "command", "command": "echo checked"}]});
    let settings = json!({"hooks": {"PostToolUse": [command]}});
    std::fs::write(folder.join("settings.json"), settings.to_string()).unwrap();
    let told = Log::new();
    let log = told.clone();
    let options = scene
        .options()
        .setting_sources([SettingSource::Project])
        .allowed_tools(["mcp__calc__*"])
        .include_hook_events(true)
        .hook(HookMatcher::pre_tool_use("*"), move |_: PreToolUseInput, _: HookContext| {
            log.note(());
            async { HookOutput::default() }
        });
    let heard = add(&scene, options).await;
    told.one();
    let events = heard.system().filter_map(|message| match message {
        SystemMessage::HookStarted(hook) => Some(hook.hook_event.as_str()),
        SystemMessage::HookResponse(hook) => Some(hook.stdout.trim()),
        _ => None,
    });
    assert_eq!(events.collect::<Vec<_>>(), ["PostToolUse", "checked"]);
}
