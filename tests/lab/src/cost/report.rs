use super::Results;
use super::metric::GROUPS;
use super::program::KINDS;
use crate::bars::Bar;
use crate::options::Options;
use crate::report::{bar_list, rounds, trouble};
use crate::table::{self, line};

/// The programs, a table for each kind.
pub fn render(options: &Options, results: &Results, load: &str) -> String {
    let mut text = String::new();
    let rounds = rounds(options);
    line(&mut text, format_args!("\nbuilds of a user's program, {rounds}, load {load} before"));
    for (kind, programs) in KINDS {
        let has_any = |name| {
            GROUPS.iter().any(|(_, metrics)| {
                metrics.iter().any(|info| results.median(name, info.metric).is_some())
            })
        };
        let columns: Vec<_> = programs.iter().copied().filter(|(name, _)| has_any(*name)).collect();
        let Some((first, _)) = columns.first() else { continue };
        line(&mut text, format_args!("\n{kind}\n"));
        let others: Vec<_> =
            columns.iter().copied().filter(|(name, _)| name.family() != "ours").collect();
        table::rows(&mut text, &GROUPS, results, &columns);
        table::ratios(&mut text, &GROUPS, results, *first, &others);
    }
    table::legend(&mut text, options.rounds, true);
    text
}

/// What was promised, and what went wrong.
pub fn verdicts(results: &Results, bars: &[Bar]) -> String {
    let mut text = String::new();
    bar_list(&mut text, bars, "");
    trouble(&mut text, "builds that failed", &results.faults);
    text
}
