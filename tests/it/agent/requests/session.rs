use serde_json::json;
use toolwright::agent::options::ThinkingDisplay;
use toolwright::agent::{ControlError, UserPrompt};
use toolwright::testing::{Gate, Reply};

use super::{Scene, connect, say, turn, within};

const WAITING: &str = "0b3e1f0a-5d3c-4b8e-9d7a-1c2d3e4f5a6b";
const THIRD: &str = "0b3e1f0a-5d3c-4b8e-9d7a-1c2d3e4f5a6c";

#[tokio::test]
async fn the_answer_to_initialize_is_typed() {
    let Some(scene) = Scene::open().await else { return };
    let client = connect(scene.options()).await;
    let info = client.server_info();
    let sonnet = info.models.iter().find(|model| model.value == "sonnet").unwrap();
    assert!(sonnet.resolved_model.as_ref().unwrap().starts_with("claude-sonnet-"), "{sonnet:?}");
    assert!(sonnet.supports_effort && sonnet.supported_effort_levels.contains(&"high".to_owned()));
    assert!(info.commands.iter().any(|command| command.name == "simplify"), "{info:?}");
    assert!(info.agents.iter().any(|agent| agent.name == "Explore"), "{info:?}");
    assert_eq!(info.account.api_key_source.as_deref(), Some("ANTHROPIC_API_KEY"));
    assert!(info.available_output_styles.contains(&info.output_style));
    assert!(
        info.capabilities.contains(&"mcp_call_check_permissions_v1".to_owned())
            && info.pid.is_some()
    );
    within(client.close()).await;
}

#[tokio::test]
async fn the_session_is_named_questioned_and_exported() {
    let Some(scene) = Scene::open().await else { return };
    let mut client = connect(scene.options()).await;
    scene.model.say("Hello.");
    say(&mut client, "Good morning.").await;
    within(client.rename_session("Greetings")).await.unwrap();
    let status = within(client.get_status()).await.unwrap();
    let rows: Vec<_> = status.sections.iter().flat_map(|section| &section.rows).collect();
    assert!(
        rows.iter().any(|row| row.label == "Session name" && row.value == "Greetings"),
        "{rows:?}"
    );
    within(client.generate_session_title("adding numbers", false)).await.unwrap();
    let answer = within(client.ask_side_question("Why?")).await.unwrap();
    assert!(answer.response.is_some_and(|text| !text.is_empty()) && !answer.synthetic);
    let export = within(client.export_conversation()).await.unwrap();
    assert!(export.text.contains("Good morning.") && export.text.contains("Hello."));
    assert!(export.default_filename.ends_with(".txt"));
    let plan = within(client.get_plan()).await.unwrap();
    assert!(!plan.exists && plan.content.is_none());
    within(client.set_cwd(scene.project(), false)).await.unwrap();
    for (folder, expected) in [("/nowhere/at/all", "not_found"), ("/", "needs_trust")] {
        let error = within(client.set_cwd(folder, false)).await.unwrap_err();
        let ControlError::Refused { code, .. } = error else { panic!("{error:?}") };
        assert_eq!(code.as_deref(), Some(expected));
    }
    within(client.set_cwd(scene.temporary(), true)).await.unwrap();

    let models = within(client.list_models()).await.unwrap();
    assert!(models.iter().any(|model| model.value == "haiku"), "{models:?}");
    assert_eq!(within(client.get_binary_version()).await.unwrap().version, scene.version());
    within(client.set_max_thinking_tokens(Some(1024), None)).await.unwrap();
    let display = Some(ThinkingDisplay::Omitted);
    within(client.set_max_thinking_tokens(None, display)).await.unwrap();
    // Documented by the SDKs, and not known to this CLI.
    let color = within(client.request("set_color", json!({"color": "blue"}))).await.unwrap_err();
    assert!(matches!(color, ControlError::Refused { .. }), "{color:?}");
    within(client.request("set_has_subscribers", json!({"has_subscribers": true}))).await.unwrap();
    within(client.close()).await;
}

#[tokio::test]
async fn prompts_leave_the_queue() {
    let Some(scene) = Scene::open().await else { return };
    let mut client = connect(scene.options()).await;
    let gate = Gate::new();
    scene.model.reply(Reply::new().text("One.").held_by(&gate));
    client.query("First.").await.unwrap();
    within(gate.reached()).await;
    client.query(UserPrompt::from("Second.").uuid(WAITING)).await.unwrap();
    assert!(within(client.cancel_async_message(WAITING)).await.unwrap());
    assert!(!within(client.cancel_async_message(WAITING)).await.unwrap(), "it is gone");
    client.query(UserPrompt::from("Third.").uuid(THIRD)).await.unwrap();
    let receipt = within(client.interrupt_all()).await.unwrap();
    assert_eq!((receipt.cancelled, receipt.still_queued), (vec![THIRD.to_owned()], vec![]));
    let heard = turn(&mut client).await;
    assert_eq!(heard.result().subtype, "error_during_execution");
    within(client.close()).await;
}
