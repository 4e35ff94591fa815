//! Any messages in any order: every request gets one answer, unless it was cancelled.

use std::collections::HashMap;

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::harness::World;

const IDS: [&str; 5] = ["0", "1", r#""1""#, r#""\u0061""#, "12345678901234567890123"];

/// Requests that are answered at once, with a result or an error.
const QUICK: [&str; 12] = [
    r#"legacy ID tools/call {"name":"add","arguments":{"a":1,"b":2}}"#,
    r#"modern ID tools/call {"name":"squares","arguments":{"n":2}}"#,
    r#"legacy ID tools/call {"name":"fall","arguments":{"how":"quietly"}}"#,
    r#"legacy ID tools/call {"name":"trap","arguments":{"bait":1}}"#,
    r#"modern ID tools/call {"name":"add","arguments":{"a":"x"}}"#,
    r#"legacy ID tools/call {"name":"add","arguments":{"a":tru}}"#,
    r#"legacy ID tools/call {"name":"no such"}"#,
    r#"modern ID tools/call {}"#,
    "legacy ID ping",
    "modern ID ping",
    "legacy ID tools/list",
    "modern ID server/discover",
];
/// Calls that wait; one of them sends a message first.
const SLOW: [&str; 2] = [
    r#"legacy ID tools/call {"name":"speak","arguments":{"wait":true,"progress":[0.5,0.25]},"_meta":{"progressToken":ID}}"#,
    r#"modern ID tools/call {"name":"speak","arguments":{"wait":true}}"#,
];
/// Lines that are not requests, with an id for the error response.
const BROKEN: [&str; 6] = [
    r#"{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"#,
    r#"{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"add"}}}"#,
    r#"{"jsonrpc":"2.0","id":ID,"method":"ping","params":[]}"#,
    r#"{"id":ID,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":ID,"method":7}"#,
    r#"{"jsonrpc":"2.0","method":"ping","id":ID,}"#,
];
/// Lines without an answer.
const MUTE: [&str; 8] = [
    "no JSON",
    r#"[{"jsonrpc":"2.0","id":ID,"method":"ping"}]"#,
    r#"{"jsonrpc":"2.0","id":ID,"result":{}}"#,
    r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":ID"#,
    r#"note tools/call {"name":"add","arguments":{"a":1,"b":2}}"#,
    r#"note notifications/cancelled {"requestId":[ID]}"#,
    "speak",
];
const LISTEN: &str = r#"modern ID subscriptions/listen {"notifications":{}}"#;
const CANCEL: &str = r#"note notifications/cancelled {"requestId":ID}"#;

#[derive(Debug, Clone, Copy)]
enum Op {
    Quick(usize),
    Slow(usize),
    Listen,
    Broken(usize),
    Mute(usize),
    Cancel,
    Finish,
    Hold,
    Deliver,
    TimeOut,
}

/// The kind of an open request, and its number among all of them.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Open {
    Running(usize),
    Held(usize),
    Subscription(usize),
}

/// Predicts which ids are answered, from the rules alone.
#[derive(Default)]
struct Model {
    open: HashMap<&'static str, Open>,
    held: Vec<(&'static str, usize)>,
    count: usize,
}

impl Model {
    /// The step to play, and the ids that it must answer, in their order.
    fn step(&mut self, op: Op, id: &'static str) -> (String, Vec<&'static str>) {
        self.count += 1;
        let open = self.open.get(id).copied();
        let (step, answered) = match (op, open) {
            (Op::Quick(which), _) => (QUICK[which], vec![id]),
            (Op::Slow(which), Some(_)) => (SLOW[which], vec![id]),
            (Op::Listen, Some(_)) => (LISTEN, vec![id]),
            (Op::Slow(which), None) => {
                self.open.insert(id, Open::Running(self.count));
                (SLOW[which], vec![])
            }
            (Op::Listen, None) => {
                self.open.insert(id, Open::Subscription(self.count));
                (LISTEN, vec![])
            }
            (Op::Broken(which), _) => (BROKEN[which], vec![id]),
            (Op::Mute(which), _) => (MUTE[which], vec![]),
            (Op::Cancel, _) => {
                self.open.remove(id);
                (CANCEL, vec![])
            }
            (Op::Finish, Some(Open::Running(_))) => {
                self.open.remove(id);
                ("finish ID", vec![id])
            }
            (Op::Hold, Some(Open::Running(number))) => {
                self.open.insert(id, Open::Held(number));
                self.held.push((id, number));
                ("hold ID", vec![])
            }
            (Op::TimeOut, Some(Open::Running(_) | Open::Held(_))) => {
                self.open.remove(id);
                ("time out ID", vec![id])
            }
            (Op::Finish | Op::Hold | Op::TimeOut, _) => ("finish ID", vec![]),
            (Op::Deliver, _) => {
                let held = std::mem::take(&mut self.held).into_iter();
                let wanted =
                    held.filter(|(id, number)| self.open.get(id) == Some(&Open::Held(*number)));
                let wanted: Vec<_> = wanted.map(|(id, _)| id).collect();
                self.open.retain(|id, _| !wanted.contains(id));
                ("deliver", wanted)
            }
        };
        (step.replace("ID", id), answered)
    }

    /// The ids that closing answers: calls, then subscriptions, each the oldest first.
    fn close(&mut self) -> Vec<&'static str> {
        let mut open: Vec<_> = self.open.drain().collect();
        open.sort_by_key(|(_, open)| match open {
            Open::Running(number) | Open::Held(number) => (0, *number),
            Open::Subscription(number) => (1, *number),
        });
        open.into_iter().map(|(id, _)| id).collect()
    }
}

/// The ids of the answers among `lines`.
fn answered(lines: &[String]) -> Vec<String> {
    #[derive(Deserialize)]
    struct Answer<'a> {
        #[serde(borrow)]
        id: Option<&'a RawValue>,
    }
    let ids = lines.iter().map(|line| serde_json::from_str::<Answer<'_>>(line).unwrap());
    ids.filter_map(|answer| Some(answer.id?.get().to_owned())).collect()
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => (0..QUICK.len()).prop_map(Op::Quick),
        4 => (0..SLOW.len()).prop_map(Op::Slow),
        1 => Just(Op::Listen),
        1 => (0..BROKEN.len()).prop_map(Op::Broken),
        2 => (0..MUTE.len()).prop_map(Op::Mute),
        2 => Just(Op::Cancel),
        2 => Just(Op::Finish),
        2 => Just(Op::Hold),
        1 => Just(Op::Deliver),
        1 => Just(Op::TimeOut),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_request_has_one_answer(script in prop::collection::vec((op(), prop::sample::select(&IDS[..])), 1..60)) {
        let (mut world, mut model) = (World::new(), Model::default());
        let mut played = Vec::new();
        for (op, id) in script {
            let (step, expected) = model.step(op, id);
            // The world checks every line, so progress after an answer fails here too.
            let lines = world.step(&step);
            played.push(step);
            prop_assert_eq!(answered(&lines), expected, "{:#?} after {:#?}", lines, played);
        }
        prop_assert_eq!(answered(&world.step("close")), model.close(), "closing after {:#?}", played);
        prop_assert_eq!(world.ledger.open(), [""; 0]);
        prop_assert_eq!(world.running(), 0);
        for step in ["deliver", "speak"].into_iter().map(str::to_owned).chain(IDS.map(|id| format!("finish {id}"))) {
            prop_assert_eq!(world.step(&step), [""; 0]);
        }
    }
}
