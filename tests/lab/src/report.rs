use std::collections::BTreeMap;
use std::fmt::Write;

use crate::bars::Bar;
use crate::call::{Era, LEGACY_VERSION, STATELESS_VERSION};
use crate::metric::{GROUPS, Info};
use crate::options::Options;
use crate::results::Results;
use crate::servers::{Name, Server};

pub fn render(
    options: &Options,
    servers: &[Server],
    results: &Results,
    bars: &[Bar],
    load: &str,
) -> String {
    let mut text = String::new();
    heading(&mut text, options, load);
    table(&mut text, servers, results);
    let note = if options.same_cpu {
        ""
    } else {
        " (set for --pin same; free placement hides most differences)"
    };
    bar_list(&mut text, bars, note);
    trouble(&mut text, "wrong or missing answers", &results.faults);
    trouble(&mut text, "servers that did not end well", &counted(&results.bad_exits));
    trouble(&mut text, "doubtful readings", &results.doubts);
    text
}

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

fn heading(text: &mut String, options: &Options, load: &str) {
    let placement =
        if options.same_cpu { "driver and servers on one CPU" } else { "free placement" };
    let era = match options.era {
        Era::Legacy => format!("legacy {LEGACY_VERSION}"),
        Era::Stateless => format!("stateless {STATELESS_VERSION}"),
    };
    let rounds = match options.rounds {
        1 => "1 round".to_owned(),
        n => format!("medians of {n} rounds"),
    };
    line(text, format_args!("\n{placement}, {era}, {rounds}, load {load} before\n"));
}

fn table(text: &mut String, servers: &[Server], results: &Results) {
    let ours = servers.iter().any(|server| server.name == Name::Ours);
    let others: Vec<Name> = [Name::Rmcp, Name::Floor, Name::Raw]
        .into_iter()
        .filter(|other| ours && servers.iter().any(|server| server.name == *other))
        .collect();

    let mut header = format!("{:36}", "");
    for server in servers {
        let _ = write!(header, "{:>10}", server.name.as_str());
    }
    for other in &others {
        let _ = write!(header, "{:>10}", format!("vs {}", other.as_str()));
    }
    line(text, format_args!("{header}"));

    for (group, metrics) in GROUPS {
        if !metrics.iter().any(|info| {
            servers.iter().any(|server| results.median(server.name, info.metric).is_some())
        }) {
            continue;
        }
        line(text, format_args!("{group}"));
        for info in metrics {
            let mut row = format!("  {:34}", info.label);
            for server in servers {
                let value =
                    results.median(server.name, info.metric).map_or_else(|| "-".to_owned(), short);
                let _ = write!(row, "{value:>10}");
            }
            for other in &others {
                let times = gain(results, info, *other)
                    .map_or_else(|| "-".to_owned(), |gain| short(gain) + "x");
                let _ = write!(row, "{times:>10}");
            }
            line(text, format_args!("{row}"));
        }
    }
    if !others.is_empty() {
        line(text, format_args!("\n{VS}"));
    }
}

/// How many times better ours is, whether less or more is good.
pub fn gain(results: &Results, info: &Info, other: Name) -> Option<f64> {
    let (of, to) = if info.rate { (Name::Ours, other) } else { (other, Name::Ours) };
    results.ratio(info.metric, of, to)
}

pub fn bar_list(text: &mut String, bars: &[Bar], note: &str) {
    if bars.is_empty() {
        return;
    }
    line(text, format_args!("\nbars{note}"));
    for bar in bars {
        let verdict = if bar.pass { "pass" } else { "FAIL" };
        let value = format!("{} {}", short(bar.value), bar.unit);
        line(text, format_args!("  {verdict}  {:50}{value:>12}", bar.promise));
    }
}

/// Each kind of bad exit once.
fn counted(exits: &[(Name, String)]) -> Vec<String> {
    let mut counts = BTreeMap::new();
    for (server, what) in exits {
        *counts.entry(format!("{} {what}", server.as_str())).or_insert(0) += 1;
    }
    counts.into_iter().map(|(what, count)| format!("{what} ({count} x)")).collect()
}

pub fn trouble(text: &mut String, what: &str, list: &[String]) {
    if list.is_empty() {
        return;
    }
    line(text, format_args!("\n{what}"));
    for item in list {
        line(text, format_args!("  {item}"));
    }
}

pub fn line(text: &mut String, what: std::fmt::Arguments) {
    let _ = writeln!(text, "{what}");
}
