use std::sync::Arc;

use super::keeper::{InMemory, Keeper};
use super::log::Log;

fn kept(keeper: &InMemory, text: usize) -> String {
    tried(keeper, text).unwrap()
}

fn tried(keeper: &InMemory, text: usize) -> Option<String> {
    let log = Arc::new(Log::new(1));
    log.settle("key", 1, &"x".repeat(text));
    log.end_round(0, std::iter::empty()).unwrap();
    keeper.keep(&log, 1, None)
}

#[test]
fn the_oldest_logs_are_forgotten_first() {
    let keeper = InMemory::default();
    let states: Vec<_> = (0..1_025).map(|_| kept(&keeper, 0)).collect();
    assert!(keeper.find(&states[0]).is_none());
    assert!(states[1..].iter().all(|state| keeper.find(state).is_some()));
    // Logs of 16 MiB in all leave no room for others.
    let large: Vec<_> = (0..17).map(|_| kept(&keeper, 1024 * 1024)).collect();
    assert!(states.iter().all(|state| keeper.find(state).is_none()));
    let found = large.iter().filter(|state| keeper.find(state).is_some()).count();
    assert_eq!(found, 15);
}

#[test]
fn a_log_that_is_too_large_is_not_kept() {
    let keeper = InMemory::default();
    let state = kept(&keeper, 0);
    const MIB: usize = 1024 * 1024;
    assert!(tried(&keeper, 4 * MIB - 1024).is_some());
    assert!(tried(&keeper, 4 * MIB).is_none());
    assert!(keeper.find(&state).is_some(), "it takes no room from others");
}

#[test]
fn a_later_round_keeps_a_log_from_being_forgotten() {
    let keeper = InMemory::default();
    let first = kept(&keeper, 0);
    for _ in 0..500 {
        kept(&keeper, 0);
    }
    let (log, round) = keeper.find(&first).unwrap();
    let round = log.end_round(round, std::iter::empty()).unwrap();
    let second = keeper.keep(&log, round, Some(&first)).unwrap();
    for _ in 0..1_000 {
        kept(&keeper, 0);
    }
    let (found, round) = keeper.find(&second).unwrap();
    assert!(Arc::ptr_eq(&found, &log));
    assert_eq!(round, 2);
    assert!(keeper.find(&first).is_some(), "the answer to the first round may have been lost");
}

#[test]
fn only_states_that_were_made_are_found() {
    let keeper = InMemory::default();
    let state = kept(&keeper, 0);
    let (name, _) = state.split_once('.').unwrap();
    for wrong in
        [format!("{name}.2"), format!("{name}.0"), format!("{name}.01"), format!(" {state}")]
    {
        assert!(keeper.find(&wrong).is_none(), "{wrong}");
    }
    assert!(keeper.find(&name.to_uppercase()).is_none());
    assert!(keeper.find("").is_none());
    assert!(kept(&keeper, 0)[..32] != *name);
}
