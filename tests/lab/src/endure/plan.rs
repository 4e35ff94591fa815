use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Result;
use toolwright_lab_mix::{Counts, Mix, TOOLS};

use super::Sample;
use crate::artifact;
use crate::cleared::cleared;
use crate::leashed::leashed;
use crate::names;
use crate::options::Options;

/// What is to be done, and with which programs.
pub struct Plan {
    pub quick: bool,
    pub mix: Mix,
    /// For each way of calling; a multiple of ten.
    pub calls: u64,
    /// A multiple of the five endings.
    pub runs: u64,
    pub fixture: PathBuf,
    pub client: PathBuf,
    /// What the environment says of the heap.
    pub heap: &'static [(&'static str, &'static str)],
}

/// What came of the calls of one way.
#[derive(Default)]
pub struct Endured {
    /// After the calls before the first one, and after each.
    pub deciles: Vec<Decile>,
    pub counts: Counts,
    /// How many cancelled calls were answered with an error; `None` where that is a fault.
    pub refused: Option<u64>,
}

/// A tenth of the calls, and what the server had after it.
pub struct Decile {
    pub calls: u64,
    pub seconds: f64,
    pub sample: Sample,
}

/// The names of what can be chosen.
pub const WAYS: [&str; 4] = ["stdio", "process", "http", "agent"];

/// The C library gives blocks back when they are freed: it has one heap for all threads, and keeps
/// nothing for each. Otherwise memory is what its heaps keep, which differs by up to 15 % from time
/// to time.
const HEAP: [(&str, &str); 4] = [
    ("MALLOC_MMAP_THRESHOLD_", "32768"),
    ("MALLOC_TRIM_THRESHOLD_", "32768"),
    ("MALLOC_ARENA_MAX", "1"),
    ("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0"),
];

const CALLS: u64 = 10_000_000;
const RUNS: u64 = 10_000;

impl Plan {
    /// Builds what is needed.
    pub fn new(options: &Options) -> Result<Self> {
        names::check(options, &WAYS, &[])?;
        let part = if options.quick { 100 } else { 1 };
        let calls = options.calls.unwrap_or(CALLS / part).div_ceil(30) * 10;
        let runs = options.runs.unwrap_or(RUNS / part).div_ceil(5) * 5;
        let fixture = options.ours.clone().map_or_else(artifact::fixture, Ok)?;
        let client = options.client.clone().map_or_else(artifact::agent_client, Ok)?;
        let (quick, mix) = (options.quick, Mix { seed: options.seed });
        let heap: &[_] = if options.default_heap { &[] } else { &HEAP };
        Ok(Self { quick, mix, calls, runs, fixture, client, heap })
    }

    /// The server with the tools of the mix; nobody reads what it says besides.
    pub fn server(&self) -> Command {
        let mut command = cleared(leashed(&self.fixture));
        command.args(["--tools", TOOLS]).envs(self.heap.iter().copied()).stderr(Stdio::null());
        command
    }
}

impl Endured {
    /// Takes down a decile of `calls` calls that began at `since`. What comes before the first one
    /// counts too.
    pub fn add(&mut self, calls: u64, since: Instant, pid: u32) -> Result<()> {
        let seconds = since.elapsed().as_secs_f64();
        let earlier = self.deciles.get(2).or(self.deciles.last()).map(|decile| &decile.sample);
        let sample = Sample::settled(pid, earlier)?;
        self.deciles.push(Decile { calls, seconds, sample });
        Ok(())
    }
}
