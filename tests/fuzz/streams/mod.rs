//! Sessions over HTTP whose streams are read, cut and resumed in any order, while their calls
//! report progress, ask, end, are cancelled, or lose their session: nothing is lost, said twice, or
//! said to another stream.

mod desk;
mod events;
mod post;
mod session;
mod world;
mod calls;
mod sessions;

use std::time::Instant;

use self::world::World;
use crate::rss::Tenths;
use crate::setting;

/// How many actions one service sees.
const ACTIONS: u64 = 2_000;

/// Does so many random things.
fn fuzz(seed: u64, count: u64, tenths: &mut Tenths) {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_time().start_paused(true).build().unwrap();
    let worlds = count.div_ceil(ACTIONS);
    for number in 0..worlds {
        let seed = seed + number;
        let mut log = Vec::new();
        let outcome = runtime.block_on(async {
            let mut world = World::new(seed);
            for _ in 0..ACTIONS {
                world.act(&mut log).await?;
            }
            world.close().await
        });
        if let Err(fault) = outcome {
            let last = log.len().saturating_sub(100);
            panic!("{fault}\n  seed {seed}, after:\n{}", log[last..].join("\n"));
        }
        if worlds >= 10 && (number + 1) % (worlds / 10) == 0 {
            tenths.note();
        }
    }
}

/// Else most of a run would be input of the one before it.
#[test]
fn the_runs_of_the_long_form_have_no_seed_in_common() {
    let script = include_str!("../long.sh");
    let row = script.lines().find(|line| line.starts_with("streams ")).unwrap();
    let actions: u64 = row.split_whitespace().nth(3).unwrap().parse().unwrap();
    let step = script.split("seed=$((seed + ").nth(1).and_then(|rest| rest.split(')').next());
    let step: u64 = step.unwrap().parse().unwrap();
    assert!(actions.div_ceil(ACTIONS) <= step, "{actions} actions, {step} seeds");
}

#[test]
fn random_streams_of_sessions_lose_nothing() {
    fuzz(setting("FUZZ_SEED", 1), 20_000, &mut Tenths::default());
}

/// `FUZZ_ACTIONS` actions, from `FUZZ_SEED` on.
#[test]
#[ignore = "it takes as long as one likes"]
fn many_random_streams_of_sessions_lose_nothing() {
    let (begin, count) = (Instant::now(), setting("FUZZ_ACTIONS", 1_000_000));
    let mut tenths = Tenths::default();
    fuzz(setting("FUZZ_SEED", 1_000), count, &mut tenths);
    eprintln!("{count} actions in {:?}", begin.elapsed());
    tenths.assert_flat();
}
