//! Whatever is sent, interrupted and withdrawn, and however late it is read: every turn ends, every
//! result of a turn that still matters is read, and none of another.

use std::collections::{HashMap, HashSet, VecDeque};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

#[derive(Debug, Clone, Copy)]
enum Step {
    Send {
        later: bool,
        asker: Asker,
    },
    Start,
    TakeUp,
    Say,
    End,
    Interrupt,
    Withdraw,
    /// A `Turn` is read.
    Pull,
    Read,
}

/// A CLI, what it has said, and who reads it.
#[derive(Default)]
struct Play {
    turns: Turns,
    askers: HashMap<String, Asker>,
    queue: Vec<(String, bool)>,
    /// The prompts of the turn that runs; how many of them began it.
    running: Option<(Vec<String>, usize)>,
    has_begun: bool,
    /// The first turn is to be interrupted as soon as it begins.
    is_doomed: bool,
    said: VecDeque<Value>,
    /// For the client, and it has not read it.
    pulled: VecDeque<(Value, Topic)>,
    /// What the client has read: its turns, and their messages.
    heard: Vec<Vec<Value>>,
    interrupted: HashSet<String>,
    /// Interrupted, and others were sent since.
    void: HashSet<String>,
    sent: usize,
    was_interrupted: bool,
    is_within: bool,
}

impl Play {
    fn step(&mut self, step: Step) {
        match step {
            Step::Send { later, asker } => self.send(later, asker),
            Step::Start => self.start(),
            Step::TakeUp => self.take_up(),
            Step::Say => {
                if let Some((uuids, _)) = &self.running {
                    self.said.push_back(json!({"type": "user", "all": uuids}));
                }
            }
            Step::End => self.end("completed"),
            Step::Interrupt => self.interrupt(),
            Step::Withdraw if !self.queue.is_empty() => {
                let (uuid, _) = self.queue.remove(self.queue.len() / 2);
                self.news(&uuid, "cancelled");
            }
            Step::Pull => drop(self.pull()),
            Step::Read => drop(self.read()),
            Step::Withdraw => {}
        }
    }

    fn send(&mut self, later: bool, asker: Asker) {
        let uuid = format!("prompt {}", self.sent);
        self.sent += 1;
        self.void.extend(self.interrupted.drain());
        self.turns.begin(uuid.clone(), asker);
        self.askers.insert(uuid.clone(), asker);
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
            self.heard.push(Vec::new());
            return true;
        }
        loop {
            let Some((message, topic)) = self.pulled.pop_front() else {
                match self.pull() {
                    true => continue,
                    false => break,
                }
            };
            let relevance = self.turns.judge(topic);
            self.check_client(&message, relevance);
            if relevance == Relevance::Stale {
                continue;
            }
            if !std::mem::replace(&mut self.is_within, relevance == Relevance::Current) {
                self.heard.push(Vec::new());
            }
            self.heard.last_mut().unwrap().push(message);
            return true;
        }
        // Where nothing is to come, a turn that the client has only heard of ends.
        let ends = self.is_within && !self.turns.client_waits();
        self.is_within &= !ends;
        ends
    }

    /// Takes a message for whoever reads it. False if there is none.
    fn pull(&mut self) -> bool {
        let Some(message) = self.said.pop_front() else { return false };
        let route = self.turns.read(&Message::parse(message.to_string()));
        let is_last_news = ["completed", "cancelled"].iter().any(|it| message["state"] == *it)
            && self.askers[message["command_uuid"].as_str().unwrap()] == Asker::Turn;
        assert!(is_last_news || route != super::super::Route::default(), "{message} is lost");
        self.check(&message, &route);
        self.pulled.extend(route.client.map(|topic| (message, topic)));
        true
    }
}

impl Play {
    /// Whether a message of a turn goes to whom it belongs.
    fn check(&self, message: &Value, route: &super::super::Route) {
        let Some(all) = message["all"].as_array() else { return };
        let all: Vec<_> = all.iter().map(|uuid| uuid.as_str().unwrap()).collect();
        let number = |uuid: &str| uuid["prompt ".len()..].parse::<u64>().unwrap();
        let turns = all.iter().filter(|uuid| self.askers[**uuid] == Asker::Turn);
        if message["type"] == "user" {
            if self.askers[all[0]] == Asker::Turn {
                assert_eq!(route.turn, Some(number(all[0])), "{message}");
                assert!(route.client.is_none() && route.ended.is_empty(), "{message}");
            }
            return;
        }
        let mut turns: Vec<_> = turns.map(|uuid| number(uuid)).collect();
        turns.sort_unstable();
        assert_eq!(route.ended, turns, "{message}");
        if all.iter().any(|uuid| self.askers[*uuid] == Asker::Client) {
            assert!(route.client.is_some(), "{message}");
        }
    }

    /// Whether the client takes the end of a turn that it has asked for as that, and no other.
    fn check_client(&self, message: &Value, relevance: Relevance) {
        let Some(all) = message["all"].as_array().filter(|_| message["type"] == "result") else {
            return;
        };
        let all: Vec<_> = all.iter().map(|uuid| uuid.as_str().unwrap()).collect();
        let mut clients = all.iter().filter(|uuid| self.askers[**uuid] == Asker::Client);
        let is_last = relevance == Relevance::Last;
        match clients.any(|uuid| !self.void.contains(*uuid)) {
            true => assert!(is_last, "{message}"),
            false if all.iter().any(|uuid| self.askers[*uuid] == Asker::Handle) => {}
            false => assert!(!is_last, "{message}"),
        }
    }
}

fn steps(askers: &'static [Asker]) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (any::<bool>(), prop::sample::select(askers))
            .prop_map(|(later, asker)| Step::Send { later, asker }),
        3 => Just(Step::Start),
        2 => Just(Step::TakeUp),
        1 => Just(Step::Say),
        3 => Just(Step::End),
        1 => Just(Step::Interrupt),
        1 => Just(Step::Withdraw),
        3 => Just(Step::Pull),
        6 => Just(Step::Read),
    ];
    proptest::collection::vec(step, 0..40)
}

proptest! {
    #[test]
    fn every_turn_is_read_to_its_end(steps in steps(&[Asker::Client])) {
        let play = played(steps);
        if !play.was_interrupted {
            prop_assert_eq!(play.heard.len(), play.sent);
        }
    }

    #[test]
    fn the_client_does_not_notice_what_others_have_pulled(steps in steps(&[Asker::Client])) {
        let is_pull = |step: &Step| matches!(step, Step::Pull);
        let others = steps.iter().filter(|step| !is_pull(step)).copied().collect();
        prop_assert_eq!(played(steps).heard, played(others).heard);
    }

    #[test]
    fn whoever_asks_gets_the_answer(
        steps in steps(&[Asker::Client, Asker::Handle, Asker::Turn, Asker::Turn])
    ) {
        played(steps);
    }
}

/// What remains after all was said and read.
fn played(steps: Vec<Step>) -> Play {
    let mut play = Play::default();
    steps.into_iter().for_each(|step| play.step(step));
    while !play.queue.is_empty() || play.running.is_some() {
        play.start();
        play.end("completed");
    }
    while play.read() {}
    assert!(!play.turns.client_waits() && !play.is_within);
    assert!(play.turns.prompts().open.is_empty(), "{:?}", play.turns);
    play
}
