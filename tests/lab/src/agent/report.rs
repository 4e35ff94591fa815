use std::fmt::Write;

use super::Results;
use super::bars::over;
use super::client::{Client, Name};
use super::metric::{GROUPS, Metric};
use crate::bars::Bar;
use crate::options::Options;
use crate::report::{bar_list, trouble};
use crate::table::{self, NONE, line, spread};

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
    table(&mut text, clients, results, options.rounds);
    bar_list(&mut text, bars, "");
    trouble(&mut text, "wrong or missing answers", &results.faults);
    text
}

fn table(text: &mut String, clients: &[Client], results: &Results, rounds: usize) {
    let others: Vec<Name> =
        clients.iter().map(|client| client.name).filter(|name| *name != Name::Ours).collect();
    let columns: Vec<_> =
        clients.iter().map(|client| (client.name, client.name.as_str())).collect();
    let others: Vec<_> = others.into_iter().map(|other| (other, other.as_str())).collect();
    table::rows(text, &GROUPS, results, &columns);
    let mut row = format!("  {:34}", "  over the CLI's own, ms");
    let mut is_known = false;
    for client in clients {
        let rounds = over(results, Metric::First, client.name);
        is_known |= !rounds.is_empty();
        let _ = write!(row, "{:>13}", spread(rounds).as_deref().unwrap_or(NONE));
    }
    if is_known {
        line(text, format_args!("{row}"));
    }
    table::ratios(text, &GROUPS, results, Name::Ours, &others);
    table::legend(text, rounds, !others.is_empty());
}
