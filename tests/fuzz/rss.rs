//! The memory of this process.

/// The resident set in KiB; `None` where the system does not say.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The resident set after each tenth of a run.
#[derive(Default)]
pub(crate) struct Tenths(Vec<u64>);

impl Tenths {
    pub(crate) fn note(&mut self) {
        self.0.extend(resident());
    }

    /// The last tenth has at most 5 % more than the second, or at most half more that came in steps:
    /// rare input is large, and the heap keeps what it took, while a leak grows with every tenth. The
    /// last may have less: a system that is short of memory takes pages back.
    pub(crate) fn assert_flat(&self) {
        eprintln!("resident KiB after each tenth: {:?}", self.0);
        if let [_, later @ ..] = &self.0[..]
            && let [second, .., last] = later[..]
        {
            let steps = later.windows(2);
            let (count, rises) = (steps.len(), steps.filter(|step| step[1] > step[0]).count());
            let grown = last.saturating_sub(second);
            let is_flat = grown * 20 <= second || (grown * 2 <= second && rises * 2 <= count);
            assert!(is_flat, "{second} KiB grew to {last} KiB");
        }
    }
}
