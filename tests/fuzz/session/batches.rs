//! A batch is answered as its messages are one by one.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::Weak;
use std::task::{Context, Poll, Waker};

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwright::mcp::{Call, Host, Link, Outbox, Session, Speech, Started, Step};

use super::lines::Lines;
use super::registry::registry;
use crate::dice::Dice;

struct Nobody;

impl Link for Nobody {
    fn speak(&self, _: Speech<'_>) {}
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

/// What a session of 2025-03-26 answers to some lines, each answer by itself.
fn answers(lines: &[String]) -> Vec<String> {
    let mut session = Session::new(registry(), Host::Stdio, Weak::<Nobody>::new());
    assert!(session.assume("2025-03-26"));
    let mut out = Outbox::new();
    for line in lines {
        match session.receive(line.as_bytes(), &mut out) {
            Step::Call(call) => run(&mut session, call, &mut out),
            Step::Batch(batch) => {
                batch.calls.into_iter().for_each(|call| run(&mut session, call, &mut out));
            }
            _ => {}
        }
    }
    assert_eq!(session.running(), 0);
    let said = String::from_utf8(out.take(Vec::new())).unwrap();
    let each = |line: &str| match serde_json::from_str::<Vec<&RawValue>>(line) {
        Ok(array) => array.iter().map(|answer| answer.get().to_owned()).collect(),
        Err(_) => vec![line.to_owned()],
    };
    let mut answers: Vec<String> = said.lines().flat_map(each).collect();
    // Of a batch also what has no id is answered.
    answers.retain(|answer| serde_json::from_str::<Message<'_>>(answer).unwrap().id.is_some());
    answers.sort_unstable();
    answers
}

/// Runs a call to its end; one that waits times out.
fn run(session: &mut Session, call: Call<'_>, out: &mut Outbox) {
    match call.start() {
        Started::Run(mut run) => {
            match Pin::new(&mut run).poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(done) => session.finish(done, out),
                Poll::Pending => session.time_out(run.id(), out),
            }
        }
        Started::Done(done) => session.finish(done, out),
        started => panic!("{started:?}"),
    }
}

/// Random messages that can be part of a batch, each with an id of its own.
fn messages(lines: &mut Lines, count: usize) -> Vec<String> {
    const NOT: [&str; 5] =
        ["initialize", "modelcontextprotocol", "subscriptions", "discover", "cancelled"];
    let (mut messages, mut ids) = (Vec::new(), BTreeSet::new());
    while messages.len() < count {
        lines.advance();
        let Ok(line) = std::str::from_utf8(lines.line()) else { continue };
        let Ok(message) = serde_json::from_str::<Message<'_>>(line) else { continue };
        let is_object = line.trim_start().starts_with('{');
        let is_new = message.id.is_none_or(|id| ids.insert(id.get().to_owned()));
        if is_object && is_new && !NOT.iter().any(|not| line.contains(not)) {
            messages.push(line.trim().replace(['\n', '\r'], " "));
        }
    }
    messages
}

#[test]
fn a_random_batch_is_answered_as_its_messages_are() {
    let seed = crate::setting("FUZZ_SEED", 1);
    let (mut lines, mut dice) = (Lines::new(seed), Dice::new(seed));
    for _ in 0..2_000 {
        let messages = messages(&mut lines, 1 + dice.roll(8));
        let batch = format!("[{}]", messages.join(","));
        assert_eq!(answers(std::slice::from_ref(&batch)), answers(&messages), "{batch}");
    }
}
