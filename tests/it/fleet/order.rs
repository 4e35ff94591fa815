use futures_util::StreamExt as _;
use tokio::time::timeout;
use toolwright::testing::{Gate, Reply};

use super::SESSION;
use super::scene::{SILENCE, Scene};

/// A second worker has the second prompt several times, and begins it only after the first.
#[tokio::test]
async fn the_second_prompt_of_a_session_waits_for_the_first() {
    let Some(mut scene) = Scene::start().await else { return };
    let gate = Gate::new();
    scene.model.reply(Reply::new().text("Answer 1.").held_by(&gate)).say("Answer 2.");
    let mut given_back = scene.queue.hear(super::GIVEN_BACK).await;
    for _ in 0..2 {
        scene.add_worker();
    }
    scene.submit(SESSION, &["Prompt 1.".to_owned(), "Prompt 2.".to_owned()]);
    scene.reached(&gate).await;
    for _ in 0..3 {
        let said = timeout(SILENCE, given_back.next()).await;
        said.expect("nobody has the second prompt").unwrap();
    }
    assert_eq!((scene.model.turns_left(), scene.count("count(*)")), (1, 0));
    gate.open();
    scene.until_done(2).await;
    let expected = ["Prompt 1.", "Answer 1.", "Prompt 2.", "Answer 2."];
    assert_eq!(scene.transcript(SESSION).await, expected);
    scene.close().await;
}

/// A prompt for a turn that another had is dropped: whoever submits it may have tried again.
#[tokio::test]
async fn a_session_goes_on_with_prompts_that_are_submitted_later() {
    let Some(mut scene) = Scene::start().await else { return };
    scene.model.say("Answer 1.").say("Answer 2.");
    scene.add_worker();
    scene.submit(SESSION, &["Prompt 1.".to_owned()]);
    scene.until_done(1).await;
    scene.submit(SESSION, &["Prompt 1 again.".to_owned()]);
    scene.submit(&format!("{SESSION}:2"), &["Prompt 2.".to_owned()]);
    scene.until_done(2).await;
    let expected = ["Prompt 1.", "Answer 1.", "Prompt 2.", "Answer 2."];
    assert_eq!(scene.transcript(SESSION).await, expected);
    scene.close().await;
}
