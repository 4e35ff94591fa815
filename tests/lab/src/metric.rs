/// What is read off a measure. The order is that of the report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Metric {
    AddP50,
    AddP99,
    AddRate,
    AddCpu,
    SearchP50,
    Window16,
    Window256,
    Window256Cpu,
    Sleep,
    Echo1K,
    Echo64K,
    Echo1M,
    Echo8M,
    MemoryStart,
    MemoryCalls,
    MemoryEcho,
    Start,
    StartList,
    AddInstructions,
    SearchInstructions,
    Window256Instructions,
    AddCodeMisses,
    SearchCodeMisses,
    Window256CodeMisses,
}

pub struct Info<M = Metric> {
    pub metric: M,
    /// Its name in the JSON file.
    pub key: &'static str,
    pub label: &'static str,
    /// More is better, as in a rate; else less is.
    pub rate: bool,
}

pub const fn cost<M: Copy>(metric: M, key: &'static str, label: &'static str) -> Info<M> {
    Info { metric, key, label, rate: false }
}

pub const fn rate<M: Copy>(metric: M, key: &'static str, label: &'static str) -> Info<M> {
    Info { metric, key, label, rate: true }
}

pub const GROUPS: [(&str, &[Info]); 7] = [
    (
        "one at a time",
        &[
            cost(Metric::AddP50, "add_p50_us", "add, p50, us"),
            cost(Metric::AddP99, "add_p99_us", "add, p99, us"),
            rate(Metric::AddRate, "add_calls_per_s", "add, calls/s"),
            cost(Metric::AddCpu, "add_cpu_us", "add, server CPU, us/call"),
            cost(Metric::SearchP50, "search_p50_us", "search (nested), p50, us"),
        ],
    ),
    (
        "in flight",
        &[
            rate(Metric::Window16, "window16_calls_per_s", "16 adds, calls/s"),
            rate(Metric::Window256, "window256_calls_per_s", "256 adds, calls/s"),
            cost(Metric::Window256Cpu, "window256_cpu_us", "256 adds, server CPU, us/call"),
            cost(Metric::Sleep, "sleep_200x50_ms", "200 x sleep 50 ms, wall ms"),
        ],
    ),
    (
        "echo",
        &[
            rate(Metric::Echo1K, "echo_1k_mib_per_s", "1 KiB, MiB/s"),
            rate(Metric::Echo64K, "echo_64k_mib_per_s", "64 KiB, MiB/s"),
            rate(Metric::Echo1M, "echo_1m_mib_per_s", "1 MiB, MiB/s"),
            rate(Metric::Echo8M, "echo_8m_mib_per_s", "8 MiB, MiB/s"),
        ],
    ),
    (
        "peak memory",
        &[
            cost(Metric::MemoryStart, "memory_start_mib", "after the start, MiB"),
            cost(Metric::MemoryCalls, "memory_calls_mib", "after 20k adds, 256 in flight, MiB"),
            cost(Metric::MemoryEcho, "memory_echo_mib", "after the 8 MiB echo, MiB"),
        ],
    ),
    (
        "start",
        &[
            cost(Metric::Start, "start_ms", "spawn to first answer, ms"),
            cost(Metric::StartList, "start_list_ms", "spawn to the list of tools, ms"),
        ],
    ),
    (
        "instructions of the server's own code",
        &[
            cost(Metric::AddInstructions, "add_instructions", "add, a call"),
            cost(Metric::SearchInstructions, "search_instructions", "search (nested), a call"),
            cost(Metric::Window256Instructions, "window256_instructions", "256 adds, a call"),
        ],
    ),
    (
        "misses of the first-level cache for code, simulated",
        &[
            cost(Metric::AddCodeMisses, "add_code_misses", "add, a call"),
            cost(Metric::SearchCodeMisses, "search_code_misses", "search (nested), a call"),
            cost(Metric::Window256CodeMisses, "window256_code_misses", "256 adds, a call"),
        ],
    ),
];
