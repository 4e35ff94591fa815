pub use crate::metric::{cost, rate};

/// How long the model takes for its part of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Model {
    /// Seconds, as a real one.
    Slow,
    /// No time, so that the cores are the limit.
    Instant,
}

/// What is read off a measure. The order is that of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    Rate,
    SpeedUp,
    WorkerCpu,
    CliCpu,
    DatabaseCpu,
    QueueCpu,
    ToolsCpu,
    WorkerMemory,
    CliMemory,
    ToolsMemory,
    Statements,
    Transactions,
    QueueMessages,
    DatabaseConnections,
    QueueConnections,
    Stored,
    Written,
    Queued,
}

/// The programs of a fleet, and what each takes of the cores for a turn.
pub const PARTS: [(&str, What); 5] = [
    ("CLI", CliCpu),
    ("worker", WorkerCpu),
    ("PostgreSQL", DatabaseCpu),
    ("NATS", QueueCpu),
    ("tool server", ToolsCpu),
];

pub type Metric = (Model, What);
pub type Info = crate::metric::Info<Metric>;

use Model::{Instant, Slow};
use What::*;

pub const GROUPS: [(&str, &[Info]); 2] = [
    (
        "a model that takes 3 s of a turn",
        &[
            rate((Slow, Rate), "slow_turns_per_s", "turns/s"),
            rate((Slow, SpeedUp), "slow_speed_up", "times those of one worker"),
            cost((Slow, WorkerCpu), "slow_worker_cpu_ms", "workers, CPU ms/turn"),
            cost((Slow, CliCpu), "slow_cli_cpu_ms", "CLIs, CPU ms/turn"),
            cost((Slow, DatabaseCpu), "slow_postgres_cpu_ms", "PostgreSQL, CPU ms/turn"),
            cost((Slow, QueueCpu), "slow_nats_cpu_ms", "NATS, CPU ms/turn"),
            cost((Slow, ToolsCpu), "slow_tools_cpu_ms", "tool server, CPU ms/turn"),
            cost((Slow, WorkerMemory), "slow_worker_mib", "a worker, MiB"),
            cost((Slow, CliMemory), "slow_cli_mib", "the CLI of a worker, most, MiB"),
            cost((Slow, ToolsMemory), "slow_tools_mib", "tool server, MiB"),
            cost((Slow, Statements), "slow_statements", "PostgreSQL, statements/turn"),
            cost((Slow, Transactions), "slow_commits", "PostgreSQL, transactions/turn"),
            cost((Slow, QueueMessages), "slow_nats_messages", "NATS, messages/turn"),
            cost(
                (Slow, DatabaseConnections),
                "slow_postgres_clients",
                "PostgreSQL, clients/worker",
            ),
            cost((Slow, QueueConnections), "slow_nats_clients", "NATS, clients/worker"),
            cost((Slow, Stored), "slow_stored_kib", "PostgreSQL keeps, KiB/turn"),
            cost((Slow, Written), "slow_wal_kib", "PostgreSQL's log, KiB/turn"),
            cost((Slow, Queued), "slow_queued_bytes", "the queue keeps, bytes/prompt"),
        ],
    ),
    (
        "a model that takes no time",
        &[
            rate((Instant, Rate), "instant_turns_per_s", "turns/s"),
            rate((Instant, SpeedUp), "instant_speed_up", "times those of one worker"),
            cost((Instant, WorkerCpu), "instant_worker_cpu_ms", "workers, CPU ms/turn"),
            cost((Instant, CliCpu), "instant_cli_cpu_ms", "CLIs, CPU ms/turn"),
            cost((Instant, DatabaseCpu), "instant_postgres_cpu_ms", "PostgreSQL, CPU ms/turn"),
            cost((Instant, QueueCpu), "instant_nats_cpu_ms", "NATS, CPU ms/turn"),
            cost((Instant, ToolsCpu), "instant_tools_cpu_ms", "tool server, CPU ms/turn"),
            cost((Instant, Statements), "instant_statements", "PostgreSQL, statements/turn"),
        ],
    ),
];
