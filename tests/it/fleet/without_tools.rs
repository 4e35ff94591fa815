use futures_util::StreamExt as _;
use serde_json::json;
use tokio::time::timeout;
use toolwright::testing::Reply;

use super::SESSION;
use super::scene::{SILENCE, Scene};

/// The model would answer without them, and the turn would be done.
#[tokio::test]
async fn a_turn_fails_while_the_tools_are_away() {
    let Some(mut scene) = Scene::start().await else { return };
    let add = Reply::new().call("mcp__tools__add", json!({"a": 2, "b": 40}));
    scene.model.when("Prompt", add).when_result("42", Reply::new().text("Answered."));
    scene.model.when_result("No such tool", Reply::new().text("I have no tools."));
    scene.tools.kill();
    let mut given_back = scene.queue.hear(super::GIVEN_BACK).await;
    scene.add_worker();
    scene.submit(SESSION, &["Prompt.".to_owned()]);
    let said = timeout(SILENCE, given_back.next()).await;
    said.expect("the turn does not fail").unwrap();
    scene.tools.restart();
    scene.until_done(1).await;
    assert_eq!(scene.ask("SELECT answer FROM fleet_turns"), "Answered.");
    scene.close().await;
}
