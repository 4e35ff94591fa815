use serde_json::{Value, json};

use super::*;

fn begun(uuids: &[&str]) -> Turns {
    let turns = Turns::default();
    for uuid in uuids {
        turns.begin((*uuid).to_owned(), Asker::Client);
    }
    turns
}

fn interrupt(turns: &Turns, still_queued: &[&str], cancelled: &[&str]) {
    let owned = |uuids: &[&str]| uuids.iter().map(|uuid| (*uuid).to_owned()).collect::<Vec<_>>();
    turns.interrupt(turns.sent(), &owned(still_queued), &owned(cancelled));
}

/// Where a message goes that whoever gets it reads at once.
#[derive(Debug, Default, PartialEq, Eq)]
struct Route {
    client: Option<Relevance>,
    turn: Option<u64>,
    ended: Vec<u64>,
}

impl Route {
    fn client(relevance: Relevance) -> Self {
        Self { client: Some(relevance), ..Self::default() }
    }

    fn turn(number: u64) -> Self {
        Self { turn: Some(number), ..Self::default() }
    }
}

fn route(turns: &Turns, message: Value) -> Route {
    let super::Route { client, turn, ended } = turns.read(&Message::parse(message.to_string()));
    Route { client: client.map(|topic| turns.judge(topic)), turn, ended }
}

fn read(turns: &Turns, message: Value) -> Relevance {
    let route = route(turns, message);
    assert!(route.turn.is_none() && route.ended.is_empty(), "{route:?}");
    route.client.unwrap()
}

fn says(turns: &Turns, uuid: Option<&str>) -> Relevance {
    read(turns, json!({"type": "assistant", "user_message_uuid": uuid}))
}

/// A result of a CLI that says which prompt it answers, or not even that.
fn ends(turns: &Turns, uuid: Option<&str>) -> Relevance {
    read(turns, json!({"type": "result", "user_message_uuid": uuid}))
}

fn answers(turns: &Turns, uuids: &[&str]) -> Relevance {
    let result =
        json!({"type": "result", "user_message_uuid": uuids[0], "user_message_uuids": uuids});
    read(turns, result)
}

fn news(turns: &Turns, uuid: &str, state: &str) -> Relevance {
    read(turns, json!({"type": "command_lifecycle", "command_uuid": uuid, "state": state}))
}

#[test]
fn queued_turns_end_one_by_one() {
    let turns = begun(&["a", "b"]);
    assert_eq!(says(&turns, None), Relevance::Current);
    assert_eq!(ends(&turns, Some("a")), Relevance::Last);
    assert_eq!(ends(&turns, None), Relevance::Last);
}

#[test]
fn an_interrupted_turn_is_stale_once_another_is_begun() {
    let turns = begun(&["a"]);
    interrupt(&turns, &[], &[]);
    assert_eq!(says(&turns, Some("a")), Relevance::Current, "its own end may still be read");
    turns.begin("b".into(), Asker::Client);
    assert_eq!(says(&turns, Some("a")), Relevance::Stale);
    assert_eq!(says(&turns, None), Relevance::Stale);
    assert_eq!(says(&turns, Some("b")), Relevance::Current);
    assert_eq!(ends(&turns, None), Relevance::Stale);
    assert_eq!(says(&turns, None), Relevance::Current);
    assert_eq!(ends(&turns, Some("b")), Relevance::Last);
}

#[test]
fn a_turn_that_stays_in_the_queue_is_not_interrupted() {
    let turns = begun(&["a", "b"]);
    interrupt(&turns, &["b"], &[]);
    turns.begin("c".into(), Asker::Client);
    assert_eq!(ends(&turns, Some("a")), Relevance::Stale);
    assert_eq!(ends(&turns, Some("b")), Relevance::Last);
    assert_eq!(ends(&turns, Some("c")), Relevance::Last);
}

#[test]
fn what_was_taken_out_of_the_queue_has_no_turn() {
    let turns = begun(&["a", "b", "c"]);
    interrupt(&turns, &["c"], &["b"]);
    assert_eq!(ends(&turns, None), Relevance::Last);
    assert_eq!(says(&turns, None), Relevance::Current);
    assert_eq!(ends(&turns, Some("c")), Relevance::Last);
}

