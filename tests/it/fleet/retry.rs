use toolwright::testing::Reply;

use super::SESSION;
use super::scene::Scene;

/// Each turn fails once, and is tried again by the same worker.
#[tokio::test]
async fn a_turn_that_fails_is_tried_again() {
    let Some(mut scene) = Scene::start().await else { return };
    for turn in 1..=2 {
        scene.model.reply(Reply::error(400, "invalid_request_error", "too many images"));
        scene.model.say(format!("Answer {turn}."));
    }
    scene.add_worker();
    scene.submit(SESSION, &["Prompt 1.".to_owned(), "Prompt 2.".to_owned()]);
    scene.until_done(2).await;
    let expected = ["Prompt 1.", "Answer 1.", "Prompt 2.", "Answer 2."];
    assert_eq!(scene.transcript(SESSION).await, expected);
    assert_eq!(scene.model.turns_left(), 0);
    scene.close().await;
}
