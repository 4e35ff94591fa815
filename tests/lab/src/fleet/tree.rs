use std::collections::HashMap;
use std::fs;

use anyhow::{Context, Result};

/// All processes of the machine at one moment.
pub struct Processes(HashMap<u32, Process>);

struct Process {
    parent: u32,
    /// CPU time of its own, and of children that it has waited for with theirs; in ticks.
    own: u64,
    reaped: u64,
}

impl Processes {
    pub fn now() -> Result<Self> {
        let mut all = HashMap::new();
        for entry in fs::read_dir("/proc").context("listing the processes")? {
            let entry = entry?;
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
                continue;
            };
            // A process may end between the listing and the reading.
            let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
            if let Some(process) = Process::read(&stat) {
                all.insert(pid, process);
            }
        }
        Ok(Self(all))
    }

    /// CPU seconds of a process without its children.
    pub fn own_cpu(&self, pid: u32) -> f64 {
        self.0.get(&pid).map_or(0.0, |process| seconds(process.own))
    }

    /// CPU seconds of all that a process has started, ended or not.
    pub fn descendants_cpu(&self, pid: u32) -> f64 {
        let reaped = self.0.get(&pid).map_or(0, |process| process.reaped);
        let children = self.children(pid);
        seconds(reaped)
            + children
                .into_iter()
                .map(|child| self.own_cpu(child) + self.descendants_cpu(child))
                .sum::<f64>()
    }

    /// The proportional resident memory of all that a process has started, in MiB: what several
    /// share is divided among them.
    pub fn descendants_memory(&self, pid: u32) -> f64 {
        let children = self.children(pid).into_iter();
        children.map(|child| memory(child) + self.descendants_memory(child)).sum()
    }

    fn children(&self, pid: u32) -> Vec<u32> {
        let children = self.0.iter().filter(|(_, process)| process.parent == pid);
        children.map(|(child, _)| *child).collect()
    }
}

impl Process {
    fn read(stat: &str) -> Option<Self> {
        // The name in the second field may hold anything; what follows its last bracket is plain.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
        Some(Self {
            parent: number(1)?.try_into().ok()?,
            own: number(11)? + number(12)?,
            reaped: number(13)? + number(14)?,
        })
    }
}

/// The proportional resident memory of a process, in MiB; none if it has just ended.
pub fn memory(pid: u32) -> f64 {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let kib = text.lines().find_map(|line| {
        line.strip_prefix("Pss:")?.trim().strip_suffix(" kB")?.parse::<f64>().ok()
    });
    kib.unwrap_or_default() / 1024.0
}

fn seconds(ticks: u64) -> f64 {
    ticks as f64 / rustix::param::clock_ticks_per_second() as f64
}
