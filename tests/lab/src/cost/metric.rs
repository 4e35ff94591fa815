use crate::metric::cost;

/// What is read off a program. The order is that of the report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Metric {
    Crates,
    BuildWall,
    BuildCpu,
    Size,
    EditWall,
    EditCpu,
}

pub const GROUPS: [(&str, &[crate::metric::Info<Metric>]); 3] = [
    ("what it takes in", &[cost(Metric::Crates, "crates", "crates, besides itself")]),
    (
        "release build from nothing",
        &[
            cost(Metric::BuildWall, "build_wall_s", "wall, s"),
            cost(Metric::BuildCpu, "build_cpu_s", "CPU, s"),
            cost(Metric::Size, "size_mib", "binary without symbols, MiB"),
        ],
    ),
    (
        "debug build after an edit",
        &[
            cost(Metric::EditWall, "edit_wall_s", "wall, s"),
            cost(Metric::EditCpu, "edit_cpu_s", "CPU, s"),
        ],
    ),
];
