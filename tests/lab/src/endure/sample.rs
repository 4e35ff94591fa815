use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::process::resident_memory;

/// How long a process has to close what it no longer needs.
const SETTLING: Duration = Duration::from_secs(30);

/// The name of the threads that run plain functions. There are as many as have work, and they end
/// after ten seconds without any, so their number says nothing.
const POOL: &str = "toolwright-tool\n";

/// What a process has while no call is open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Resident memory, in MiB.
    pub memory: f64,
    pub descriptors: usize,
    /// Without those of the pool.
    pub threads: usize,
}

impl Sample {
    /// Takes it as soon as the process has as many descriptors and threads as in `earlier`, or, if
    /// it does not come to that, after some seconds.
    pub fn settled(pid: u32, earlier: Option<&Self>) -> Result<Self> {
        let clock = Instant::now();
        loop {
            let now = Self::of(pid)?;
            let is_settled = earlier.is_none_or(|earlier| now.has_no_more_than(earlier));
            if is_settled || clock.elapsed() > SETTLING {
                return Ok(now);
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn of(pid: u32) -> Result<Self> {
        Ok(Self {
            memory: resident_memory(pid)?,
            descriptors: entries(&format!("/proc/{pid}/fd"))?.len(),
            threads: threads(pid)?,
        })
    }

    pub fn has_no_more_than(&self, other: &Self) -> bool {
        self.descriptors <= other.descriptors && self.threads <= other.threads
    }
}

fn threads(pid: u32) -> Result<usize> {
    let folder = format!("/proc/{pid}/task");
    let is_other = |id: &String| match fs::read_to_string(format!("{folder}/{id}/comm")) {
        Ok(name) => name != POOL,
        // It ended between the listing and the reading.
        Err(_) => false,
    };
    Ok(entries(&folder)?.iter().filter(|id| is_other(id)).count())
}

fn entries(folder: &str) -> Result<Vec<String>> {
    let read = || fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name())).collect();
    let names: std::io::Result<Vec<_>> = read();
    let names = names.with_context(|| format!("reading {folder}"))?;
    Ok(names.into_iter().map(|name| name.to_string_lossy().into_owned()).collect())
}
