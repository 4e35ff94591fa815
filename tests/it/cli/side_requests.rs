use serde_json::json;

use super::Era;
use super::scene::Scene;

/// The program asks its model more than the conversation does, and that must not take a turn of the
/// script.
#[tokio::test]
async fn side_requests_leave_the_script_alone() {
    let Some(scene) = Scene::open(Era::Modern).await else { return };
    scene.call("add", json!({"a": 2, "b": 40})).say("It is 42.").say("You are welcome.");
    let mut claude = scene.chat();
    assert_eq!(claude.turn("What is 2 + 40?").await.result(), "It is 42.");

    claude.control(&json!({"subtype": "generate_session_title", "description": "Adding numbers", "persist": false})).await;
    claude.control(&json!({"subtype": "side_question", "question": "Why 42?"})).await;
    assert_eq!(scene.model.side_requests().len(), 2);

    assert_eq!(claude.turn("Thanks.").await.result(), "You are welcome.");
    scene.end(claude).await;
    let requests = scene.model.requests();
    assert_eq!(requests.len(), 3);
    assert!(
        requests[2].user_texts().contains(&"Thanks.".to_owned()),
        "{:?}",
        requests[2].user_texts()
    );
}
