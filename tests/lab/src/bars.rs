use crate::metric::Metric;
use crate::results::{Results, median, range};
use crate::servers::Name::{self, Floor, FloorShared, Ours, Ours50, Raw, Rmcp};

/// Something the project promises, and what was measured.
pub struct Bar {
    pub promise: &'static str,
    pub value: f64,
    pub unit: &'static str,
    pub pass: bool,
    /// The lowest and the highest of single rounds, where the value is the median of several.
    pub range: Option<(f64, f64)>,
}

impl Bar {
    /// A bar for the median of the rounds; none if there are no rounds.
    pub fn of(
        promise: &'static str,
        rounds: Vec<f64>,
        unit: &'static str,
        passes: impl Fn(f64) -> bool,
    ) -> Option<Self> {
        let range = range(&rounds);
        let value = median(rounds)?;
        Some(Self { promise, value, unit, pass: passes(value), range })
    }
}

enum What {
    Ratio(Metric, Name, Name),
    Value(Metric, Name),
}

enum Limit {
    AtLeast(f64),
    AtMost(f64),
}

use Limit::{AtLeast, AtMost};
use What::{Ratio, Value};

/// What holds. `docs/PERFORMANCE.md` names the goals that are missed.
const BARS: [(&str, What, Limit); 18] = [
    ("add p50 at most 1.45 x raw", Ratio(Metric::AddP50, Ours, Raw), AtMost(1.45)),
    ("add calls/s at least 8 x rmcp", Ratio(Metric::AddRate, Ours, Rmcp), AtLeast(8.0)),
    ("256 in flight at least 50 x rmcp", Ratio(Metric::Window256, Ours, Rmcp), AtLeast(50.0)),
    ("echo of 1 MiB at least 2.2 x rmcp", Ratio(Metric::Echo1M, Ours, Rmcp), AtLeast(2.2)),
    ("add p50 at most 1.2 x floor", Ratio(Metric::AddP50, Ours, Floor), AtMost(1.2)),
    ("256 in flight at least 0.5 x floor", Ratio(Metric::Window256, Ours, Floor), AtLeast(0.5)),
    ("search p50 at most 1.25 x floor", Ratio(Metric::SearchP50, Ours, Floor), AtMost(1.25)),
    ("echo of 1 MiB at least 1.2 x floor", Ratio(Metric::Echo1M, Ours, Floor), AtLeast(1.2)),
    ("add p50 at most 1.15 x floor-shared", Ratio(Metric::AddP50, Ours, FloorShared), AtMost(1.15)),
    (
        "256 in flight at least 0.75 x floor-shared",
        Ratio(Metric::Window256, Ours, FloorShared),
        AtLeast(0.75),
    ),
    (
        "search p50 at most 1.15 x floor-shared",
        Ratio(Metric::SearchP50, Ours, FloorShared),
        AtMost(1.15),
    ),
    ("50 tools: add p50 within 10% of 4 tools", Ratio(Metric::AddP50, Ours50, Ours), AtMost(1.1)),
    (
        "50 tools: 256 in flight within 10% of 4 tools",
        Ratio(Metric::Window256, Ours50, Ours),
        AtLeast(0.9),
    ),
    ("peak memory after 20k adds at most 4.5 MiB", Value(Metric::MemoryCalls, Ours), AtMost(4.5)),
    ("spawn to first answer at most rmcp's", Ratio(Metric::Start, Ours, Rmcp), AtMost(1.0)),
    (
        "spawn to the list of tools at most rmcp's",
        Ratio(Metric::StartList, Ours, Rmcp),
        AtMost(1.0),
    ),
    // Not promises about us: if these fail, the driver or the machine is the bottleneck and nothing
    // above means much.
    (
        "(sanity) raw is faster than ours, 256 in flight",
        Ratio(Metric::Window256, Raw, Ours),
        AtLeast(1.0),
    ),
    (
        "(sanity) raw is faster than rmcp, one at a time",
        Ratio(Metric::AddRate, Raw, Rmcp),
        AtLeast(1.0),
    ),
];

/// What was promised in this placement.
pub struct Verdict {
    /// Those for which all that they compare was measured.
    pub bars: Vec<Bar>,
    /// How many more there would be on one CPU, with a handshake.
    pub elsewhere: usize,
}

/// `is_usual` is true on one CPU with a handshake, for which the bars of calls are set.
pub fn judge(results: &Results, is_usual: bool) -> Verdict {
    let mut verdict = Verdict { bars: Vec::new(), elsewhere: 0 };
    for (promise, what, limit) in &BARS {
        let (rounds, unit) = match *what {
            Ratio(metric, of, to) => (results.ratios(metric, of, to), "x"),
            Value(metric, server) => (results.rounds(server, metric).collect(), "MiB"),
        };
        let passes = |value| match *limit {
            AtLeast(least) => value >= least,
            AtMost(most) => value <= most,
        };
        let Some(bar) = Bar::of(promise, rounds, unit, passes) else { continue };
        match is_usual || what.holds_anywhere() {
            true => verdict.bars.push(bar),
            false => verdict.elsewhere += 1,
        }
    }
    verdict
}

impl What {
    /// Calls are compared on one CPU only: elsewhere it is the waking of the other CPU that is
    /// measured, for the sanity of the driver too. Requests with `_meta` are longer.
    fn holds_anywhere(&self) -> bool {
        matches!(self, Value(..) | Ratio(Metric::Start | Metric::StartList, ..))
    }
}

#[cfg(test)]
mod tests;
