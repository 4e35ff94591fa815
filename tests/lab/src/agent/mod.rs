//! The agent client beside the official SDKs, all of them on the same CLI, which this program plays
//! itself.

use anyhow::Result;

mod bars;
mod cli;
mod client;
mod floor;
mod json;
mod instructions;
mod measure;
mod metric;
mod report;

pub use cli::{SCENARIO, serve};

use crate::measure::is_due;
use crate::names;
use crate::options::Options;
use crate::process;
use crate::progress::show;
use client::Name;
use metric::Metric;

type Results = crate::results::Results<Name, Metric>;

/// Says whether all is well: no wrong answer and, unless it is quick, no missed bar either.
pub fn run(options: &Options) -> Result<bool> {
    names::check(options, &Name::ALL.map(Name::as_str), &measure::ALL.map(|(name, _)| name))?;
    let clients = client::prepare(options)?;
    let load = process::load_average();
    if options.same_cpu {
        process::stay_on_one_cpu()?;
    }
    let mut results = Results::default();
    for round in 0..options.rounds {
        take_round(round, &clients, options, &mut results);
    }
    show("");
    let bars = bars::judge(&results, options.same_cpu);
    print!("{}", report::render(options, &clients, &results, &bars, &load));
    if let Some(path) = &options.json {
        json::save(path, options, &clients, &results, &bars)?;
    }
    Ok(results.faults.is_empty() && (options.quick || bars.iter().all(|bar| bar.pass)))
}

/// All clients take a measure before the next one comes; who is first changes from round to round.
fn take_round(round: usize, clients: &[client::Client], options: &Options, results: &mut Results) {
    for (name, take) in measure::ALL {
        if !is_due(name, round, options) {
            continue;
        }
        for at in 0..clients.len() {
            let client = &clients[(at + round) % clients.len()];
            show(&format!(
                "round {} of {}: {name}, {}",
                round + 1,
                options.rounds,
                client.name.as_str()
            ));
            match take(client, options.quick) {
                Ok(readings) => readings
                    .into_iter()
                    .for_each(|(metric, value)| results.add(round, client.name, metric, value)),
                Err(error) => results.faults.push(format!(
                    "round {}: {}: {name}: {error:#}",
                    round + 1,
                    client.name.as_str()
                )),
            }
        }
    }
}