#[test]
fn a_turn_of_the_cli_s_own_ends_none_of_ours() {
    let turns = begun(&["a"]);
    assert_eq!(read(&turns, json!({"type": "result", "resume_reason": "x"})), Relevance::Current);
    assert_eq!(ends(&turns, Some("a")), Relevance::Last);
}

#[test]
fn a_result_ends_what_it_names_and_what_has_started() {
    for starts in [false, true] {
        // The list has at most 64 entries, so it may name fewer than have started.
        let named = if starts { &["a"][..] } else { &["a", "b", "c"] };
        let turns = begun(&["a", "b", "c", "d"]);
        for uuid in ["a", "b", "c"].into_iter().filter(|_| starts) {
            assert_eq!(news(&turns, uuid, "queued"), Relevance::Current);
            assert_eq!(news(&turns, uuid, "started"), Relevance::Current);
        }
        assert_eq!(answers(&turns, named), Relevance::Last);
        assert!(turns.skip_empty() && turns.skip_empty() && !turns.skip_empty());
        assert_eq!(ends(&turns, Some("d")), Relevance::Last);
        assert!(!turns.skip_empty());
    }
}

#[test]
fn a_prompt_may_overtake_others() {
    let turns = begun(&["a", "later", "b"]);
    assert_eq!(answers(&turns, &["a"]), Relevance::Last);
    assert_eq!(answers(&turns, &["b"]), Relevance::Last);
    assert!(!turns.skip_empty());
    assert_eq!(answers(&turns, &["later"]), Relevance::Last);
}

#[test]
fn the_last_news_of_a_turn_is_not_the_next_turns() {
    let turns = begun(&["a", "b"]);
    assert_eq!(answers(&turns, &["a"]), Relevance::Last);
    for state in ["completed", "cancelled", "discarded", "refused"] {
        assert_eq!(news(&turns, "a", state), Relevance::Stale);
    }
    assert_eq!(news(&turns, "b", "started"), Relevance::Current);
    assert_eq!(news(&turns, "unknown", "queued"), Relevance::Current);
}

#[test]
fn news_that_a_turn_has_taken_a_prompt_up_do_not_end_it() {
    let turns = begun(&["a", "b"]);
    for (uuid, state) in [("a", "started"), ("b", "started"), ("b", "completed")] {
        assert_eq!(news(&turns, uuid, state), Relevance::Current);
    }
    assert_eq!(answers(&turns, &["a", "b"]), Relevance::Last);
    assert!(turns.skip_empty());

    // The turn that took it up was of the CLI's own.
    turns.begin("c".into(), Asker::Client);
    assert_eq!(news(&turns, "c", "started"), Relevance::Current);
    assert_eq!(news(&turns, "c", "completed"), Relevance::Current);
    assert_eq!(read(&turns, json!({"type": "result", "resume_reason": "x"})), Relevance::Last);
    assert!(!turns.skip_empty());
}

#[test]
fn a_prompt_that_is_withdrawn_has_an_empty_turn() {
    let turns = begun(&["a", "b"]);
    assert_eq!(news(&turns, "b", "cancelled"), Relevance::Current);
    assert!(!turns.skip_empty(), "the turn of the other comes first");
    assert_eq!(answers(&turns, &["a"]), Relevance::Last);
    assert!(turns.skip_empty());

    turns.begin("c".into(), Asker::Client);
    assert_eq!(news(&turns, "c", "cancelled"), Relevance::Last, "nothing else would end it");
    assert!(!turns.skip_empty());
}

#[test]
fn a_prompt_that_is_answered_although_it_was_taken_out_has_its_result() {
    let turns = begun(&["a", "b"]);
    interrupt(&turns, &[], &["b"]);
    assert_eq!(answers(&turns, &["a"]), Relevance::Last);
    assert_eq!(answers(&turns, &["b"]), Relevance::Last);
}

#[test]
fn an_interrupt_does_not_concern_what_is_sent_after_it() {
    let turns = begun(&["a"]);
    let sent = turns.sent();
    turns.begin("b".into(), Asker::Client);
    turns.interrupt(sent, &[], &[]);
    assert_eq!(ends(&turns, Some("a")), Relevance::Stale, "another was sent behind the interrupt");
    turns.begin("c".into(), Asker::Client);
    assert_eq!(ends(&turns, Some("b")), Relevance::Last);
    assert_eq!(ends(&turns, Some("c")), Relevance::Last);
}

