use std::fmt::Write;

use crate::metric::Info;
use crate::results::Results;

/// What the columns on the right mean.
pub const VS: &str = "vs: how many times better ours is (below 1: worse), \
                      the median of the ratios inside each round";

/// Four significant digits at most, and thousands and millions by letter.
pub fn short(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{:.2}M", v / 1e6),
        v if v >= 1e5 => format!("{:.0}k", v / 1e3),
        v if v >= 1e4 => format!("{:.1}k", v / 1e3),
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

/// A header, then the medians of each group: a column for each of `columns`, and one for how many
/// times better `ours` is than each of `others`.
pub fn rows<N: Ord + Copy, M: Ord + Copy>(
    text: &mut String,
    groups: &[(&str, &[Info<M>])],
    results: &Results<N, M>,
    columns: &[(N, &str)],
    ours: N,
    others: &[(N, &str)],
) {
    let mut header = format!("{:36}", "");
    for (_, name) in columns {
        let _ = write!(header, "{name:>13}");
    }
    for (_, other) in others {
        let _ = write!(header, "{:>16}", format!("vs {other}"));
    }
    line(text, format_args!("{header}"));
    let is_measured = |info: &Info<M>| {
        columns.iter().any(|(name, _)| results.median(*name, info.metric).is_some())
    };
    for (group, metrics) in groups {
        if !metrics.iter().any(is_measured) {
            continue;
        }
        line(text, format_args!("{group}"));
        for info in *metrics {
            let mut row = format!("  {:34}", info.label);
            for (name, _) in columns {
                let value =
                    results.median(*name, info.metric).map_or_else(|| "-".to_owned(), short);
                let _ = write!(row, "{value:>13}");
            }
            for (other, _) in others {
                let times = gain(results, info, ours, *other)
                    .map_or_else(|| "-".to_owned(), |gain| short(gain) + "x");
                let _ = write!(row, "{times:>16}");
            }
            line(text, format_args!("{row}"));
        }
    }
}

/// How many times better ours is, whether less or more is good.
pub fn gain<N: Ord + Copy, M: Ord + Copy>(
    results: &Results<N, M>,
    info: &Info<M>,
    ours: N,
    other: N,
) -> Option<f64> {
    let (of, to) = if info.rate { (ours, other) } else { (other, ours) };
    results.ratio(info.metric, of, to)
}

pub fn line(text: &mut String, what: std::fmt::Arguments) {
    let _ = writeln!(text, "{what}");
}
