//! Whatever is sent, interrupted and withdrawn, and however late it is read: every turn ends, every
//! result of a turn that still matters is read, and none of another.

use std::collections::{HashSet, VecDeque};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

#[derive(Debug, Clone, Copy)]
enum Step {
    Send { later: bool },
    Start,
    TakeUp,
    Say,
    End,
    Interrupt,
    Withdraw,
    Read,
}

/// A CLI, what it has said, and who reads it.
#[derive(Default)]
struct Play {
    turns: Turns,
    queue: Vec<(String, bool)>,
    /// The prompts of the turn that runs; how many of them began it.
    running: Option<(Vec<String>, usize)>,
    has_begun: bool,
    /// The first turn is to be interrupted as soon as it begins.
    is_doomed: bool,
    said: VecDeque<Value>,
    interrupted: HashSet<String>,
    /// Interrupted, and others were sent since.
    void: HashSet<String>,
    sent: usize,
    was_interrupted: bool,
    is_within: bool,
    loops: usize,
}

impl Play {
    fn step(&mut self, step: Step) {
        match step {
            Step::Send { later } => self.send(later),
            Step::Start => self.start(),
            Step::TakeUp => self.take_up(),
            Step::Say if self.running.is_some() => self.said.push_back(json!({"type": "user"})),
            Step::End => self.end("completed"),
            Step::Interrupt => self.interrupt(),
            Step::Withdraw if !self.queue.is_empty() => {
                let (uuid, _) = self.queue.remove(self.queue.len() / 2);
                self.news(&uuid, "cancelled");
            }
            Step::Read => drop(self.read()),
            Step::Say | Step::Withdraw => {}
        }
    }

    fn send(&mut self, later: bool) {
        let uuid = format!("prompt {}", self.sent);
        self.sent += 1;
        self.void.extend(self.interrupted.drain());
        self.turns.begin(uuid.clone());
        self.news(&uuid, "queued");
        self.queue.push((uuid, later));
    }

    fn start(&mut self) {
        let later = self.queue.iter().all(|(_, later)| *later);
        if self.running.is_none() && !self.queue.is_empty() {
            let (begin, wait) = self.queue.drain(..).partition(|(_, it)| *it == later);
            self.queue = wait;
            let begin: Vec<(String, bool)> = begin;
            let uuids: Vec<_> = begin.into_iter().map(|(uuid, _)| uuid).collect();
            uuids.iter().for_each(|uuid| self.news(uuid, "started"));
            let init = json!({"type": "system", "subtype": "init", "user_message_uuids": uuids});
            self.said.push_back(init);
            self.running = Some((uuids.clone(), uuids.len()));
            self.has_begun = true;
            if std::mem::take(&mut self.is_doomed) {
                self.end("cancelled");
            }
        }
    }

    fn take_up(&mut self) {
        if let Some((mut uuids, begun)) = self.running.take() {
            let (taken, wait) = self.queue.drain(..).partition(|(_, later)| !later);
            self.queue = wait;
            let taken: Vec<(String, bool)> = taken;
            taken.iter().for_each(|(uuid, _)| self.news(uuid, "started"));
            uuids.extend(taken.into_iter().map(|(uuid, _)| uuid));
            self.running = Some((uuids, begun));
        }
    }

    fn end(&mut self, state: &str) {
        let Some((uuids, begun)) = self.running.take() else { return };
        uuids[begun..].iter().for_each(|uuid| self.news(uuid, state));
        self.said.push_back(json!({
            "type": "result",
            "user_message_uuid": uuids[begun - 1],
            // The real list has at most 64.
            "user_message_uuids": uuids[..uuids.len().min(3)],
            "all": uuids,
        }));
        uuids[..begun].iter().for_each(|uuid| self.news(uuid, state));
    }

    fn interrupt(&mut self) {
        let queued: Vec<_> = self.queue.iter().map(|(uuid, _)| uuid.clone()).collect();
        if !self.has_begun && self.queue.iter().any(|(_, later)| *later) {
            // Which prompt this hits cannot be told.
            return;
        }
        // Another interrupt does not take back the first.
        self.is_doomed |= !self.has_begun && queued.len() == self.sent && self.sent > 0;
        let stays =
            |uuid: &String| queued.contains(uuid) && !(self.is_doomed && uuid == "prompt 0");
        self.interrupted =
            (0..self.sent).map(|n| format!("prompt {n}")).filter(|uuid| !stays(uuid)).collect();
        self.was_interrupted = true;
        self.turns.interrupt(self.turns.sent(), &queued, &[]);
        self.end("cancelled");
    }

    fn news(&mut self, uuid: &str, state: &str) {
        let news = json!({"type": "command_lifecycle", "command_uuid": uuid, "state": state});
        self.said.push_back(news);
    }

    /// What `AgentClient::next_response` does. False if it would wait.
    fn read(&mut self) -> bool {
        if !self.is_within && self.turns.skip_empty() {
            self.loops += 1;
            return true;
        }
        while let Some(message) = self.said.pop_front() {
            let relevance = self.turns.read(&Message::parse(message.to_string()));
            if let Some(all) = message["all"].as_array() {
                let is_void = |uuid: &Value| self.void.contains(uuid.as_str().unwrap());
                match all.iter().all(is_void) {
                    true => assert_ne!(relevance, Relevance::Last, "{message}"),
                    false => assert_eq!(relevance, Relevance::Last, "{message}"),
                }
            }
            match relevance {
                Relevance::Stale => continue,
                Relevance::Current => self.is_within = true,
                Relevance::Last => {
                    self.is_within = false;
                    self.loops += 1;
                }
            }
            return true;
        }
        false
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => any::<bool>().prop_map(|later| Step::Send { later }),
        3 => Just(Step::Start),
        2 => Just(Step::TakeUp),
        1 => Just(Step::Say),
        3 => Just(Step::End),
        1 => Just(Step::Interrupt),
        1 => Just(Step::Withdraw),
        6 => Just(Step::Read),
    ];
    proptest::collection::vec(step, 0..40)
}

proptest! {
    #[test]
    fn every_turn_is_read_to_its_end(steps in steps()) {
        let mut play = Play::default();
        steps.into_iter().for_each(|step| play.step(step));
        while !play.queue.is_empty() || play.running.is_some() {
            play.start();
            play.end("completed");
        }
        while play.read() {}
        let open = &play.turns.prompts().open;
        prop_assert!(open.is_empty() && !play.is_within, "{open:?}");
        if !play.was_interrupted {
            prop_assert_eq!(play.loops, play.sent);
        }
    }
}
