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

    /// The last tenth has at most twice what the second has: the heap keeps what rare input took,
    /// in steps of some MiB, while sixteen bytes that each line leaves are many times as much. The
    /// last may have less: a system that is short of memory takes pages back.
    pub(crate) fn assert_flat(&self) {
        eprintln!("resident KiB after each tenth: {:?}", self.0);
        if let [_, second, .., last] = self.0[..] {
            assert!(last <= second * 2, "{second} KiB grew to {last} KiB");
        }
    }
}
