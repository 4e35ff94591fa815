use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::Sample;
use super::child::Child;
use super::in_process::Talk;
use super::leftovers::Leftovers;
use super::plan::Plan;

/// How many runs of each end there are in a batch, at most.
const BATCH: u64 = 50;

/// How many runs a host leaves at once.
const LEFT: u64 = 10;

/// The ends: closed, killed, dropped, crashed, left.
const ENDS: u64 = 5;

/// What came of the runs.
pub struct Ended {
    pub runs: u64,
    pub seconds: f64,
    /// The longest time until all of a batch was gone, or of the runs that a host has left.
    pub longest: Duration,
    /// The client after each batch.
    pub samples: Vec<Sample>,
}

/// Runs that end in every way. Fails if one leaves anything.
pub fn run(plan: &Plan, show: &dyn Fn(&str)) -> Result<Ended> {
    let each = plan.runs / ENDS;
    // Some batches at least, as each is compared with the first.
    let size = BATCH.min(each.div_ceil(4)).max(1);
    let batches = each.div_ceil(size);
    let cli = std::env::current_exe().context("finding this program")?;
    let clock = Instant::now();
    let of_client = Leftovers::new("runs")?;
    let mut command = of_client.of(&plan.client);
    command.envs(plan.heap.iter().copied());
    command.arg(&cli).args(["endings", &batches.to_string(), &size.to_string()]);
    let (child, stdin, stdout) = Child::start(&mut command)?;
    let mut talk = Talk::new(child, stdin, stdout);
    let mut ended =
        Ended { runs: 0, seconds: 0.0, longest: Duration::ZERO, samples: Vec::<Sample>::new() };
    for batch in 1..=batches {
        show(&format!("agent: batch {batch} of {batches}"));
        let report = talk.report()?;
        let tasks = &report["tasks"];
        ensure!(*tasks == 0, "batch {batch}: {tasks} tasks are left");
        let pid = talk.child.id();
        let gone = of_client.are_gone(Some(pid));
        let gone =
            gone.with_context(|| format!("batch {batch} of closed, killed, dropped, crashed"))?;
        ended.longest = ended.longest.max(gone);
        let sample = Sample::settled(pid, ended.samples.first())?;
        ended.samples.push(sample);
        talk.go_on()?;
        ended.runs += size * (ENDS - 1);

        let hosts = size.div_ceil(LEFT);
        for host in 0..hosts {
            let count = LEFT.min(size - host * LEFT);
            let gone = left(plan, &cli, count);
            talk.child.lives();
            let gone = gone.with_context(|| format!("batch {batch}, left by their host"))?;
            ended.longest = ended.longest.max(gone);
            ended.runs += count;
        }
    }
    talk.ends_well()?;
    ended.seconds = clock.elapsed().as_secs_f64();
    Ok(ended)
}

/// Kills a host in the middle of its runs. Gives the time until they are gone.
fn left(plan: &Plan, cli: &PathBuf, count: u64) -> Result<Duration> {
    let mut of_host = Leftovers::new("left")?;
    let mut command = of_host.of(&plan.client);
    command.arg(cli).args(["left", &count.to_string()]);
    let (child, stdin, stdout) = Child::start(&mut command)?;
    let mut talk = Talk::new(child, stdin, stdout);
    talk.report()?;
    of_host.note_children(talk.child.id());
    talk.child.kill()?;
    of_host.are_gone(None)
}
