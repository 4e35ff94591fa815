use std::fmt::Write;

use super::Results;
use super::bars::over;
use super::client::{Client, Name};
use super::metric::{GROUPS, Info, Metric};
use crate::bars::Bar;
use crate::options::Options;
use crate::report::{VS, bar_list, line, short, trouble};

pub fn render(
    options: &Options,
    clients: &[Client],
    results: &Results,
    bars: &[Bar],
    load: &str,
) -> String {
    let mut text = String::new();
    let placement = if options.same_cpu { "client and CLI on one CPU" } else { "free placement" };
    let runtime = if options.current_runtime { ", ours on a current-thread runtime" } else { "" };
    line(
        &mut text,
        format_args!(
            "\n{placement}{runtime}, medians of {} rounds, load {load} before\n",
            options.rounds
        ),
    );
    table(&mut text, clients, results);
    bar_list(&mut text, bars, "");
    trouble(&mut text, "wrong or missing answers", &results.faults);
    text
}

fn table(text: &mut String, clients: &[Client], results: &Results) {
    let others: Vec<Name> =
        clients.iter().map(|client| client.name).filter(|name| *name != Name::Ours).collect();
    let mut header = format!("{:32}", "");
    for client in clients {
        let _ = write!(header, "{:>12}", client.name.as_str());
    }
    for other in &others {
        let _ = write!(header, "{:>14}", format!("vs {}", other.as_str()));
    }
    line(text, format_args!("{header}"));
    for (group, metrics) in GROUPS {
        if !metrics.iter().any(|info| {
            clients.iter().any(|client| results.median(client.name, info.metric).is_some())
        }) {
            continue;
        }
        line(text, format_args!("{group}"));
        for info in metrics {
            let mut row = format!("  {:30}", info.label);
            for client in clients {
                let value =
                    results.median(client.name, info.metric).map_or_else(|| "-".to_owned(), short);
                let _ = write!(row, "{value:>12}");
            }
            for other in &others {
                let times = gain(results, info, *other)
                    .map_or_else(|| "-".to_owned(), |gain| short(gain) + "x");
                let _ = write!(row, "{times:>14}");
            }
            line(text, format_args!("{row}"));
        }
    }
    let mut row = format!("  {:30}", "  over the CLI's own, ms");
    let mut is_known = false;
    for client in clients {
        let value = over(results, Metric::First, client.name);
        is_known |= value.is_some();
        let _ = write!(
            row,
            "{:>12}",
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
        );
    }
    if is_known {
        line(text, format_args!("{row}"));
    }
    line(text, format_args!("\n{VS}"));
}

/// How many times better ours is, whether less or more is good.
pub fn gain(results: &Results, info: &Info, other: Name) -> Option<f64> {
    let (of, to) = if info.rate { (Name::Ours, other) } else { (other, Name::Ours) };
    results.ratio(info.metric, of, to)
}
