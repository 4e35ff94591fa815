use async_nats::jetstream;
use serde_json::to_vec;
use toolwright_fleet::Job;

use super::SESSION;
use super::scene::Scene;

/// A worker that is killed after a turn and before it has recorded it leaves just this: the answer
/// is in the transcript, and the job is on the queue.
#[tokio::test]
async fn a_turn_that_was_only_not_recorded_is_not_run_again() {
    let Some(mut scene) = Scene::start().await else { return };
    scene.model.say("Answer 1.");
    scene.add_worker();
    let prompt = "Prompt 1.".to_owned();
    scene.submit(SESSION, std::slice::from_ref(&prompt));
    scene.until_done(1).await;
    let prompt_id = scene.ask("SELECT prompt_id FROM fleet_turns");
    scene.ask("DELETE FROM fleet_turns");
    let job = to_vec(&Job { session: SESSION.to_owned(), turn: 1, prompt_id, prompt }).unwrap();
    let queue = jetstream::new(scene.queue.client().await);
    queue.publish("fleet.jobs", job.into()).await.unwrap().await.unwrap();
    // The model would refuse to answer a second time.
    scene.until_done(1).await;
    assert_eq!(scene.ask("SELECT answer FROM fleet_turns"), "Answer 1.");
    assert_eq!(scene.transcript(SESSION).await, ["Prompt 1.", "Answer 1."]);
    scene.close().await;
}
