//! A worker loses what it needs while it has a turn.
#![cfg(target_os = "linux")]

use toolwright::testing::{Gate, Reply};

use super::SESSION;
use super::scene::Scene;

#[tokio::test]
async fn a_worker_ends_when_the_queue_is_lost_and_its_turn_is_done_once() {
    ends_and_its_turn_is_done_once(|scene| scene.queue.kill(), |scene| scene.queue.restart()).await;
}

#[tokio::test]
async fn a_worker_ends_when_postgres_is_lost_and_its_turn_is_done_once() {
    let (kill, restart) =
        (|scene: &mut Scene| scene.postgres.kill(), |scene: &mut Scene| scene.postgres.restart());
    ends_and_its_turn_is_done_once(kill, restart).await;
}

async fn ends_and_its_turn_is_done_once(kill: fn(&mut Scene), restart: fn(&mut Scene)) {
    let Some(mut scene) = Scene::start().await else { return };
    let gate = Gate::new();
    scene.model.reply(Reply::new().text("Too late.").held_by(&gate));
    scene.model.reply_ever_after(Reply::new().text("Answered."));
    scene.add_worker();
    scene.submit(SESSION, &["Prompt.".to_owned()]);
    scene.reached(&gate).await;
    assert!(scene.processes(0).len() > 1, "there is no claude");
    kill(&mut scene);
    scene.until_ended(0).await;
    restart(&mut scene);
    scene.until_done(1).await;
    assert_eq!(scene.transcript(SESSION).await, ["Prompt.", "Answered."]);
    scene.close().await;
}

/// Whether the worker goes on or the queue was away for too long, the turn is done once.
#[tokio::test]
async fn a_turn_is_done_once_when_the_queue_is_away_for_a_moment() {
    let Some(mut scene) = Scene::start().await else { return };
    let gate = Gate::new();
    scene.model.reply(Reply::new().text("Answered.").held_by(&gate));
    scene.model.reply_ever_after(Reply::new().text("Answered."));
    scene.add_worker();
    let prompts = ["Prompt 1.".to_owned(), "Prompt 2.".to_owned()];
    scene.submit(SESSION, &prompts);
    scene.reached(&gate).await;
    scene.queue.kill();
    scene.queue.restart();
    scene.add_worker();
    gate.open();
    scene.until_done(2).await;
    let expected = ["Prompt 1.", "Answered.", "Prompt 2.", "Answered."];
    assert_eq!(scene.transcript(SESSION).await, expected);
}
