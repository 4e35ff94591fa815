use super::*;

fn begun(uuids: &[&str]) -> Turns {
    let turns = Turns::default();
    uuids.iter().for_each(|uuid| turns.begin((*uuid).to_owned()));
    turns
}

#[test]
fn queued_turns_end_one_by_one() {
    let turns = begun(&["a", "b"]);
    assert_eq!(turns.message(None), Relevance::Current);
    assert_eq!(turns.result(Some("a"), false), Relevance::Last);
    assert_eq!(turns.result(None, false), Relevance::Last);
}

#[test]
fn an_interrupted_turn_is_stale_once_another_is_begun() {
    let turns = begun(&["a"]);
    turns.interrupt(&[], &[]);
    assert_eq!(turns.message(Some("a")), Relevance::Current, "its own end may still be read");
    turns.begin("b".into());
    assert_eq!(turns.message(Some("a")), Relevance::Stale);
    assert_eq!(turns.message(None), Relevance::Stale);
    assert_eq!(turns.message(Some("b")), Relevance::Current);
    assert_eq!(turns.result(None, false), Relevance::Stale);
    assert_eq!(turns.message(None), Relevance::Current);
    assert_eq!(turns.result(Some("b"), false), Relevance::Last);
}

#[test]
fn a_turn_that_stays_in_the_queue_is_not_interrupted() {
    let turns = begun(&["a", "b"]);
    turns.interrupt(&["b".into()], &[]);
    turns.begin("c".into());
    assert_eq!(turns.result(Some("a"), false), Relevance::Stale);
    assert_eq!(turns.result(Some("b"), false), Relevance::Last);
    assert_eq!(turns.result(Some("c"), false), Relevance::Last);
}

#[test]
fn what_was_taken_out_of_the_queue_has_no_turn() {
    let turns = begun(&["a", "b", "c"]);
    turns.interrupt(&["c".to_owned()], &["b".to_owned()]);
    assert_eq!(turns.result(None, false), Relevance::Last);
    assert_eq!(turns.message(None), Relevance::Current);
    assert_eq!(turns.result(Some("c"), false), Relevance::Last);
}

#[test]
fn a_turn_of_the_cli_s_own_ends_none_of_ours() {
    let turns = begun(&["a"]);
    assert_eq!(turns.result(None, true), Relevance::Current);
    assert_eq!(turns.result(Some("a"), false), Relevance::Last);
}
