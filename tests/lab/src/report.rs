use std::collections::BTreeMap;

use crate::bars::{Bar, Verdict};
use crate::call::{Era, LEGACY_VERSION, STATELESS_VERSION};
use crate::metric::GROUPS;
use crate::options::Options;
use crate::results::Results;
use crate::servers::{Name, Server};
use crate::table::{self, between, line, short};

pub fn render(
    options: &Options,
    servers: &[Server],
    results: &Results,
    verdict: &Verdict,
    load: &str,
) -> String {
    let mut text = String::new();
    heading(&mut text, options, load);
    table(&mut text, servers, results, options.rounds);
    bar_list(&mut text, &verdict.bars, "");
    if verdict.elsewhere > 0 {
        let bars = verdict.elsewhere;
        let why = "free placement measures how one CPU wakes the other, and requests with _meta \
                   are longer";
        line(
            &mut text,
            format_args!(
                "\nnot judged: {bars} bars of calls, set for --pin same --era legacy; {why}"
            ),
        );
    }
    trouble(&mut text, "wrong or missing answers", &results.faults);
    trouble(&mut text, "servers that did not end well", &counted(&results.bad_exits));
    trouble(&mut text, "doubtful readings", &results.doubts);
    text
}

fn heading(text: &mut String, options: &Options, load: &str) {
    let placement =
        if options.same_cpu { "driver and servers on one CPU" } else { "free placement" };
    let era = match options.era {
        Era::Legacy => format!("legacy {LEGACY_VERSION}"),
        Era::Stateless => format!("stateless {STATELESS_VERSION}"),
    };
    let rounds = rounds(options);
    line(text, format_args!("\n{placement}, {era}, {rounds}, load {load} before\n"));
}

fn table(text: &mut String, servers: &[Server], results: &Results, rounds: usize) {
    let ours = servers.iter().any(|server| server.name == Name::Ours);
    let others: Vec<Name> = Name::others()
        .filter(|other| ours && servers.iter().any(|server| server.name == *other))
        .collect();

    let columns: Vec<_> =
        servers.iter().map(|server| (server.name, server.name.as_str())).collect();
    let others: Vec<_> = others.into_iter().map(|other| (other, other.as_str())).collect();
    table::rows(text, &GROUPS, results, &columns);
    table::ratios(text, &GROUPS, results, Name::Ours, &others);
    table::legend(text, rounds, !others.is_empty());
}

/// What the figures are medians of.
pub fn rounds(options: &Options) -> String {
    match options.rounds {
        1 => "1 round".to_owned(),
        n => format!("medians of {n} rounds"),
    }
}

pub fn bar_list(text: &mut String, bars: &[Bar], note: &str) {
    if bars.is_empty() {
        return;
    }
    line(text, format_args!("\nbars{note}"));
    for bar in bars {
        let verdict = if bar.pass { "pass" } else { "FAIL" };
        let value = format!("{} {}", short(bar.value), bar.unit);
        let range = between(bar.range);
        line(text, format_args!("  {verdict}  {:50}{value:>12}{range}", bar.promise));
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
