use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::cost::Scratch;

/// How many calls two runs make. A call takes what the longer run takes more, divided by the calls
/// that it makes more; so start and end do not count.
const CALLS: [usize; 2] = [1_000, 3_000];

/// Counts what a server executes: instructions of its own code, and how often the first-level cache
/// lacks some of it, as valgrind simulates it.
pub struct Callgrind {
    valgrind: PathBuf,
    scratch: Scratch,
}

impl Callgrind {
    /// `None` where valgrind is not installed.
    pub fn installed() -> Result<Option<Self>> {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let mut paths = std::env::split_paths(&paths).map(|folder| folder.join("valgrind"));
        let Some(valgrind) = paths.find(|path| path.exists()) else { return Ok(None) };
        Ok(Some(Self { valgrind, scratch: Scratch::new()? }))
    }

    /// The program and the arguments with which a server is started.
    pub fn command(&self, program: &Path, args: &[String]) -> (PathBuf, Vec<String>) {
        let mut all = vec![
            "--tool=callgrind".to_owned(),
            "--cache-sim=yes".to_owned(),
            "--callgrind-out-file=/dev/null".to_owned(),
            format!("--log-file={}", self.log().display()),
            program.display().to_string(),
        ];
        all.extend_from_slice(args);
        (self.valgrind.clone(), all)
    }

    /// Instructions and misses of a call. `serve` starts a server, makes so many calls, and waits
    /// until the server has ended.
    pub fn of_a_call(&self, mut serve: impl FnMut(usize) -> Result<()>) -> Result<[f64; 2]> {
        let [few, many] = CALLS;
        serve(few)?;
        let less = self.counts()?;
        serve(many)?;
        let more = self.counts()?;
        // Where a call misses nothing, the two starts differ by a few misses.
        let of_a_call = |at: usize| (more[at] - less[at]) / (many - few) as f64;
        Ok([0, 1].map(|at| (of_a_call(at) * 10.0).round().max(0.0) / 10.0))
    }

    /// What the last process has executed, and missed.
    fn counts(&self) -> Result<[f64; 2]> {
        let log = fs::read_to_string(self.log()).context("reading what valgrind says")?;
        let count = |name: &str| {
            let after = log.lines().find_map(|line| Some(line.split_once(name)?.1));
            let count = after.and_then(|after| after.split_whitespace().next());
            count.and_then(|count| count.replace(',', "").parse().ok())
        };
        let counts = [count("Collected :"), count("I1  misses:")];
        let [Some(instructions), Some(misses)] = counts else { bail!("no count in {log}") };
        Ok([instructions, misses])
    }

    fn log(&self) -> PathBuf {
        self.scratch.0.join("log")
    }
}
