use std::env;
use std::hash::{BuildHasher as _, RandomState};

use serde_json::json;
use toolwright::testing::{Gate, Reply};

use super::scene::Scene;
use super::session;

#[allow(dead_code, reason = "nothing else is decided by chance here")]
#[path = "../../fuzz/dice.rs"]
mod dice;

#[tokio::test]
async fn a_killed_worker_loses_nothing() {
    finishes(Load { workers: 3, sessions: 6, turns: 3, killed: 1 }).await;
}

/// `cargo test --all-features -p toolwright-tests --test it -- --ignored --nocapture fleet`
#[tokio::test]
#[ignore = "takes minutes"]
async fn eight_workers_finish_two_hundred_sessions() {
    finishes(Load { workers: 8, sessions: 200, turns: 3, killed: 2 }).await;
}

struct Load {
    workers: usize,
    sessions: usize,
    turns: usize,
    /// How many workers get SIGKILL, each in a part of the run that is as long as the others.
    killed: usize,
}

/// What decides who is killed and when. `FLEET_SEED` repeats a run.
fn dice() -> dice::Dice {
    let given = env::var("FLEET_SEED").ok().map(|seed| seed.parse().unwrap());
    let seed = given.unwrap_or_else(|| RandomState::new().hash_one(()));
    println!("FLEET_SEED={seed}");
    dice::Dice::new(seed)
}

/// Every turn is recorded once, and is in the transcript of its session once, in order.
async fn finishes(load: Load) {
    let Some(mut scene) = Scene::start().await else { return };
    let (add, gate) = (json!({"a": 2, "b": 40}), Gate::new());
    let add = Reply::new().call("mcp__tools__add", add).held_by(&gate);
    scene.model.when("Prompt", add).when_result("42", Reply::new().text("Answered."));
    for _ in 0..load.workers {
        scene.add_worker();
    }
    let prompts: Vec<_> = (1..=load.turns).map(|turn| format!("Prompt {turn}.")).collect();
    let sessions: Vec<_> = (0..load.sessions).map(session).collect();
    for session in &sessions {
        scene.submit(session, &prompts);
    }
    // Each has a turn, and those that live on end it.
    scene.all_are_at_work().await;
    gate.open();
    let (all, mut dice) = (load.sessions * load.turns, dice());
    let (part, mut alive) = (all / load.killed, (0..load.workers).collect::<Vec<_>>());
    for number in 0..load.killed {
        let turns = number * part + dice.roll(part);
        let worker = alive.swap_remove(dice.roll(alive.len()));
        println!("worker {worker} is killed after {turns} turns");
        scene.until_done(turns).await;
        scene.kill(worker).await;
    }
    scene.until_done(all).await;

    let turn = |prompt: &String| [prompt.clone(), "42".to_owned(), "Answered.".to_owned()];
    let expected: Vec<_> = prompts.iter().flat_map(turn).collect();
    for session in &sessions {
        assert_eq!(scene.transcript(session).await, expected, "{session}");
    }
    assert!(scene.count("count(DISTINCT worker)") >= load.workers - load.killed);
    scene.close().await;
}
