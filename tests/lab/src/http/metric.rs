pub use crate::metric::{cost, rate};

/// The content type of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    Json,
    Stream,
}

/// What is read off a measure; the number is that of the connections. The order is that of the
/// report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Metric {
    Rate(Answer, usize),
    Cpu(Answer, usize),
    MemoryStart,
    MemoryIdle,
    Connection,
    Sessions,
    Session,
    MoreSessions,
    Instructions(Answer),
    CodeMisses(Answer),
}

pub type Info = crate::metric::Info<Metric>;

use Answer::{Json, Stream};

pub const GROUPS: [(&str, &[Info]); 5] = [
    (
        "answers in JSON",
        &[
            rate(Metric::Rate(Json, 1), "json_1_calls_per_s", "1 connection, calls/s"),
            rate(Metric::Rate(Json, 8), "json_8_calls_per_s", "8 connections, calls/s"),
            rate(Metric::Rate(Json, 64), "json_64_calls_per_s", "64 connections, calls/s"),
            cost(Metric::Cpu(Json, 1), "json_1_cpu_us", "1 connection, CPU us/call"),
            cost(Metric::Cpu(Json, 8), "json_8_cpu_us", "8 connections, CPU us/call"),
            cost(Metric::Cpu(Json, 64), "json_64_cpu_us", "64 connections, CPU us/call"),
        ],
    ),
    (
        "answers as streams",
        &[
            rate(Metric::Rate(Stream, 1), "sse_1_calls_per_s", "1 connection, calls/s"),
            rate(Metric::Rate(Stream, 8), "sse_8_calls_per_s", "8 connections, calls/s"),
            rate(Metric::Rate(Stream, 64), "sse_64_calls_per_s", "64 connections, calls/s"),
            cost(Metric::Cpu(Stream, 1), "sse_1_cpu_us", "1 connection, CPU us/call"),
            cost(Metric::Cpu(Stream, 8), "sse_8_cpu_us", "8 connections, CPU us/call"),
            cost(Metric::Cpu(Stream, 64), "sse_64_cpu_us", "64 connections, CPU us/call"),
        ],
    ),
    (
        "resident memory",
        &[
            cost(Metric::MemoryStart, "memory_start_mib", "after the start, MiB"),
            cost(Metric::MemoryIdle, "memory_idle_mib", "1,000 idle connections, MiB"),
            cost(Metric::Connection, "connection_kib", "growth by each of them, KiB"),
            cost(Metric::Sessions, "sessions_mib", "10,000 sessions never deleted, MiB"),
            cost(Metric::Session, "session_kib", "growth by each of them, KiB"),
            cost(Metric::MoreSessions, "more_sessions_mib", "after 10,000 more, MiB"),
        ],
    ),
    (
        "instructions of the server's own code",
        &[
            cost(Metric::Instructions(Json), "json_instructions", "JSON, a call"),
            cost(Metric::Instructions(Stream), "sse_instructions", "stream, a call"),
        ],
    ),
    (
        "misses of the first-level cache for code, simulated",
        &[
            cost(Metric::CodeMisses(Json), "json_code_misses", "JSON, a call"),
            cost(Metric::CodeMisses(Stream), "sse_code_misses", "stream, a call"),
        ],
    ),
];
