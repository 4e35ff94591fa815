//! What the system says about a process.
#![cfg(target_os = "linux")]

use std::fs;

/// Its resident memory in KiB.
pub(crate) fn resident(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
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
