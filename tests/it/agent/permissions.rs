//! `can_use_tool`.

use serde_json::json;
use toolwright::agent::{Permission, PermissionMode, PermissionPolicy, PermissionRequest, query};

use super::calc;
use super::heard::Heard;
use super::log::Log;
use super::scene::{Scene, all, within};

/// Has `add(2, 40)` called; the callback decides.
async fn add<F, Fut>(scene: &Scene, callback: F) -> Heard
where
    F: FnOnce(PermissionRequest) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Permission> + Send + 'static,
{
    scene.model.call("mcp__calc__add", json!({"a": 2, "b": 40})).say("Done.");
    let options =
        scene.options().mcp_server(calc::registry()).can_use_tool(callback).build().unwrap();
    all(&mut query("What is 2 + 40?", options).await.unwrap()).await
}

#[tokio::test]
async fn what_is_allowed_is_called() {
    let Some(scene) = Scene::open().await else { return };
    let asked = Log::new();
    let log = asked.clone();
    let heard = add(&scene, move |request: PermissionRequest| {
        log.note(request);
        async { Permission::allow() }
    })
    .await;
    assert!(!heard.result().is_error, "{heard:#?}");
    assert_eq!(scene.results()[0].text, "42");

    let request = asked.one();
    assert_eq!(
        (request.tool_name.as_str(), request.input.to_value()),
        ("mcp__calc__add", json!({"a": 2, "b": 40}))
    );
    assert_eq!(request.tool_use_id, heard.tool_uses()[0].id);
    let server = request.mcp_server.as_ref().unwrap();
    assert_eq!((server.name.as_str(), server.source.as_str()), ("calc", "sdk"));
    assert!(!request.suggestions.is_empty() && request.display_name.is_some(), "{request:#?}");
}

#[tokio::test]
async fn the_tool_gets_the_changed_input_and_the_conversation_keeps_the_old() {
    let Some(scene) = Scene::open().await else { return };
    let heard = add(&scene, |_: PermissionRequest| async {
        Permission::allow().with_input(json!({"a": 20, "b": 3}))
    })
    .await;
    assert_eq!(scene.results()[0].text, "23");
    assert_eq!(heard.tool_uses()[0].input.get(), r#"{"a":2,"b":40}"#);
}

#[tokio::test]
async fn what_is_denied_is_not_called() {
    let Some(scene) = Scene::open().await else { return };
    let heard =
        add(&scene, |_: PermissionRequest| async { Permission::deny("not on a Sunday") }).await;
    let result = &scene.results()[0];
    assert_eq!((result.text.as_str(), result.is_error), ("not on a Sunday", true));
    assert_eq!(heard.tool_results()[0].content.text(), "not on a Sunday");
    assert!(heard.tool_results()[0].is_error);
    assert_eq!(heard.result().text(), "Done.");
    let denials = &heard.result().permission_denials;
    assert_eq!(denials.len(), 1, "{denials:?}");
    assert_eq!(
        (denials[0].tool_name.as_str(), denials[0].tool_input.get()),
        ("mcp__calc__add", r#"{"a":2,"b":40}"#)
    );
}

#[tokio::test]
async fn a_denial_can_end_the_turn() {
    let Some(scene) = Scene::open().await else { return };
    let heard =
        add(&scene, |_: PermissionRequest| async { Permission::deny("stop it").and_interrupt() })
            .await;
    assert_eq!(heard.result().subtype, "error_during_execution");
    assert!(heard.result().is_error);
    assert_eq!(scene.model.turns_left(), 1, "the model was asked again");
}

#[tokio::test]
async fn a_callback_that_panics_denies() {
    let Some(scene) = Scene::open().await else { return };
    let heard = add(&scene, |request: PermissionRequest| async move {
        match request.tool_name.is_empty() {
            true => Permission::allow(),
            false => panic!("a panic that the test asked for"),
        }
    })
    .await;
    assert!(scene.results()[0].is_error, "{heard:#?}");
    assert_eq!(heard.result().text(), "Done.");
}

#[tokio::test]
async fn a_policy_decides_by_what_the_tools_say_of_themselves() {
    let Some(scene) = Scene::open().await else { return };
    let registry = calc::registry();
    let asked = Log::new();
    let log = asked.clone();
    let policy =
        PermissionPolicy::from_annotations(&registry).or_ask(move |request: PermissionRequest| {
            log.note(request.tool_name);
            async { Permission::deny("too dangerous") }
        });
    scene
        .model
        .call("mcp__calc__add", json!({"a": 2, "b": 40}))
        .call("mcp__calc__forget", json!({"what": "it"}))
        .say("Done.");
    let options = scene.options().mcp_server(registry).permission_policy(policy).build().unwrap();
    all(&mut query("Add, then forget.", options).await.unwrap()).await;
    let results: Vec<_> =
        scene.results().into_iter().map(|result| (result.text, result.is_error)).collect();
    assert_eq!(results, [("42".into(), false), ("too dangerous".into(), true)]);
    assert_eq!(asked.one(), "mcp__calc__forget");
}

#[tokio::test]
async fn a_suggestion_may_say_to_keep_a_rule_in_the_project() {
    let Some(scene) = Scene::open().await else { return };
    add(&scene, |request: PermissionRequest| async {
        Permission::allow().with_updates(request.suggestions)
    })
    .await;
    let settings = scene.project().join(".claude/settings.local.json");
    let settings = std::fs::read_to_string(settings).unwrap();
    assert!(settings.contains("mcp__calc__add"), "{settings}");
}

#[tokio::test]
async fn questions_to_the_user_are_asked_although_a_rule_allows_the_tool() {
    let Some(scene) = Scene::open().await else { return };
    let question = |text: &str, is_multiple: bool| {
        let option = |label: &str| json!({"label": label, "description": "It is one."});
        let options = [option("Red"), option("Blue")];
        json!({
            "question": text, "header": "Paint", "options": options, "multiSelect": is_multiple,
        })
    };
    let questions = json!([question("Which colour?", false), question("Which walls?", true)]);
    scene.model.call("AskUserQuestion", json!({"questions": questions})).say("Well.");
    let options = scene
        .options()
        .permission_mode(PermissionMode::AcceptEdits)
        .allowed_tools(["AskUserQuestion"])
        .can_use_tool(async |request: PermissionRequest| {
            assert!(request.requires_user_interaction);
            let mut input = request.input.to_value();
            input["answers"] = json!({"Which colour?": "Green", "Which walls?": "Red, Blue"});
            Permission::allow().with_input(input)
        });
    let run = within(query("Paint it.", options.build().unwrap())).await.unwrap();
    within(run.finish()).await.unwrap();
    let told = &scene.results()[0].text;
    let answers = r#""Which colour?"="Green", "Which walls?"="Red, Blue""#;
    assert!(told.contains(answers), "{told}");
}
