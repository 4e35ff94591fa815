pub use crate::metric::{cost, rate};

/// What is read off a measure. The order is that of the report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Metric {
    Stream,
    StreamPeak,
    Large1M,
    Large8M,
    Peak1M,
    Peak8M,
    Growth1M,
    Growth8M,
    Calls16,
    Calls1,
    Calls1P50,
    Hooks16,
    Permissions16,
    First,
    Idle,
    ColdFirst,
    WarmFirst,
    ColdText,
    WarmText,
    StreamInstructions,
    Calls16Instructions,
    Hooks16Instructions,
    Permissions16Instructions,
}

pub type Info = crate::metric::Info<Metric>;

pub const GROUPS: [(&str, &[Info]); 7] = [
    (
        "stream events of some 365 bytes",
        &[
            rate(Metric::Stream, "stream_messages_per_s", "messages/s"),
            cost(Metric::StreamPeak, "stream_peak_mib", "peak memory, MiB"),
        ],
    ),
    (
        "large messages",
        &[
            rate(Metric::Large1M, "large_1m_mib_per_s", "1 MiB, MiB/s"),
            rate(Metric::Large8M, "large_8m_mib_per_s", "8 MiB, MiB/s"),
            cost(Metric::Peak1M, "peak_1m_mib", "1 MiB, peak memory, MiB"),
            cost(Metric::Peak8M, "peak_8m_mib", "8 MiB, peak memory, MiB"),
            cost(Metric::Growth1M, "growth_1m_messages", "1 MiB, growth, messages"),
            cost(Metric::Growth8M, "growth_8m_messages", "8 MiB, growth, messages"),
        ],
    ),
    (
        "in-process tool calls",
        &[
            rate(Metric::Calls16, "calls16_per_s", "16 adds, calls/s"),
            rate(Metric::Calls1, "calls1_per_s", "one at a time, calls/s"),
            cost(Metric::Calls1P50, "calls1_p50_us", "one at a time, p50, us"),
        ],
    ),
    (
        "callbacks, 16 in flight",
        &[
            rate(Metric::Hooks16, "hooks16_per_s", "hooks/s"),
            rate(Metric::Permissions16, "permissions16_per_s", "permissions/s"),
        ],
    ),
    (
        "runs",
        &[
            cost(Metric::First, "first_ms", "query() to first message, ms"),
            cost(Metric::Idle, "idle_kib", "memory of an idle run, KiB"),
        ],
    ),
    (
        "from the prompt, with the real CLI",
        &[
            cost(Metric::ColdFirst, "cold_first_ms", "cold, to the first message, ms"),
            cost(Metric::WarmFirst, "warm_first_ms", "warm, to the first message, ms"),
            cost(Metric::ColdText, "cold_text_ms", "cold, to the answer, ms"),
            cost(Metric::WarmText, "warm_text_ms", "warm, to the answer, ms"),
        ],
    ),
    (
        "instructions of the client's own code",
        &[
            cost(Metric::StreamInstructions, "stream_instructions", "a stream event"),
            cost(Metric::Calls16Instructions, "calls16_instructions", "16 adds, a call"),
            cost(Metric::Hooks16Instructions, "hooks16_instructions", "16 hooks, a hook"),
            cost(
                Metric::Permissions16Instructions,
                "permissions16_instructions",
                "16 permissions, a permission",
            ),
        ],
    ),
];
