//! Any batches in any order: every request gets one answer, in the array of its batch.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::batches::{batch, cancel, ping, slow, world};

/// A message of a random batch.
#[derive(Debug, Clone, Copy)]
enum Element {
    Ping,
    Slow,
    Cancel,
    Note,
    NoMessage,
}

#[derive(Debug, Clone)]
enum Op {
    Batch(Vec<(Element, &'static str)>),
    Single(Element, &'static str),
    Finish(&'static str),
    TimeOut(&'static str),
}

const IDS: [&str; 5] = ["0", "1", r#""1""#, "1.0", "12345678901234567890123"];

/// Predicts the lines that answer, each as the ids of its answers; `-` is an answer without an id.
#[derive(Default)]
struct Model {
    /// The calls that wait, each with its batch.
    open: BTreeMap<&'static str, Option<usize>>,
    /// The answers of each batch that wait, and the calls that it waits for.
    batches: BTreeMap<usize, (Vec<&'static str>, BTreeSet<&'static str>)>,
    count: usize,
    lines: Vec<Vec<&'static str>>,
}

impl Model {
    fn step(&mut self, op: &Op) -> (String, Vec<Vec<&'static str>>) {
        self.count += 1;
        let step = match op {
            Op::Single(element, id) => {
                self.element(*element, id, None);
                match element {
                    Element::NoMessage => "1".to_owned(),
                    element => text(*element, id),
                }
            }
            Op::Batch(elements) => {
                self.batches.insert(self.count, Default::default());
                for (element, id) in elements {
                    self.element(*element, id, Some(self.count));
                }
                let now = self.count;
                self.settle(now, true);
                let texts: Vec<_> =
                    elements.iter().map(|(element, id)| text(*element, id)).collect();
                batch(&texts)
            }
            Op::Finish(id) => {
                self.end(id, true);
                format!("finish {id}")
            }
            Op::TimeOut(id) => {
                self.end(id, true);
                format!("time out {id}")
            }
        };
        (step, std::mem::take(&mut self.lines))
    }

    fn element(&mut self, element: Element, id: &'static str, of: Option<usize>) {
        match element {
            Element::Slow if !self.open.contains_key(id) => {
                self.open.insert(id, of);
                if let Some(batch) = of.and_then(|of| self.batches.get_mut(&of)) {
                    batch.1.insert(id);
                }
            }
            Element::Slow | Element::Ping => self.answer(id, of),
            Element::NoMessage if of.is_some() => self.answer("-", of),
            Element::Cancel => self.end(id, false),
            Element::Note | Element::NoMessage => {}
        }
    }

    fn answer(&mut self, id: &'static str, of: Option<usize>) {
        match of.and_then(|of| self.batches.get_mut(&of)) {
            Some(batch) => batch.0.push(id),
            None => self.lines.push(vec![id]),
        }
    }

    fn end(&mut self, id: &'static str, is_answered: bool) {
        let Some(of) = self.open.remove(id) else { return };
        if is_answered {
            self.answer(id, of);
        }
        if let Some(of) = of {
            self.batches.get_mut(&of).unwrap().1.remove(id);
            let is_taken = of != self.count || is_answered;
            self.settle(of, is_taken);
        }
    }

    fn settle(&mut self, of: usize, is_taken: bool) {
        let waits = self.batches.get(&of).is_some_and(|batch| !batch.1.is_empty());
        if is_taken
            && !waits
            && let Some((answers, _)) = self.batches.remove(&of)
        {
            self.lines.extend(Some(answers).filter(|answers| !answers.is_empty()));
        }
    }
}

fn text(element: Element, id: &str) -> String {
    match element {
        Element::Ping => ping(id),
        Element::Slow => slow(id),
        Element::Cancel => cancel(id),
        Element::Note => r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
        Element::NoMessage => "1".to_owned(),
    }
}

/// The ids of the answers on a line.
fn answered(line: &str) -> Vec<String> {
    let answers: Vec<&serde_json::value::RawValue> =
        serde_json::from_str(line).unwrap_or_else(|_| vec![serde_json::from_str(line).unwrap()]);
    let id = |answer: &&serde_json::value::RawValue| {
        let id = crate::scan::member(answer.get(), "id");
        id.unwrap_or("-").to_owned()
    };
    answers.iter().map(id).collect()
}

fn op() -> impl Strategy<Value = Op> {
    let element = || {
        let kinds = [
            Element::Ping,
            Element::Slow,
            Element::Slow,
            Element::Cancel,
            Element::Note,
            Element::NoMessage,
        ];
        (prop::sample::select(kinds.to_vec()), prop::sample::select(&IDS[..]))
    };
    let id = || prop::sample::select(&IDS[..]);
    prop_oneof![
        4 => prop::collection::vec(element(), 1..6).prop_map(Op::Batch),
        3 => element().prop_map(|(element, id)| Op::Single(element, id)),
        3 => id().prop_map(Op::Finish),
        1 => id().prop_map(Op::TimeOut),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_request_has_one_answer_in_batches_too(script in prop::collection::vec(op(), 1..40)) {
        let (mut world, mut model) = (world(), Model::default());
        let mut played = Vec::new();
        for op in script {
            let (step, expected) = model.step(&op);
            let lines = world.step(&step);
            played.push(step);
            let lines: Vec<_> = lines.iter().map(|line| answered(line)).collect();
            prop_assert_eq!(lines, expected, "after {:#?}", played);
        }
        world.close();
        let lines = world.judged();
        let mut closed: Vec<_> = lines.iter().flat_map(|line| answered(line)).collect();
        let waiting = model.batches.values().flat_map(|batch| batch.0.clone());
        let mut expected: Vec<_> = model.open.keys().copied().chain(waiting).collect();
        closed.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!(closed, expected, "closing after {:#?}", played);
        prop_assert_eq!((world.ledger.open(), world.running()), (vec![], 0));
    }
}
