//! `Session::receive` against serde_json: what it accepts, what it answers, and how often.

mod ledger;
mod lines;
mod oracle;
mod parts;
mod registry;
mod rules;
mod said;
mod shapes;
mod world;

mod answers;
mod batches;
mod kept;
mod lies;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

pub(crate) use self::lines::Lines;
pub(crate) use self::registry::registry;
use self::world::World;
use crate::rss::Tenths;
use crate::setting;

/// A session lives for so many lines. Then it is closed, which answers what is open.
const LIFE: u64 = 2_000;
/// So many faults of one thread are described.
const MOST: usize = 10;

/// Sends random lines; returns the faults.
fn fuzz(seed: u64, count: u64, sent: &AtomicU64) -> Vec<String> {
    let mut lines = Lines::new(seed);
    let mut faults = Vec::new();
    let mut world = World::new();
    for number in 0..count {
        lines.advance();
        let checked = catch_unwind(AssertUnwindSafe(|| world.line(lines.line())));
        let fault = match checked {
            Ok(Ok(())) if number % LIFE == LIFE - 1 || number == count - 1 => world.close(),
            Ok(checked) => checked,
            Err(_) => Err("a panic".to_owned()),
        };
        if let Err(fault) = fault {
            let line = lines.line().escape_ascii();
            faults.push(format!("{fault}\n    line {number} of seed {seed}: {line}"));
            if faults.len() >= MOST {
                break;
            }
            world = World::new();
        } else if number % LIFE == LIFE - 1 {
            world = World::new();
            sent.fetch_add(LIFE, Ordering::Relaxed);
        }
    }
    faults
}

fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_session_agrees_with_serde_json_about_random_lines() {
    assert_none(&fuzz(setting("FUZZ_SEED", 1), 20_000, &AtomicU64::new(0)));
}

/// `FUZZ_LINES` lines on `FUZZ_THREADS` threads, from `FUZZ_SEED` on.
#[test]
#[ignore = "it takes as long as one likes"]
fn the_session_agrees_with_serde_json_about_many_random_lines() {
    let (count, threads) = (setting("FUZZ_LINES", 10_000_000), setting("FUZZ_THREADS", 2));
    let (seed, share) = (setting("FUZZ_SEED", 1_000), count / threads);
    let (begin, sent, mut tenths) = (Instant::now(), AtomicU64::new(0), Tenths::default());
    let faults: Vec<String> = std::thread::scope(|scope| {
        let sent = &sent;
        let fuzz = |at| scope.spawn(move || fuzz(seed + at, share, sent));
        let runs: Vec<_> = (0..threads).map(fuzz).collect();
        for tenth in 1..=10 {
            while sent.load(Ordering::Relaxed) < count * tenth / 11
                && runs.iter().any(|run| !run.is_finished())
            {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            tenths.note();
        }
        runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
    });
    eprintln!("{} lines in {:?}", sent.load(Ordering::Relaxed), begin.elapsed());
    assert_none(&faults);
    tenths.assert_flat();
}
