use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use toolwright_lab_mix::deciles;

use super::child::Child;
use super::plan::{Endured, Plan};
use crate::cleared::cleared;

/// Calls a registry in the process of the client.
pub fn run(plan: &Plan, show: &dyn Fn(&str)) -> Result<Endured> {
    let mut command = cleared(Command::new(&plan.client));
    let numbers = [plan.mix.seed, plan.calls].map(|number| number.to_string());
    command.args(["-", "mix"]).args(numbers).envs(plan.heap.iter().copied());
    let (child, stdin, stdout) = Child::start(&mut command)?;
    let mut talk = Talk::new(child, stdin, stdout);
    let mut endured = Endured::default();
    let mut report = Value::Null;
    for (decile, calls) in deciles(plan.calls) {
        show(&format!("process: decile {decile}"));
        let clock = Instant::now();
        report = talk.report()?;
        endured.add(calls, clock, talk.child.id())?;
        talk.go_on()?;
    }
    endured.refused = Some(report["refused"].as_u64().context("no number")?);
    for (at, count) in endured.counts.calls.iter_mut().enumerate() {
        *count = report["calls"][at].as_u64().context("no number")?;
    }
    talk.ends_well()?;
    Ok(endured)
}

/// What a client of ours says on its standard output while it works: a dot to show that it lives,
/// or a report, after which it waits for a line.
pub struct Talk {
    pub child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Talk {
    pub fn new(child: Child, stdin: ChildStdin, stdout: ChildStdout) -> Self {
        Self { child, stdin, stdout: BufReader::new(stdout) }
    }

    /// The next report.
    pub fn report(&mut self) -> Result<Value> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.stdout.read_line(&mut line).context("reading a report")? == 0 {
                bail!("the client gives no report: {}", self.child.end());
            }
            self.child.lives();
            if line.trim_end() != "." {
                return serde_json::from_str(&line).with_context(|| format!("no report: {line}"));
            }
        }
    }

    pub fn go_on(&mut self) -> Result<()> {
        self.stdin.write_all(b"\n").context("the client waits no longer")
    }

    /// Fails unless it ends well, and says nothing more.
    pub fn ends_well(mut self) -> Result<()> {
        let mut line = String::new();
        self.stdout.read_line(&mut line)?;
        ensure!(line.is_empty(), "it goes on: {line}");
        drop(self.stdin);
        self.child.ends_well()
    }
}
