//! What the system says about a process.
#![cfg(target_os = "linux")]

use std::fs;

/// Its resident memory in KiB.
pub(crate) fn resident(process: u32) -> u64 {
    memory(process, "VmRSS:")
}

/// The most resident memory that it has had, in KiB.
pub(crate) fn peak(process: u32) -> u64 {
    memory(process, "VmHWM:")
}

fn memory(process: u32, kind: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(kind)).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
}

/// True if all of its threads sleep at the same moment, so that nothing goes on in it until
/// something comes from outside or some time is over.
pub(crate) fn rests(process: u32) -> bool {
    let before = asleep(process);
    // A thread that has run between the looks has slept once more.
    before.is_some() && asleep(process) == before
}

/// Its threads, and how often each has begun to sleep; `None` if one of them does not sleep.
fn asleep(process: u32) -> Option<Vec<String>> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).unwrap();
    let of_thread = |status: String| {
        let line = |name| status.lines().find(|line| line.starts_with(name)).map(str::to_owned);
        line("State:").filter(|state| state.contains("S (sleeping)"))?;
        Some(line("Pid:")? + &line("voluntary_ctxt_switches:")?)
    };
    threads.map(|it| of_thread(fs::read_to_string(it.ok()?.path().join("status")).ok()?)).collect()
}

/// How many descriptors it has.
pub(crate) fn descriptors(process: u32) -> usize {
    fs::read_dir(format!("/proc/{process}/fd")).unwrap().count()
}

/// How many threads it has.
pub(crate) fn threads(process: u32) -> usize {
    fs::read_dir(format!("/proc/{process}/task")).unwrap().count()
}

/// The processes that were started with a variable, such as `HOME=/root`. One that has ended has
/// none.
pub(crate) fn with_variable(variable: &str) -> Vec<u32> {
    let names = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().file_name());
    let processes = names.filter_map(|name| name.to_str()?.parse().ok());
    let has_variable = |process: &u32| {
        let variables = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        variables.split(|byte| *byte == 0).any(|set| set == variable.as_bytes())
    };
    processes.filter(has_variable).collect()
}

/// True once it has ended, whether or not its parent knows.
pub(crate) fn is_gone(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // After the name, which is in brackets.
    stat.rsplit(") ").next().is_none_or(|rest| rest.is_empty() || rest.starts_with('Z'))
}
