use std::collections::HashMap;
use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// CPU time of each thread of a process, in nanoseconds.
///
/// `/proc/PID/stat` counts in ticks of 10 ms and `/proc/PID/schedstat` is the first thread alone.
pub struct CpuTimes(HashMap<String, u64>);

impl CpuTimes {
    pub fn of(pid: u32) -> Result<Self> {
        let mut times = HashMap::new();
        for task in
            fs::read_dir(format!("/proc/{pid}/task")).context("reading the server's threads")?
        {
            let task = task?;
            // A thread may end between the listing and the reading.
            let Ok(text) = fs::read_to_string(task.path().join("schedstat")) else { continue };
            let nanos = text
                .split(' ')
                .next()
                .and_then(|field| field.parse().ok())
                .context("reading schedstat")?;
            times.insert(task.file_name().to_string_lossy().into_owned(), nanos);
        }
        Ok(Self(times))
    }

    pub fn since(&self, earlier: &Self) -> Duration {
        let spent = |(thread, now): (&String, &u64)| {
            now - earlier.0.get(thread).copied().unwrap_or(0).min(*now)
        };
        Duration::from_nanos(self.0.iter().map(spent).sum())
    }
}

/// The most memory that was ever resident, in MiB.
pub fn peak_memory(pid: u32) -> Result<f64> {
    memory(pid, "VmHWM:")
}

/// The memory that is resident now, in MiB.
pub fn resident_memory(pid: u32) -> Result<f64> {
    memory(pid, "VmRSS:")
}

fn memory(pid: u32, which: &str) -> Result<f64> {
    let status =
        fs::read_to_string(format!("/proc/{pid}/status")).context("reading the server's status")?;
    let kib: f64 = status
        .lines()
        .find_map(|line| line.strip_prefix(which)?.trim().strip_suffix(" kB")?.parse().ok())
        .with_context(|| format!("the status has no {which}"))?;
    Ok(kib / 1024.0)
}

/// The CPUs that this thread may use.
pub fn cpus() -> Result<Vec<usize>> {
    let allowed = sched_getaffinity(None).context("asking for the CPUs")?;
    Ok((0..CpuSet::MAX_CPU).filter(|&cpu| allowed.is_set(cpu)).collect())
}

/// Puts this thread, and so what it starts, on one CPU.
pub fn stay_on(cpu: usize) -> Result<()> {
    let mut one = CpuSet::new();
    one.set(cpu);
    sched_setaffinity(None, &one).context("choosing one CPU")
}

/// Puts this process, and so its children, on the first CPU that it may use.
pub fn stay_on_one_cpu() -> Result<()> {
    stay_on(*cpus()?.first().context("no CPU to run on")?)
}

/// The one-minute load before anything was measured: above 0.5 or so, others were working too.
pub fn load_average() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("unknown").to_owned()
}

/// CPU time of all children that have ended and been waited for, with theirs.
pub fn children_cpu_seconds() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat").context("reading this program's times")?;
    // The name in the second field may hold anything, blanks and brackets too; what follows its
    // last bracket is plain.
    let fields: Vec<&str> =
        stat.rsplit_once(')').context("no name in stat")?.1.split_whitespace().collect();
    let ticks = |at: usize| {
        fields.get(at).and_then(|field| field.parse::<f64>().ok()).context("no times in stat")
    };
    Ok((ticks(13)? + ticks(14)?) / rustix::param::clock_ticks_per_second() as f64)
}
