use std::fs;

use toolwright::agent::Message;
use toolwright::testing::Reply;

use super::SESSION;
use super::scene::Scene;

/// Each turn fails once, and is tried again by the same worker, which says why. Then the session is
/// free.
#[tokio::test]
async fn a_turn_that_fails_is_tried_again() {
    let Some(mut scene) = Scene::start().await else { return };
    let broken = Reply::error(400, "invalid_request_error", "the model is out of sorts");
    scene.model.reply_ever_after(broken);
    let mut heard = scene.queue.hear("fleet.messages.>").await;
    let log = scene.add_worker_with_log();
    scene.submit(SESSION, &["Prompt 1.".to_owned(), "Prompt 2.".to_owned()]);
    for turn in 1..=2 {
        let mut has_failed = false;
        while !has_failed {
            let (_, message) = scene.next_message(&mut heard).await;
            has_failed = matches!(message, Message::Result(result) if !result.is_success());
        }
        scene.model.say(format!("Answer {turn}."));
        scene.until_done(turn).await;
    }
    let expected = ["Prompt 1.", "Answer 1.", "Prompt 2.", "Answer 2."];
    assert_eq!(scene.transcript(SESSION).await, expected);
    let log = fs::read_to_string(log).unwrap();
    assert!(log.matches("the model is out of sorts").count() >= 2, "{log}");
    // The worker may be about to release it; a lock that it has taken twice would stay.
    let lock = format!("SELECT 'free' FROM pg_advisory_lock(hashtextextended('{SESSION}', 0))");
    assert_eq!(scene.ask(&format!("SET lock_timeout = '20s'; {lock}")), "SET\nfree");
    scene.close().await;
}
