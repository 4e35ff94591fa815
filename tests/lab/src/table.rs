use std::fmt::Write;

use crate::metric::Info;
use crate::results::{Results, median, range};

/// What stands beside medians.
const SPREAD: &str = "±: half of the way from the lowest to the highest round, in % of the median";
/// What the ratios mean.
const VS: &str = "vs: how many times better ours is (below 1: worse), \
                  the median of the ratios inside each round";
const RANGE: &str = ", then the lowest and the highest of them";

/// Stands where nothing was measured.
pub const NONE: &str = "-";

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

/// The median of the rounds, with their spread if there are several.
pub fn spread(rounds: Vec<f64>) -> Option<String> {
    let range = range(&rounds);
    let median = median(rounds)?;
    let percent = range.map(|(low, high)| (high - low) / 2.0 / median.abs() * 100.0);
    // The median may be 0.
    Some(match percent.filter(|percent| percent.is_finite()) {
        Some(percent) => format!("{} ±{percent:.0}%", short(median)),
        None => short(median),
    })
}

/// The lowest and the highest round, if there are several.
pub fn between(range: Option<(f64, f64)>) -> String {
    range.map_or_else(String::new, |(low, high)| format!(" ({}-{})", short(low), short(high)))
}

/// The median of the ratios inside the rounds, and their range.
fn times(ratios: Vec<f64>) -> Option<String> {
    let range = between(range(&ratios));
    Some(short(median(ratios)?) + "x" + &range)
}

/// A header, then the medians of each group: a column for each of `columns`.
pub fn rows<N: Ord + Copy, M: Ord + Copy>(
    text: &mut String,
    groups: &[(&str, &[Info<M>])],
    results: &Results<N, M>,
    columns: &[(N, &str)],
) {
    grid(text, groups, columns, 13, |info, name| {
        spread(results.rounds(name, info.metric).collect())
    });
}

/// The same for how many times better `ours` is than each of `others`; nothing if there are none.
pub fn ratios<N: Ord + Copy, M: Ord + Copy>(
    text: &mut String,
    groups: &[(&str, &[Info<M>])],
    results: &Results<N, M>,
    ours: N,
    others: &[(N, &str)],
) {
    if others.is_empty() {
        return;
    }
    let headed: Vec<_> = others.iter().map(|(name, text)| (*name, format!("vs {text}"))).collect();
    let columns: Vec<_> = headed.iter().map(|(name, text)| (*name, text.as_str())).collect();
    line(text, format_args!(""));
    grid(text, groups, &columns, 20, |info, other| times(gains(results, info, ours, other)));
}

/// Groups that have no cell at all are left out.
fn grid<N: Copy, M>(
    text: &mut String,
    groups: &[(&str, &[Info<M>])],
    columns: &[(N, &str)],
    width: usize,
    cell: impl Fn(&Info<M>, N) -> Option<String>,
) {
    let mut header = format!("{:36}", "");
    for (_, name) in columns {
        let _ = write!(header, "{name:>width$}");
    }
    line(text, format_args!("{header}"));
    for (group, metrics) in groups {
        let cells = |info| columns.iter().map(|(name, _)| cell(info, *name)).collect::<Vec<_>>();
        let rows: Vec<_> = metrics.iter().map(|info| (info.label, cells(info))).collect();
        if rows.iter().all(|(_, cells)| cells.iter().all(Option::is_none)) {
            continue;
        }
        line(text, format_args!("{group}"));
        for (label, cells) in rows {
            let mut row = format!("  {label:34}");
            for cell in cells {
                let _ = write!(row, "{:>width$}", cell.as_deref().unwrap_or(NONE));
            }
            line(text, format_args!("{row}"));
        }
    }
}

/// What a reader of the tables above must know.
pub fn legend(text: &mut String, rounds: usize, has_ratios: bool) {
    let notes = [(rounds > 1, SPREAD, ""), (has_ratios, VS, if rounds > 1 { RANGE } else { "" })];
    for (is_needed, note, more) in notes {
        if is_needed {
            line(text, format_args!("\n{note}{more}"));
        }
    }
}

/// How many times better ours is in each round, whether less or more is good.
fn gains<N: Ord + Copy, M: Ord + Copy>(
    results: &Results<N, M>,
    info: &Info<M>,
    ours: N,
    other: N,
) -> Vec<f64> {
    let (of, to) = if info.rate { (ours, other) } else { (other, ours) };
    results.ratios(info.metric, of, to)
}

/// The median of it.
pub fn gain<N: Ord + Copy, M: Ord + Copy>(
    results: &Results<N, M>,
    info: &Info<M>,
    ours: N,
    other: N,
) -> Option<f64> {
    median(gains(results, info, ours, other))
}

pub fn line(text: &mut String, what: std::fmt::Arguments) {
    let _ = writeln!(text, "{what}");
}

#[cfg(test)]
mod tests;