#[test]
fn an_interrupt_before_the_first_turn_hits_the_first_prompt() {
    let turns = begun(&["a", "b"]);
    interrupt(&turns, &["a", "b"], &[]);
    turns.begin("c".into(), Asker::Client);
    assert_eq!(news(&turns, "a", "started"), Relevance::Stale);
    assert_eq!(answers(&turns, &["a"]), Relevance::Stale);
    assert_eq!(answers(&turns, &["b"]), Relevance::Last);
    interrupt(&turns, &["c"], &[]);
    turns.begin("d".into(), Asker::Client);
    assert_eq!(answers(&turns, &["c"]), Relevance::Last);
}

#[test]
fn what_an_interrupted_turn_left_open_hides_nothing_of_the_next_that_starts() {
    let starts = [
        json!({"type": "command_lifecycle", "command_uuid": "c", "state": "started"}),
        json!({"type": "system", "subtype": "init", "user_message_uuids": ["c"]}),
    ];
    for start in starts {
        let turns = begun(&["a", "b"]);
        // A CLI that does not say that it has answered both.
        assert_eq!(ends(&turns, Some("a")), Relevance::Last);
        interrupt(&turns, &[], &[]);
        turns.begin("c".into(), Asker::Client);
        assert_eq!(read(&turns, start), Relevance::Current);
        assert_eq!(says(&turns, None), Relevance::Current);
        assert_eq!(ends(&turns, Some("c")), Relevance::Last);
    }
}

#[test]
fn empty_turns_are_forgotten_after_an_interrupt() {
    let turns = begun(&["a", "b"]);
    assert_eq!(answers(&turns, &["a", "b"]), Relevance::Last);
    interrupt(&turns, &[], &[]);
    turns.begin("c".into(), Asker::Client);
    assert!(!turns.skip_empty());
    assert_eq!(answers(&turns, &["c"]), Relevance::Last);
}

#[test]
fn what_was_taken_out_of_the_queue_hides_nothing_that_was_sent_behind_the_interrupt() {
    let turns = begun(&["a", "b"]);
    turns.interrupt(1, &[], &["a".to_owned()]);
    assert_eq!(says(&turns, None), Relevance::Current);
    assert_eq!(ends(&turns, None), Relevance::Last);
}

#[test]
fn a_turn_that_runs_and_was_interrupted_is_stale_too() {
    let turns = begun(&["a"]);
    assert_eq!(news(&turns, "a", "started"), Relevance::Current);
    interrupt(&turns, &[], &[]);
    turns.begin("b".into(), Asker::Client);
    assert_eq!(says(&turns, None), Relevance::Stale);
}

#[test]
fn empty_turns_are_found_behind_one_that_was_interrupted_and_may_be_forgotten() {
    for forgets in [false, true] {
        let turns = begun(&["a"]);
        interrupt(&turns, &[], &[]);
        for uuid in ["b", "c"] {
            turns.begin(uuid.to_owned(), Asker::Client);
        }
        assert_eq!(answers(&turns, &["b", "c"]), Relevance::Last);
        if forgets {
            turns.forget_empty();
        }
        assert_eq!(turns.skip_empty(), !forgets);
    }
}

#[test]
fn a_prompt_that_is_put_back_into_the_queue_has_a_turn_of_its_own() {
    let turns = begun(&["a", "b"]);
    for (uuid, state) in [("a", "started"), ("b", "started"), ("b", "queued")] {
        assert_eq!(news(&turns, uuid, state), Relevance::Current);
    }
    assert_eq!(answers(&turns, &["a"]), Relevance::Last);
    assert!(!turns.skip_empty());
    assert_eq!(answers(&turns, &["b"]), Relevance::Last);
}

#[test]
fn of_each_reader_the_last_waker_is_kept() {
    struct Sleeper;

    impl std::task::Wake for Sleeper {
        fn wake(self: Arc<Self>) {}
    }

    let waiting = Waiting::default();
    let wakers = [(); 2].map(|()| Arc::new(Sleeper));
    for (reader, waker) in [(None, 0), (Some(1), 0), (None, 1)] {
        waiting.add(reader, wakers[waker].clone().into());
    }
    assert_eq!(wakers.each_ref().map(Arc::strong_count), [2, 2]);
    waiting.wake_all();
    assert_eq!(wakers.each_ref().map(Arc::strong_count), [1, 1]);
}

mod asked;
mod random;
