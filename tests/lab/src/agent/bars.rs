use super::Results;
use super::client::Name::{self, Floor, Ours, Python, TypeScript};
use super::metric::Metric;
use crate::bars::Bar;
use crate::results::median;

use Limit::{AtLeast, AtMost};
use What::{Over, Ratio, Value};

enum What {
    Ratio(Metric, Name),
    Value(Metric),
    /// By how much it is over the floor.
    Over(Metric),
}

enum Limit {
    AtLeast(f64),
    AtMost(f64),
}

const BARS: [(&str, What, Limit); 13] = [
    ("stream events at least 0.5 x a bare parse", Ratio(Metric::Stream, Floor), AtLeast(0.5)),
    ("stream events faster than Python", Ratio(Metric::Stream, Python), AtLeast(1.0)),
    ("stream events faster than TypeScript", Ratio(Metric::Stream, TypeScript), AtLeast(1.0)),
    ("1 MiB messages at least 1.5 x Python", Ratio(Metric::Large1M, Python), AtLeast(1.5)),
    ("1 MiB messages at least 1.5 x TypeScript", Ratio(Metric::Large1M, TypeScript), AtLeast(1.5)),
    ("8 MiB messages at least 1.5 x Python", Ratio(Metric::Large8M, Python), AtLeast(1.5)),
    ("8 MiB messages at least 1.5 x TypeScript", Ratio(Metric::Large8M, TypeScript), AtLeast(1.5)),
    ("1 MiB messages: growth at most 5 messages", Value(Metric::Growth1M), AtMost(5.0)),
    ("8 MiB messages: growth at most 5 messages", Value(Metric::Growth8M), AtMost(5.0)),
    ("16 calls in flight at least 30 x Python", Ratio(Metric::Calls16, Python), AtLeast(30.0)),
    (
        "16 calls in flight at least 2 x TypeScript",
        Ratio(Metric::Calls16, TypeScript),
        AtLeast(2.0),
    ),
    (ALONE, Ratio(Metric::Calls1, TypeScript), AtLeast(3.0)),
    ("query() to first message at most 2 ms over the CLI", Over(Metric::First), AtMost(2.0)),
];

/// Only for one CPU: elsewhere it is the waking of the other CPU that is measured.
const ALONE: &str = "one call at a time at least 3 x TypeScript";

/// The bars for which all that they compare was measured.
pub fn judge(results: &Results, same_cpu: bool) -> Vec<Bar> {
    let judged = |(promise, what, limit): &(&'static str, What, Limit)| {
        if *promise == ALONE && !same_cpu {
            return None;
        }
        let (value, unit) = match *what {
            Ratio(metric, to) => (results.ratio(metric, Ours, to)?, "x"),
            Value(metric) => (results.median(Ours, metric)?, ""),
            Over(metric) => (over(results, metric, Ours)?, "ms"),
        };
        let pass = match *limit {
            AtLeast(least) => value >= least,
            AtMost(most) => value <= most,
        };
        Some(Bar { promise, value, unit, pass })
    };
    BARS.iter().filter_map(judged).collect()
}

/// The median of the differences to the floor inside the rounds.
pub fn over(results: &Results, metric: Metric, of: Name) -> Option<f64> {
    let pairs = results.rounds(of, metric).zip(results.rounds(Floor, metric));
    median(pairs.map(|(value, floor)| value - floor).collect())
}
