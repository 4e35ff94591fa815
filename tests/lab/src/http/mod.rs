//! The HTTP server beside rmcp's, the TypeScript SDK's, and a handler by hand.

use anyhow::{Context, Result};
use rustix::process::{Resource, getrlimit, setrlimit};

mod floor;
pub mod response;
mod server;
mod connection;
mod session;
mod load;
mod measure;
mod instructions;
mod metric;
mod bars;
mod json;
mod report;

pub use floor::serve as serve_floor;
pub use server::Process;

use crate::measure::is_due;
use crate::names;
use crate::options::Options;
use crate::process;
use crate::progress::show;
use measure::Driver;
use metric::Metric;
use server::{Name, Server};

type Results = crate::results::Results<Name, Metric>;

/// Says whether all is well: no wrong answer and, unless it is quick, no missed bar either.
pub fn run(options: &Options) -> Result<bool> {
    names::check(options, &Name::ALL.map(Name::as_str), &measure::ALL.map(|(name, _)| name))?;
    let servers = server::prepare(options)?;
    allow_descriptors()?;
    let load = process::load_average();
    if options.same_cpu {
        process::stay_on_one_cpu()?;
    }
    let driver = Driver::new(options)?;
    let mut results = Results::default();
    for round in 0..options.rounds {
        take_round(round, &servers, &driver, options, &mut results);
    }
    show("");
    let bars = bars::judge(&results);
    print!("{}", report::render(options, &servers, &results, &bars, &load));
    if let Some(path) = &options.json {
        json::save(path, options, &servers, &results, &bars)?;
    }
    Ok(results.faults.is_empty() && (options.quick || bars.iter().all(|bar| bar.pass)))
}

/// All servers take a measure before the next one comes; who is first changes from round to round.
fn take_round(
    round: usize,
    servers: &[Server],
    driver: &Driver,
    options: &Options,
    results: &mut Results,
) {
    for (name, take) in measure::ALL {
        if !is_due(name, round, options) {
            continue;
        }
        for at in 0..servers.len() {
            let server = &servers[(at + round) % servers.len()];
            let who = server.name.as_str();
            show(&format!("round {} of {}: {name}, {who}", round + 1, options.rounds));
            match take(driver, server) {
                Ok(readings) => readings
                    .into_iter()
                    .for_each(|(metric, value)| results.add(round, server.name, metric, value)),
                Err(error) => {
                    results.faults.push(format!("round {}: {who}: {name}: {error:#}", round + 1));
                }
            }
        }
    }
}

/// Allows as many connections as the system does: the usual limit is 1,024 descriptors.
fn allow_descriptors() -> Result<()> {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).context("allowing more descriptors")
}
