use std::sync::Arc;

use super::super::options::StateKey;
use super::Sealed;
use crate::mcp::rounds::{Answers, Keeper, Log};

fn log() -> Arc<Log> {
    let log = Arc::new(Log::new(7));
    log.settle("to", 1, r#"{"action":"accept"}"#);
    *log.effect("label").try_lock().unwrap() = Some("42".into());
    log.end_round(0, [("to", 1)].into_iter()).unwrap();
    log
}

/// The same with an answer that no run has read.
fn with_unread() -> Arc<Log> {
    let begun = log();
    begun.end_round(0, [("late", 3)].into_iter()).unwrap();
    let mut answers = Answers::default();
    answers.set("late".into(), "{}".into());
    begun.keep_unread(1, &answers);
    begun
}

#[test]
fn another_replica_opens_a_state() {
    let [one, two] = [0; 2].map(|_| Sealed::new(&StateKey::new([1; 32])));
    let state = one.keep(&log(), 1, None).unwrap();
    let (found, round) = two.find(&state).unwrap();
    assert_eq!((found.request, found.rounds(), round), (7, 1, 1));
    assert_eq!(found.write(), log().write());
    // The replica that has sealed it continues with its own log.
    let (again, _) = one.find(&state).unwrap();
    assert!(Arc::ptr_eq(&again, &one.find(&state).unwrap().0));
}

#[test]
fn replicas_with_one_key_have_one_fingerprint_of_a_request() {
    let [one, two, other] = [1, 1, 2].map(|key| {
        let sealed = Sealed::new(&StateKey::new([key; 32]));
        (&sealed as &dyn Keeper).fingerprint("request")
    });
    assert_eq!(one, two);
    assert_ne!(one, other);
}

#[test]
fn a_log_that_has_moved_on_elsewhere_is_taken_as_it_is_there() {
    let [one, two] = [0; 2].map(|_| Sealed::new(&StateKey::new([1; 32])));
    let first = one.keep(&log(), 1, None).unwrap();
    let (elsewhere, round) = two.find(&first).unwrap();
    elsewhere.end_round(round, std::iter::empty()).unwrap();
    let second = two.keep(&elsewhere, 2, Some(&first)).unwrap();
    assert_eq!(one.find(&second).unwrap().0.rounds(), 2);
    // The result of the second round may get lost: the first one is repeated.
    let (seen, round) = one.find(&first).unwrap();
    assert_eq!((seen.rounds(), round), (2, 1));
}

#[test]
fn of_two_replicas_that_have_played_one_round_the_state_says_what_happened() {
    let [one, two] = [0; 2].map(|_| Sealed::new(&StateKey::new([1; 32])));
    let begun = Arc::new(Log::new(7));
    begun.end_round(0, [("to", 1)].into_iter()).unwrap();
    let first = one.keep(&begun, 1, None).unwrap();
    // The result of the second round is lost, and another replica plays it again.
    let second = |replica: &Sealed, label: &str| {
        let (log, round) = replica.find(&first).unwrap();
        *log.effect("label").try_lock().unwrap() = Some(label.into());
        log.end_round(round, std::iter::empty()).unwrap();
        replica.keep(&log, 2, Some(&first)).unwrap()
    };
    let states = [second(&one, "41"), second(&two, "42")];
    for replica in [&one, &two] {
        for (state, label) in states.iter().zip(["41", "42"]) {
            let (log, _) = replica.find(state).unwrap();
            assert_eq!(log.effect("label").try_lock().unwrap().as_deref(), Some(label));
        }
    }
}

#[test]
fn a_state_that_was_changed_or_is_old_or_of_another_key_is_refused() {
    let sealed = Sealed::new(&StateKey::new([1; 32]));
    let state = sealed.keep(&log(), 1, None).unwrap();
    for at in [0, 30, 40, state.len() - 1] {
        let mut changed = state.clone().into_bytes();
        changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
        assert!(sealed.find(std::str::from_utf8(&changed).unwrap()).is_none(), "{at}");
    }
    assert!(sealed.find(&format!("{state}-TAMPERED")).is_none());
    assert!(sealed.find(&state[..20]).is_none() && sealed.find("").is_none());
    assert!(Sealed::new(&StateKey::new([2; 32])).find(&state).is_none());
    let later = |clock| Sealed { clock, ..Sealed::new(&StateKey::new([1; 32])) };
    assert!(later(|| super::now() + 3_500).find(&state).is_some());
    assert!(later(|| super::now() + 3_700).find(&state).is_none());
}

#[test]
fn a_state_is_bounded() {
    let sealed = Sealed::new(&StateKey::new([1; 32]));
    let (kept, large) = (log(), log());
    let state = sealed.keep(&kept, 1, None).unwrap();
    for bytes in [1024 * 1024, 16 * 1024 * 1024] {
        large.settle("large", 2, &"x".repeat(bytes));
        assert!(sealed.keep(&large, 1, None).is_none());
    }
    // It takes no room from the logs of others.
    assert!(Arc::ptr_eq(&sealed.find(&state).unwrap().0, &kept));
}

#[test]
fn the_clocks_of_replicas_may_differ() {
    let sealed = Sealed::new(&StateKey::new([1; 32]));
    let state = sealed.keep(&log(), 1, None).unwrap();
    let behind = Sealed { clock: || super::now() - 1, ..Sealed::new(&StateKey::new([1; 32])) };
    assert!(behind.find(&state).is_some());
}

#[test]
fn an_answer_that_no_run_has_read_is_in_the_state() {
    let [one, two] = [0; 2].map(|_| Sealed::new(&StateKey::new([1; 32])));
    let state = one.keep(&with_unread(), 2, None).unwrap();
    let (found, _) = two.find(&state).unwrap();
    assert_eq!(found.answer("late", 3), Some(("{}".into(), Some(1))));
    // Of one that was read a state says no more than it has to.
    assert!(!log().write().unwrap().contains("unread"));
}

#[test]
fn an_effect_stays_when_a_run_has_read_an_answer_of_the_state_that_does_not_fit() {
    let sealed = Sealed::new(&StateKey::new([1; 32]));
    let state = sealed.keep(&with_unread(), 2, None).unwrap();
    let (found, _) = sealed.find(&state).unwrap();
    *found.effect("charge").try_lock().unwrap() = Some("1".into());
    // The results of the rounds that follow are lost.
    found.misfit("late", 3, 1, "too long".into());
    assert!(Arc::ptr_eq(&sealed.find(&state).unwrap().0, &found), "it asks again");
    found.settle("late", 3, r#"{"action":"accept"}"#);
    assert!(Arc::ptr_eq(&sealed.find(&state).unwrap().0, &found), "it has another answer");
}
