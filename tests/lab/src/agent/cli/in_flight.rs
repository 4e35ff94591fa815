//! Requests over the control protocol, a number of them open at any time.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::answer::Checker;
use super::ask::{Ask, Template};
use super::peer::Peer;
use crate::call::FIRST_ID;

/// Keeps as many requests open as the first number says, and reports on their answers: for as many
/// milliseconds of warm-up as the second number does and then for those of the third, on which the
/// report is; or, if there is no third, until as many as the second says are answered.
pub fn run(peer: &mut Peer, ask: Ask, callback: &str, numbers: &[usize]) -> Result<Value> {
    let mut open = Open {
        template: ask.template(callback),
        checker: Checker::new(ask),
        answered: Vec::new(),
        left: 0,
        most: usize::MAX,
        out: Vec::new(),
    };
    match *numbers {
        [window, count] => open.so_many(peer, window, count),
        [window, warm_up, budget] => open.so_long(peer, window, [warm_up, budget]),
        _ => bail!("two or three numbers are needed"),
    }
}

struct Open {
    template: Template,
    checker: Checker,
    /// By id; one for each request that was sent.
    answered: Vec<bool>,
    left: usize,
    /// How many are sent at most.
    most: usize,
    out: Vec<u8>,
}

impl Open {
    fn so_many(&mut self, peer: &mut Peer, window: usize, count: usize) -> Result<Value> {
        self.most = count;
        self.top_up(peer, window)?;
        while self.left > 0 {
            self.take(peer)?;
            self.top_up(peer, window)?;
        }
        Ok(json!({"total": self.answered.len(), "parsed": self.checker.parsed}))
    }

    fn so_long(
        &mut self,
        peer: &mut Peer,
        window: usize,
        [warm_up, budget]: [usize; 2],
    ) -> Result<Value> {
        let mut latencies = Vec::new();
        self.top_up(peer, window)?;
        self.go_on(peer, window, warm_up, &mut latencies)?;
        latencies.clear();
        let before = self.answered.len() - self.left;
        let clock = Instant::now();
        self.go_on(peer, window, budget, &mut latencies)?;
        let seconds = clock.elapsed().as_secs_f64();
        let calls = self.answered.len() - self.left - before;
        while self.left > 0 {
            self.take(peer)?;
        }
        latencies.sort_unstable();
        let p50 = latencies.get(latencies.len() / 2).map_or(0.0, |nanos| *nanos as f64 / 1e3);
        Ok(json!({
            "calls": calls, "seconds": seconds, "p50_us": p50, "total": self.answered.len(),
            "parsed": self.checker.parsed,
        }))
    }

    /// Replaces what was answered, with one write, until the time is over.
    fn go_on(
        &mut self,
        peer: &mut Peer,
        window: usize,
        millis: usize,
        latencies: &mut Vec<u64>,
    ) -> Result<()> {
        let end = Instant::now() + Duration::from_millis(millis as u64);
        let mut before = Instant::now();
        while before < end {
            self.take(peer)?;
            let after = Instant::now();
            if window == 1 {
                latencies.push((after - before).as_nanos() as u64);
            }
            before = after;
            self.top_up(peer, window)?;
        }
        Ok(())
    }

    fn top_up(&mut self, peer: &mut Peer, window: usize) -> Result<()> {
        self.out.clear();
        while self.left < window && self.answered.len() < self.most {
            self.template.write(FIRST_ID + self.answered.len() as u64, &mut self.out);
            self.answered.push(false);
            self.left += 1;
        }
        peer.write(&self.out)
    }

    /// Waits for answers and takes all that came.
    fn take(&mut self, peer: &mut Peer) -> Result<()> {
        ensure!(peer.fill()?, "the client closed the input while requests were open");
        while let Some(line) = peer.line() {
            let id = self.checker.check(line)?;
            let answered = id
                .checked_sub(FIRST_ID)
                .and_then(|at| self.answered.get_mut(at as usize))
                .context("an answer to nobody")?;
            ensure!(!std::mem::replace(answered, true), "a second answer to a request");
            self.left -= 1;
        }
        Ok(())
    }
}
