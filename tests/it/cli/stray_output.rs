use serde_json::json;

use super::scene::Scene;
use super::{Era, in_both_eras};

in_both_eras!(stray_output_and_children_harm_nothing);

async fn stray_output_and_children_harm_nothing(era: Era) {
    let Some(scene) = Scene::open(era).await else { return };
    scene
        .call("println", json!({}))
        .call("run_cat", json!({}))
        .call("add", json!({"a": 2, "b": 40}))
        .say("Done.");
    let run = scene.ask("Make some noise, then add.").await;

    let results = scene.results();
    assert_eq!(results.len(), 3, "{results:?}");
    assert!(results.iter().all(|result| !result.is_error), "{results:?}");
    assert_eq!(results[2].text, "42");
    assert_eq!(run.result(), "Done.");
}
