//! Conversations that go on in another process.

use toolwright::agent::message::{ResultMessage, RunSummary};
use toolwright::agent::{AgentOptionsBuilder, query};

use super::scene::{Scene, conversation, within};

async fn ask(scene: &Scene, prompt: &str, options: AgentOptionsBuilder) -> ResultMessage {
    scene.model.say(format!("Answer to {prompt}"));
    let run = query(prompt, options.build().unwrap()).await.unwrap();
    within(run.finish()).await.unwrap()
}

/// A scene in which a conversation has begun, and its id.
async fn begun() -> Option<(Scene, String)> {
    let scene = Scene::open().await?;
    let first = ask(&scene, "the word is kettle", scene.options()).await;
    Some((scene, first.session_id))
}

fn assert_goes_on(scene: &Scene) {
    let conversation = conversation(&scene.request());
    for text in ["the word is kettle", "Answer to the word is kettle", "which word"] {
        assert!(conversation.contains(text), "{text:?} is not in {conversation}");
    }
}

#[tokio::test]
async fn a_conversation_is_resumed() {
    let Some((scene, session)) = begun().await else { return };
    let result = ask(&scene, "which word", scene.options().resume(&session)).await;
    assert_eq!(result.session_id, session);
    assert_goes_on(&scene);
}

#[tokio::test]
async fn a_run_that_resumes_counts_what_it_has_used_itself() {
    let Some(scene) = Scene::open().await else { return };
    let first = ask(&scene, "hello", scene.options()).await;
    let cost = first.total_cost_usd;
    let resumed = scene.options().resume(&first.session_id).max_budget_usd(1.5 * cost);
    let second = ask(&scene, "and again", resumed).await;
    assert!(second.total_cost_usd > 1.9 * cost, "{} after {cost}", second.total_cost_usd);
    let mut summary = RunSummary::default();
    summary.add_result(&second);
    assert!(summary.total_cost_usd() < 1.1 * cost, "{summary:?} after {cost}");
}

#[tokio::test]
async fn the_latest_conversation_goes_on() {
    let Some((scene, session)) = begun().await else { return };
    let result = ask(&scene, "which word", scene.options().continue_conversation(true)).await;
    assert_eq!(result.session_id, session);
    assert_goes_on(&scene);
}

#[tokio::test]
async fn a_fork_goes_on_by_itself() {
    let Some((scene, session)) = begun().await else { return };
    let fork = ask(&scene, "which word", scene.options().resume(&session).fork_session(true)).await;
    assert_ne!(fork.session_id, session);
    assert_goes_on(&scene);
    ask(&scene, "another question", scene.options().resume(&session)).await;
    assert!(
        !conversation(&scene.request()).contains("which word"),
        "the fork has changed the conversation that it began with"
    );
}

#[tokio::test]
async fn a_new_conversation_has_the_id_that_it_was_given() {
    let Some(scene) = Scene::open().await else { return };
    let id = "6f1d0f3c-3d6e-4a55-9d8b-6b1c5a0f7e21";
    let result = ask(&scene, "hello", scene.options().session_id(id)).await;
    assert_eq!(result.session_id, id);
}
