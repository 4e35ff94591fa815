use std::path::PathBuf;

use futures_util::StreamExt as _;
use tokio::time::timeout;
use toolwright::testing::{Gate, Reply};

use super::SESSION;
use super::scene::{SILENCE, Scene};

/// By itself the queue would give it to another only after it has heard nothing for 30 s.
#[tokio::test]
async fn a_worker_that_is_told_to_end_gives_its_job_back() {
    let Some(mut scene) = Scene::start().await else { return };
    let gate = Gate::new();
    scene.model.reply(Reply::new().text("Too late.").held_by(&gate));
    scene.model.reply_ever_after(Reply::new().text("Answered."));
    let mut given_back = scene.queue.hear(super::GIVEN_BACK).await;
    scene.add_worker();
    scene.submit(SESSION, &["Prompt.".to_owned()]);
    scene.reached(&gate).await;
    scene.tell_to_end(0).await;
    timeout(SILENCE, given_back.next()).await.expect("the job is not given back").unwrap();
    assert_eq!(scene.kept(0, SESSION), Vec::<PathBuf>::new());
    scene.add_worker();
    scene.until_done(1).await;
    assert_eq!(scene.transcript(SESSION).await, ["Prompt.", "Answered."]);
    scene.close().await;
}
