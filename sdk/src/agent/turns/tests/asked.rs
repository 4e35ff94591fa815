//! Prompts whose answers are read by a `Turn`, or by nobody in particular.

use super::*;

fn asked(askers: &[Asker]) -> Turns {
    let turns = Turns::default();
    for (uuid, asker) in ["a", "b", "c"].into_iter().zip(askers) {
        turns.begin(uuid.to_owned(), *asker);
    }
    turns
}

fn init(uuids: &[&str]) -> Value {
    json!({"type": "system", "subtype": "init", "user_message_uuids": uuids})
}

fn of(uuid: &str, state: &str) -> Value {
    json!({"type": "command_lifecycle", "command_uuid": uuid, "state": state})
}

fn result(uuids: &[&str]) -> Value {
    json!({"type": "result", "user_message_uuid": uuids[0], "user_message_uuids": uuids})
}

/// A message that does not say what it is about.
fn any() -> Value {
    json!({"type": "user"})
}

fn ended(turns: &[u64]) -> Route {
    Route { ended: turns.to_vec(), ..Route::default() }
}

#[test]
fn each_turn_has_its_messages() {
    let turns = asked(&[Asker::Turn, Asker::Turn]);
    for (number, uuid) in [(0, "a"), (1, "b")] {
        for message in [of(uuid, "queued"), of(uuid, "started"), init(&[uuid]), any()] {
            assert_eq!(route(&turns, message), Route::turn(number));
        }
        assert_eq!(route(&turns, result(&[uuid])), ended(&[number]));
        assert_eq!(route(&turns, of(uuid, "completed")), Route::default());
    }
    assert!(!turns.client_waits());
}

#[test]
fn a_prompt_that_is_taken_up_has_its_news_and_the_result() {
    let turns = asked(&[Asker::Turn, Asker::Turn]);
    assert_eq!(route(&turns, init(&["a"])), Route::turn(0));
    assert_eq!(route(&turns, of("b", "started")), Route::turn(1));
    assert_eq!(route(&turns, any()), Route::turn(0), "the first one has the rest of the turn");
    assert_eq!(route(&turns, of("b", "completed")), Route::turn(1));
    assert_eq!(route(&turns, result(&["a", "b"])), ended(&[0, 1]));
}

#[test]
fn readers_of_both_kinds_get_the_result_of_a_turn_that_they_share() {
    for askers in [[Asker::Turn, Asker::Client], [Asker::Client, Asker::Turn]] {
        let turns = asked(&askers);
        let first = match askers[0] {
            Asker::Turn => Route::turn(0),
            _ => Route::client(Relevance::Current),
        };
        assert_eq!(route(&turns, init(&["a", "b"])), first);
        assert_eq!(route(&turns, any()), first);
        let number = u64::from(askers[0] == Asker::Client);
        let both = Route { client: Some(Relevance::Last), ..ended(&[number]) };
        assert_eq!(route(&turns, result(&["a", "b"])), both);
        assert!(!turns.skip_empty() && !turns.client_waits());
    }
}

#[test]
fn an_interrupted_turn_keeps_its_messages_whatever_is_sent_behind_it() {
    let turns = asked(&[Asker::Turn]);
    route(&turns, init(&["a"]));
    interrupt(&turns, &[], &[]);
    for asker in [Asker::Client, Asker::Turn] {
        turns.begin(format!("{asker:?}"), asker);
        assert_eq!(route(&turns, any()), Route::turn(0));
    }
    assert_eq!(route(&turns, result(&["a"])), ended(&[0]));
}

#[test]
fn a_turn_ends_without_a_result_when_its_prompt_is_taken_out() {
    let turns = asked(&[Asker::Turn, Asker::Turn, Asker::Turn]);
    assert_eq!(route(&turns, of("b", "cancelled")), Route::turn(1));
    interrupt(&turns, &[], &["c"]);
    assert_eq!([0, 1, 2].map(|number| turns.is_open(number)), [true, false, false]);
    assert_eq!(route(&turns, of("c", "cancelled")), Route::default());
}

#[test]
fn a_turn_by_itself_is_read_by_whoever_has_its_beginning() {
    let by_itself = || json!({"type": "result", "resume_reason": "x"});
    let turns = asked(&[]);
    assert_eq!(route(&turns, init(&[])), Route::client(Relevance::Current));
    assert!(turns.client_waits());
    turns.begin("a".into(), Asker::Turn);
    assert_eq!(route(&turns, any()), Route::client(Relevance::Current));
    assert_eq!(route(&turns, by_itself()), Route::client(Relevance::Last));
    assert!(!turns.client_waits());

    // With a prompt that waits, it comes before the turn of that.
    assert_eq!(route(&turns, init(&[])), Route::turn(0));
    assert_eq!(route(&turns, by_itself()), Route::turn(0));
    assert_eq!(route(&turns, result(&["a"])), ended(&[0]));
}

