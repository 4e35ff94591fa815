use serde_json::to_vec;
use toolwright::testing::Reply;
use toolwright_fleet::Job;

use super::SESSION;
use super::scene::Scene;

/// A worker that is killed after a turn and before it has recorded it leaves just this: the answer
/// is in the transcript, and the job is on the queue.
#[tokio::test]
async fn a_turn_that_was_only_not_recorded_is_not_run_again() {
    let Some(mut scene) = Scene::start().await else { return };
    scene.model.when("Prompt 1.", Reply::new().text("Answer 1."));
    scene.add_worker();
    let prompt = "Prompt 1.".to_owned();
    scene.submit(SESSION, std::slice::from_ref(&prompt));
    scene.until_done(1).await;
    let asked = scene.model.requests().len();
    let forget = "WITH forgotten AS (DELETE FROM fleet_turns RETURNING prompt_id)
        SELECT prompt_id FROM forgotten";
    let prompt_id = scene.ask(forget);
    let job = to_vec(&Job { session: SESSION.to_owned(), turn: 1, prompt_id, prompt }).unwrap();
    let queue = scene.queue.jetstream().await;
    queue.publish("fleet.jobs", job.into()).await.unwrap().await.unwrap();
    scene.until_done(1).await;
    assert_eq!(scene.model.requests().len(), asked, "the turn was run again");
    assert_eq!(scene.ask("SELECT answer FROM fleet_turns"), "Answer 1.");
    assert_eq!(scene.transcript(SESSION).await, ["Prompt 1.", "Answer 1."]);
    scene.close().await;
}
