use std::sync::Arc;

use super::given::{Answers, Given};
use super::keeper::{InMemory, Keeper};
use super::log::Log;
use super::talk::Talk;
use crate::mcp::places::Places;

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
fn no_client_can_compute_the_fingerprint_of_a_request() {
    let of = |keeper: &dyn Keeper, request: &str| keeper.fingerprint(("tools/call", request));
    let [one, other] = [(); 2].map(|()| InMemory::default());
    assert_eq!(of(&one, "a"), of(&one, "a"));
    assert_ne!(of(&one, "a"), of(&one, "b"));
    assert_ne!(of(&one, "a"), of(&other, "a"));
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

#[test]
fn a_log_that_has_grown_takes_the_place_of_others() {
    const MIB: usize = 1024 * 1024;
    let keeper = InMemory::default();
    let states: Vec<_> = (0..15).map(|_| kept(&keeper, MIB)).collect();
    assert!(states.iter().all(|state| keeper.find(state).is_some()));
    let last = &states[14];
    let (log, _) = keeper.find(last).unwrap();
    log.settle("other", 1, &"x".repeat(3 * MIB));
    // As at the end of a call that has asked before.
    Talk::new(Given { state: Some(last.as_str().into()), ..Given::default() }).close(&keeper);
    assert!(keeper.find(last).is_some() && keeper.find(&states[0]).is_none());
}

#[test]
fn a_round_that_is_played_again_takes_none_of_those_behind_it() {
    let log = Log::new(1);
    let end = |last| log.end_round(last, std::iter::empty());
    assert_eq!([end(0), end(1), end(0)], [Some(1), Some(2), Some(1)]);
    assert_eq!(log.rounds(), 2);
}

#[test]
fn the_answer_to_a_question_is_none_to_another_one_with_its_key() {
    let log = Log::new(1);
    log.settle("key", 1, "one");
    log.misfit("key", 1, 1, "too long".into());
    log.end_round(0, [("key", 2)].into_iter());
    assert!(log.has_asked("key", 2) && !log.has_asked("key", 1));
    assert_eq!((log.answer("key", 1), log.answer("key", 2)), (None, None));
    assert!(log.misfits("key", 2).is_empty());
}

#[test]
fn a_question_without_a_key_has_the_same_one_in_each_round() {
    let log = Log::new(1);
    let mut used = Places::default();
    assert_eq!(log.key("roots", 7, &used), "roots-1");
    let asked = [("roots-12", 7), ("roots-3", 7), ("roots-2", 8), ("roots-1-2", 7), ("roots-a", 7)];
    log.end_round(0, asked.into_iter());
    for key in ["roots-3", "roots-12", "roots-1", "roots-4"] {
        assert_eq!(log.key("roots", 7, &used), key);
        used.add(key.into());
    }
    assert_eq!(log.key("round", 7, &used), "round-1");
}

#[test]
fn an_answer_that_no_run_has_read_is_kept_for_its_question() {
    let log = Arc::new(Log::new(1));
    log.end_round(0, [("a", 1), ("b", 1), ("c", 1)].into_iter());
    log.settle("b", 1, "first");
    log.misfit("c", 1, 1, "too long".into());
    let answers = |text: &str| {
        let mut answers = Answers::default();
        ["a", "b", "c", "unasked"].into_iter().for_each(|key| answers.set(key.into(), text.into()));
        answers
    };
    log.keep_unread(1, &answers("second"));
    assert_eq!(log.answer("a", 1), Some(("second".into(), Some(1))));
    assert_eq!(log.answer("a", 2), None);
    assert_eq!(log.answer("b", 1), Some(("first".into(), None)));
    assert_eq!(log.answer("c", 1), None, "the run has read it");
    assert!(!log.has_asked("unasked", 1));
    log.keep_unread(2, &answers("third"));
    assert_eq!(log.answer("a", 1), Some(("second".into(), Some(1))));
    assert_eq!(log.answer("c", 1), Some(("third".into(), Some(2))));
    log.misfit("a", 1, 1, "too long".into());
    assert_eq!(log.answer("a", 1), None);
    // It counts for the bound of the log.
    log.keep_unread(3, &answers(&"x".repeat(4 * 1024 * 1024)));
    assert!(InMemory::default().keep(&log, 1, None).is_none());
}
