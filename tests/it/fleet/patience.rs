use toolwright::testing::{Gate, Reply};

use super::scene::Scene;
use super::{SESSION, session};

/// Many prompts wait for the first one of their session. A worker has time for others meanwhile.
#[tokio::test]
async fn a_long_session_does_not_hold_up_the_others() {
    let Some(mut scene) = Scene::start().await else { return };
    let gate = Gate::new();
    scene.model.when("Long", Reply::new().text("Answer.").held_by(&gate));
    scene.model.when("Short", Reply::new().text("Answer."));
    for _ in 0..2 {
        scene.add_worker();
    }
    let prompts: Vec<_> = (1..=4_000).map(|turn| format!("Long {turn}.")).collect();
    scene.submit(SESSION, &prompts);
    scene.reached(&gate).await;
    scene.submit(&session(1), &["Short.".to_owned()]);
    scene.until_done(1).await;
    assert_eq!(scene.ask("SELECT session FROM fleet_turns"), session(1));
    // Not to run the others.
    for worker in 0..2 {
        scene.kill(worker).await;
        // It writes to the folder that is deleted with the scene.
        #[cfg(target_os = "linux")]
        scene.until_gone(worker).await;
    }
}
