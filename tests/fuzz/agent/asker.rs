//! Asks a CLI what it answers with lies, while it says other things.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use tokio::sync::Semaphore;
use toolwright::agent::Handle;

use super::TOO_LONG;
use super::cli::Ledger;
use super::due::{Due, LATE};
use super::lines::Effect;
use super::plans::{ID, Plan};
use super::requests::{self, Ours, Outcome};
use crate::damage::damage;
use crate::dice::Dice;
use crate::lie::Truth;

/// So many requests are open together, at most.
const TOGETHER: usize = 6;
/// Another request of this kind waits until the first is answered, and the CLI answers none before
/// it has heard all.
const ALONE: &str = "mcp_set_servers";

pub(super) struct Asker {
    dice: Dice,
    all: Vec<(Ours, Truth)>,
    pub(super) asked: u64,
    pub(super) answered: u64,
}

/// The answer that says so.
pub(super) fn success(ours: &Ours) -> String {
    format!(
        r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"{ID}","response":{}}}}}"#,
        ours.answer
    )
}

/// The outcomes of requests that are sent in this order, all before the first is answered.
pub(super) async fn together(agent: &Handle, all: &[Ours]) -> Vec<Outcome> {
    let mut asked: Vec<_> = all.iter().map(|ours| ((ours.ask)(agent.clone()), None)).collect();
    let outcomes = poll_fn(|cx| {
        for (future, outcome) in asked.iter_mut().filter(|(_, outcome)| outcome.is_none()) {
            if let Poll::Ready(ready) = future.as_mut().poll(cx) {
                *outcome = Some(ready);
            }
        }
        match asked.iter().all(|(_, outcome)| outcome.is_some()) {
            true => {
                Poll::Ready(asked.iter_mut().filter_map(|(_, outcome)| outcome.take()).collect())
            }
            false => Poll::Pending,
        }
    });
    match tokio::time::timeout(TOO_LONG, outcomes).await {
        Ok(outcomes) => outcomes,
        Err(_) => {
            let names: Vec<_> = all.iter().map(|ours| ours.subtype).collect();
            panic!("one of {names:?} waits for ever");
        }
    }
}

impl Asker {
    pub(super) fn new(seed: u64) -> Self {
        let with_truth = |ours: Ours| {
            let truth = Truth::of(&success(&ours));
            (ours, truth)
        };
        let all = requests::all().into_iter().map(with_truth).collect();
        Self { dice: Dice::new(seed), all, asked: 0, answered: 0 }
    }

    /// Asks something in each turn, until there are no more.
    pub(super) async fn ask_each(
        mut self,
        agent: Handle,
        ledger: Ledger,
        turns: Arc<Semaphore>,
    ) -> Self {
        while let Ok(turn) = turns.acquire().await {
            turn.forget();
            self.ask(&agent, &ledger).await;
        }
        self
    }

    /// Some requests: all are answered with the truth or with lies, or all with damaged lines,
    /// which may name one another's ids.
    async fn ask(&mut self, agent: &Handle, ledger: &Ledger) {
        let is_damaged = self.dice.one_in(4);
        let (mut all, mut dues) = (Vec::new(), Vec::new());
        for _ in 0..1 + self.dice.roll(TOGETHER) {
            let at = self.dice.roll(self.all.len());
            let (ours, truth) = &self.all[at];
            if ours.subtype == ALONE && all.iter().any(|other: &Ours| other.subtype == ALONE) {
                continue;
            }
            let (line, due) = match is_damaged {
                true => (damaged(truth, &mut self.dice), Due::Any),
                false if self.dice.one_in(8) => (truth.told(&[]), Due::Answer),
                false => {
                    let told = truth.told_by(&mut self.dice);
                    let due = Due::of(&told);
                    (told, due)
                }
            };
            let lines = [line, LATE.to_owned()].map(|line| (line, Effect::Nothing)).into();
            let rank = self.dice.roll(TOGETHER);
            ledger.with(|pages| pages.plans.add(Plan { lines, rank }));
            all.push(ours.clone());
            dues.push(due);
        }
        for (at, outcome) in together(agent, &all).await.iter().enumerate() {
            self.asked += 1;
            self.answered += u64::from(outcome.is_ok());
            if let Some(fault) = dues[at].fault(&all[at], outcome) {
                ledger.with(|pages| pages.fault(fault));
            }
        }
    }
}

fn damaged(truth: &Truth, dice: &mut Dice) -> String {
    let mut line = truth.told(&[]).into_bytes();
    damage(dice, &mut line);
    line.retain(|byte| *byte != b'\n');
    String::from_utf8_lossy(&line).into_owned()
}
