use std::thread::available_parallelism;

use super::Results;
use super::client::Name::{self, Floor, Ours, Python, TypeScript};
use super::metric::Metric;
use crate::bars::Bar;

use Limit::{AtLeast, AtMost};
use What::{Over, Own, Ratio, Value};

enum What {
    Ratio(Metric, Name),
    Value(Metric, &'static str),
    /// By how much it is over the floor.
    Over(Metric),
    /// Two of ours.
    Own(Metric, Metric),
}

enum Limit {
    AtLeast(f64),
    AtMost(f64),
}

const BARS: [(&str, What, Limit); 20] = [
    ("stream events at least 0.5 x a bare parse", Ratio(Metric::Stream, Floor), AtLeast(0.5)),
    (STREAM, Ratio(Metric::Stream, Floor), AtLeast(1.0)),
    (
        "peak memory of 200,000 stream events at most 16 MiB",
        Value(Metric::StreamPeak, "MiB"),
        AtMost(16.0),
    ),
    ("stream events faster than Python", Ratio(Metric::Stream, Python), AtLeast(1.0)),
    ("stream events faster than TypeScript", Ratio(Metric::Stream, TypeScript), AtLeast(1.0)),
    ("1 MiB messages at least 1.5 x Python", Ratio(Metric::Large1M, Python), AtLeast(1.5)),
    ("1 MiB messages at least 1.5 x TypeScript", Ratio(Metric::Large1M, TypeScript), AtLeast(1.5)),
    ("8 MiB messages at least 1.5 x Python", Ratio(Metric::Large8M, Python), AtLeast(1.5)),
    ("8 MiB messages at least 1.5 x TypeScript", Ratio(Metric::Large8M, TypeScript), AtLeast(1.5)),
    (GROWTH_1M, Value(Metric::Growth1M, ""), AtMost(5.0)),
    (GROWTH_8M, Value(Metric::Growth8M, ""), AtMost(5.0)),
    ("16 calls in flight at least 30 x Python", Ratio(Metric::Calls16, Python), AtLeast(30.0)),
    (
        "16 calls in flight at least 2 x TypeScript",
        Ratio(Metric::Calls16, TypeScript),
        AtLeast(2.0),
    ),
    ("16 calls in flight at least 0.95 x floor", Ratio(Metric::Calls16, Floor), AtLeast(0.95)),
    ("16 hooks in flight at least 0.85 x floor", Ratio(Metric::Hooks16, Floor), AtLeast(0.85)),
    (
        "16 permissions in flight at least 0.85 x floor",
        Ratio(Metric::Permissions16, Floor),
        AtLeast(0.85),
    ),
    (ALONE, Ratio(Metric::Calls1, TypeScript), AtLeast(3.0)),
    (FIRST, Over(Metric::First), AtMost(2.0)),
    (
        "warm: first message in at most 0.1 x cold's time",
        Own(Metric::WarmFirst, Metric::ColdFirst),
        AtMost(0.1),
    ),
    (
        "warm: answer in at most 0.5 x cold's time",
        Own(Metric::WarmText, Metric::ColdText),
        AtMost(0.5),
    ),
];

/// Only for one CPU: elsewhere it is the waking of the other CPU that is measured.
const ALONE: &str = "one call at a time at least 3 x TypeScript";

/// Only for one CPU: on two, the allocator keeps memory that was freed for each thread.
const GROWTH_1M: &str = "1 MiB messages: growth at most 5 messages";
const GROWTH_8M: &str = "8 MiB messages: growth at most 5 messages";

/// Only for two CPUs: on one, the shells that guard the CLI start before it or after it, as the
/// system likes.
const FIRST: &str = "query() to first message at most 2 ms over the CLI";

/// Only for two CPUs: the parse has none beside it, so on one CPU it is spared the CLI's work.
const STREAM: &str = "stream events at least 1.0 x a bare parse";

/// The bars for which all that they compare was measured.
pub fn judge(results: &Results, same_cpu: bool) -> Vec<Bar> {
    let judged = |(promise, what, limit): &(&'static str, What, Limit)| {
        let is_elsewhere = match *promise {
            ALONE | GROWTH_1M | GROWTH_8M => !same_cpu,
            STREAM | FIRST => same_cpu || available_parallelism().map_or(1, usize::from) < 2,
            _ => false,
        };
        if is_elsewhere {
            return None;
        }
        let (rounds, unit) = match *what {
            Ratio(metric, to) => (results.ratios(metric, Ours, to), "x"),
            Value(metric, unit) => (results.rounds(Ours, metric).collect(), unit),
            Over(metric) => (over(results, metric, Ours), "ms"),
            Own(of, to) => (results.compared((Ours, of), (Ours, to), |of, to| of / to), "x"),
        };
        Bar::of(promise, rounds, unit, |value| match *limit {
            AtLeast(least) => value >= least,
            AtMost(most) => value <= most,
        })
    };
    BARS.iter().filter_map(judged).collect()
}

/// The differences to the floor inside the rounds.
pub fn over(results: &Results, metric: Metric, of: Name) -> Vec<f64> {
    results.compared((of, metric), (Floor, metric), |of, floor| of - floor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compared_was_measured_in_the_same_round() {
        let mut results = Results::default();
        for (round, [first, cold, warm]) in
            [[9.0, 70.0, 5.0], [5.0, 90.0, 1.0], [7.0, 50.0, 3.0]].into_iter().enumerate()
        {
            results.add(round, Ours, Metric::First, first);
            results.add(round, Ours, Metric::ColdFirst, cold);
            results.add(round, Ours, Metric::WarmFirst, warm);
            if round > 0 {
                results.add(round, Floor, Metric::First, 4.0);
            }
        }
        assert_eq!(over(&results, Metric::First, Ours), [1.0, 3.0]);
        let bars = judge(&results, true);
        let [warm] = &bars[..] else { panic!("{}", bars.len()) };
        assert_eq!((warm.value, warm.range), (3.0 / 50.0, Some((1.0 / 90.0, 5.0 / 70.0))));
    }
}
