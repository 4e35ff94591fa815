use std::path::PathBuf;

use toolwright::testing::Reply;

use super::SESSION;
use super::scene::Scene;

/// The conversations of users would pile up on the machines of workers.
#[tokio::test]
async fn a_worker_keeps_nothing_of_a_session() {
    let Some(mut scene) = Scene::start().await else { return };
    scene.model.reply_ever_after(Reply::new().text("Answered."));
    scene.add_worker();
    scene.submit(SESSION, &["Prompt 1.".to_owned(), "Prompt 2.".to_owned()]);
    scene.until_done(2).await;
    assert_eq!(scene.kept(0, SESSION), Vec::<PathBuf>::new());
    scene.close().await;
}
