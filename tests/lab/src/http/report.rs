use super::Results;
use super::metric::GROUPS;
use super::server::{Name, Server};
use crate::bars::Bar;
use crate::options::Options;
use crate::report::{bar_list, rounds, trouble};
use crate::table::{self, line};

pub fn render(
    options: &Options,
    servers: &[Server],
    results: &Results,
    bars: &[Bar],
    load: &str,
) -> String {
    let mut text = String::new();
    let placement = match (options.same_cpu, options.split_cpus) {
        (true, _) => "driver and servers on one CPU",
        (_, true) => "driver and servers with one CPU each",
        _ => "free placement",
    };
    let rounds = rounds(options);
    line(&mut text, format_args!("\n{placement}, {rounds}, load {load} before\n"));
    let columns: Vec<_> =
        servers.iter().map(|server| (server.name, server.name.as_str())).collect();
    let others: Vec<_> = match columns.iter().any(|(name, _)| *name == Name::Ours) {
        true => columns.iter().copied().filter(|(name, _)| *name != Name::Ours).collect(),
        false => Vec::new(),
    };
    table::rows(&mut text, &GROUPS, results, &columns);
    table::ratios(&mut text, &GROUPS, results, Name::Ours, &others);
    table::legend(&mut text, options.rounds, !others.is_empty());
    bar_list(&mut text, bars, "");
    trouble(&mut text, "wrong or missing answers", &results.faults);
    text
}