#[test]
fn a_turn_that_names_nothing_is_none_of_ours_if_the_cli_tells_what_starts() {
    let greets = json!({
        "type": "system", "subtype": "init", "user_message_uuids": [],
        "capabilities": ["msg_lifecycle_v1"],
    });
    let turns = asked(&[Asker::Turn]);
    for message in [greets.clone(), any(), json!({"type": "result"})] {
        assert_eq!(route(&turns, message), Route::turn(0));
    }
    assert_eq!(route(&turns, init(&["a"])), Route::turn(0));
    assert_eq!(route(&turns, result(&["a"])), ended(&[0]));

    let turns = asked(&[Asker::Client]);
    for message in [greets, any(), json!({"type": "result"}), init(&["a"])] {
        assert_eq!(route(&turns, message), Route::client(Relevance::Current));
    }
    // This one names it at its beginning alone.
    assert_eq!(route(&turns, json!({"type": "result"})), Route::client(Relevance::Last));
}

#[test]
fn a_turn_by_itself_goes_on_to_another_reader_when_the_first_is_withdrawn() {
    let turns = asked(&[Asker::Turn, Asker::Turn]);
    assert_eq!(route(&turns, init(&[])), Route::turn(0));
    assert_eq!(route(&turns, of("a", "cancelled")), Route::turn(0));
    assert_eq!(route(&turns, any()), Route::turn(1));
}

#[test]
fn what_a_handle_has_sent_is_nobodys_once_it_was_interrupted() {
    let turns = asked(&[Asker::Handle]);
    interrupt(&turns, &[], &[]);
    turns.begin("b".into(), Asker::Client);
    assert_eq!(route(&turns, result(&["a"])), Route::client(Relevance::Stale));
    assert_eq!(route(&turns, result(&["b"])), Route::client(Relevance::Last));

    let turns = asked(&[Asker::Handle]);
    interrupt(&turns, &[], &["a"]);
    assert!(!turns.is_open(0));
}

#[test]
fn what_a_handle_has_sent_is_the_clients_and_has_no_empty_turn() {
    let turns = asked(&[Asker::Handle]);
    assert!(turns.client_waits());
    assert_eq!(route(&turns, init(&["a"])), Route::client(Relevance::Current));
    assert_eq!(route(&turns, result(&["a"])), Route::client(Relevance::Last));
    assert!(!turns.client_waits());

    for first in [Asker::Turn, Asker::Client] {
        let turns = asked(&[first, Asker::Handle]);
        route(&turns, init(&["a"]));
        route(&turns, of("b", "started"));
        let last = route(&turns, result(&["a", "b"]));
        match first {
            Asker::Turn => assert_eq!(last, ended(&[0])),
            _ => assert_eq!(last, Route::client(Relevance::Last)),
        }
        assert!(!turns.skip_empty() && !turns.client_waits());
    }
}

#[test]
fn the_end_of_a_turn_by_itself_that_took_up_what_a_handle_has_sent_is_its_readers() {
    let turns = asked(&[Asker::Turn, Asker::Handle]);
    assert_eq!(route(&turns, init(&[])), Route::turn(0));
    let end = json!({"type": "result", "resume_reason": "x", "user_message_uuids": ["b"]});
    assert_eq!(route(&turns, end), Route::turn(0));
    assert!(!turns.client_waits() && turns.is_open(0));
}

#[test]
fn older_clis_answer_in_the_order_of_the_prompts() {
    let turns = asked(&[Asker::Turn, Asker::Turn]);
    for number in [0, 1] {
        assert_eq!(route(&turns, any()), Route::turn(number));
        assert_eq!(route(&turns, json!({"type": "result"})), ended(&[number]));
    }
}

#[test]
fn of_the_turns_that_were_read_only_so_many_are_remembered() {
    let turns = Turns::default();
    for number in 0..257 {
        turns.begin(number.to_string(), Asker::Turn);
        route(&turns, result(&[&number.to_string()]));
    }
    assert_eq!(route(&turns, of("0", "completed")), Route::client(Relevance::Stale));
    assert_eq!(route(&turns, of("1", "completed")), Route::default());
}
