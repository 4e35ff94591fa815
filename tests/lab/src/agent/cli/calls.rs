//! Tool calls over the control protocol, a number of them open at any time.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::answer::Checker;
use super::peer::Peer;
use crate::call::{FIRST_ID, ID_DIGITS, number};

const ID: &str = "10000000";

/// One request, in which the id and the number are replaced.
struct Template {
    line: Vec<u8>,
    ids: Vec<usize>,
    number: usize,
}

impl Template {
    fn new() -> Self {
        let line = format!(
            r#"{{"type":"control_request","request_id":"5b0c1d2e-3f4a-4b5c-8d6e-0000{ID}","request":{{"subtype":"mcp_message","server_name":"calc","message":{{"jsonrpc":"2.0","id":{ID},"method":"tools/call","params":{{"name":"add","arguments":{{"a":###,"b":0.25}},"_meta":{{"claudecode/toolUseId":"toolu_0000000000000000{ID}","progressToken":{ID}}}}}}}}}}}{}"#,
            '\n'
        );
        let ids = memchr::memmem::find_iter(line.as_bytes(), ID).collect();
        let number = line.find("###").unwrap_or_default();
        Self { line: line.into_bytes(), ids, number }
    }

    fn write(&mut self, id: u64, out: &mut Vec<u8>) {
        let id_digits = digits::<ID_DIGITS>(id);
        for at in &self.ids {
            self.line[*at..at + ID_DIGITS].copy_from_slice(&id_digits);
        }
        self.line[self.number..self.number + 3].copy_from_slice(&digits::<3>(number(id)));
        out.extend_from_slice(&self.line);
    }
}

pub fn digits<const N: usize>(mut number: u64) -> [u8; N] {
    let mut digits = [b'0'; N];
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
    digits
}

/// Keeps `window` calls open for `warm_up` and then `budget` milliseconds, and reports on the
/// latter.
pub fn run(peer: &mut Peer, window: usize, warm_up: usize, budget: usize) -> Result<Value> {
    let mut open = Open {
        template: Template::new(),
        checker: Checker::default(),
        answered: Vec::new(),
        left: 0,
        out: Vec::new(),
    };
    let mut latencies = Vec::new();
    open.top_up(peer, window)?;
    open.go_on(peer, window, warm_up, &mut latencies)?;
    latencies.clear();
    let before = open.answered.len() - open.left;
    let clock = Instant::now();
    open.go_on(peer, window, budget, &mut latencies)?;
    let seconds = clock.elapsed().as_secs_f64();
    let calls = open.answered.len() - open.left - before;
    while open.left > 0 {
        open.take(peer)?;
    }
    latencies.sort_unstable();
    let p50 = latencies.get(latencies.len() / 2).map_or(0.0, |nanos| *nanos as f64 / 1e3);
    Ok(
        json!({"calls": calls, "seconds": seconds, "p50_us": p50, "total": open.answered.len(), "parsed": open.checker.parsed}),
    )
}

struct Open {
    template: Template,
    checker: Checker,
    /// By id; one for each call that was made.
    answered: Vec<bool>,
    left: usize,
    out: Vec<u8>,
}

impl Open {
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
        while self.left < window {
            self.template.write(FIRST_ID + self.answered.len() as u64, &mut self.out);
            self.answered.push(false);
            self.left += 1;
        }
        peer.write(&self.out)
    }

    /// Waits for answers and takes all that came.
    fn take(&mut self, peer: &mut Peer) -> Result<()> {
        ensure!(peer.fill()?, "the client closed the input while calls were open");
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
