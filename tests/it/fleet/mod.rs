//! `examples/fleet`: sessions on a queue, with workers that are killed.

mod files;
mod scene;
mod queue;

use toolwright::testing::Reply;

use scene::Scene;

#[tokio::test]
async fn a_killed_worker_loses_nothing() {
    finishes(Load { workers: 3, sessions: 6, turns: 3, kill_after: &[4] }).await;
}

/// `cargo test --all-features -p toolwright-tests --test it -- --ignored --nocapture fleet`
#[tokio::test]
#[ignore = "takes minutes"]
async fn eight_workers_finish_two_hundred_sessions() {
    finishes(Load { workers: 8, sessions: 200, turns: 3, kill_after: &[97, 311] }).await;
}

struct Load {
    workers: usize,
    sessions: usize,
    turns: usize,
    /// After how many turns a worker is killed with SIGKILL.
    kill_after: &'static [usize],
}

/// Every turn is recorded once, and is in the transcript of its session once, in order.
async fn finishes(load: Load) {
    let Some(mut scene) = Scene::start().await else { return };
    scene.model.reply_ever_after(Reply::new().text("Answered."));
    for _ in 0..load.workers {
        scene.add_worker();
    }
    let prompts: Vec<_> = (1..=load.turns).map(|turn| format!("Prompt {turn}.")).collect();
    let sessions: Vec<_> =
        (0..load.sessions).map(|number| format!("00000000-0000-4000-8000-{number:012}")).collect();
    for session in &sessions {
        scene.submit(session, &prompts);
    }
    for (number, turns) in load.kill_after.iter().enumerate() {
        scene.until_done(*turns).await;
        scene.kill(number).await;
    }
    scene.until_done(load.sessions * load.turns).await;

    let expected: Vec<_> =
        prompts.iter().flat_map(|prompt| [prompt.clone(), "Answered.".to_owned()]).collect();
    for session in &sessions {
        assert_eq!(scene.transcript(session).await, expected, "{session}");
    }
    assert!(scene.workers_of_turns() > load.kill_after.len(), "one worker has done all");
    scene.close().await;
}
