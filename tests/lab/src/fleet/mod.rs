//! `examples/fleet` with 1, 2, 4 and 8 workers, on a queue, a database, a tool server and a model
//! of this machine.

use std::path::Path;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::json;

#[path = "../../../it/replicas/port.rs"]
mod port;
mod server;
mod tree;
mod database;
mod queue;
mod model;
mod site;
mod metric;
mod measure;
mod bars;
mod pictures;

use crate::artifact::root;
use crate::bars::Bar;
use crate::cost::Scratch;
use crate::json::{promises, readings, write};
use crate::names;
use crate::options::Options;
use crate::process;
use crate::progress::show;
use crate::report::{bar_list, rounds, trouble};
use crate::table::{self, line};
use measure::Load;
use metric::{GROUPS, Metric, Model, What};
use site::Programs;

/// Of so many workers.
type Results = crate::results::Results<usize, Metric>;

const COLUMNS: [(usize, &str); 4] =
    [(1, "1 worker"), (2, "2 workers"), (4, "4 workers"), (8, "8 workers")];
const MODELS: [(&str, Model); 2] = [("slow", Model::Slow), ("instant", Model::Instant)];

const USUAL: Load = Load { sessions: 4, delay: Duration::from_secs(3) };
const QUICK: Load = Load { sessions: 2, delay: Duration::from_millis(500) };

/// Says whether all is well: no wrong answer and, unless it is quick, no missed bar either.
pub fn run(options: &Options) -> Result<bool> {
    names::check(options, &[], &MODELS.map(|(model, _)| model))?;
    ensure!(
        !options.pictures || (!options.quick && options.wants_measure("slow")),
        "--pictures needs a run that is not quick, with the slow model"
    );
    let programs = Programs::prepare(options)?;
    let scratch = Scratch::new()?;
    // A container may have a quota of fewer than it may run on.
    let (load, cpus) = (process::load_average(), available_parallelism()?.get());
    let columns = if options.quick { &COLUMNS[..2] } else { &COLUMNS };
    let mut results = Results::default();
    for round in 0..options.rounds {
        take_round(round, &programs, &scratch.0, columns, options, &mut results);
    }
    show("");
    let bars = bars::judge(&results, cpus);
    let machine = format!("{cpus} CPUs, {}, load {load} before", rounds(options));
    print!("{}", render(columns, &results, &bars, &machine, options.rounds));
    if let Some(path) = &options.json {
        save(path, options, columns, &results, &bars)?;
    }
    let is_whole = results.faults.is_empty();
    if options.pictures && is_whole {
        pictures::save(&root().join("docs/pictures"), &results, columns, cpus)?;
    }
    Ok(is_whole && (options.quick || bars.iter().all(|bar| bar.pass)))
}

fn take_round(
    round: usize,
    programs: &Programs,
    scratch: &Path,
    columns: &[(usize, &str)],
    options: &Options,
    results: &mut Results,
) {
    // A quick round of the slow model sees all that there is to see.
    let models = MODELS.iter().filter(|(name, _)| options.wants_measure(name));
    for (name, model) in models.take(if options.quick { 1 } else { 2 }) {
        let mut rates = Vec::new();
        for (workers, column) in columns {
            let what = format!("{name}, {column}");
            show(&format!("round {} of {}: {what}", round + 1, options.rounds));
            let folder = scratch.join(format!("{round}-{name}-{workers}"));
            let load = if options.quick { QUICK } else { USUAL };
            match measure::take(programs, &folder, (*model, load), *workers) {
                Ok(readings) => {
                    for ((model, what), value) in readings {
                        results.add(round, *workers, (model, what), value);
                        if what == What::Rate {
                            rates.push((*workers, value));
                        }
                    }
                }
                Err(error) => {
                    results.faults.push(format!("round {}: {what}: {error:#}", round + 1));
                }
            }
        }
        let Some((1, one)) = rates.first().copied() else { continue };
        for (workers, rate) in rates {
            results.add(round, workers, (*model, What::SpeedUp), rate / one);
        }
    }
}

fn render(
    columns: &[(usize, &str)],
    results: &Results,
    bars: &[Bar],
    machine: &str,
    rounds: usize,
) -> String {
    let mut text = String::new();
    line(&mut text, format_args!("\nall on {machine}\n"));
    table::rows(&mut text, &GROUPS, results, columns);
    table::legend(&mut text, rounds, false);
    bar_list(&mut text, bars, "");
    trouble(&mut text, "what went wrong", &results.faults);
    text
}

/// Writes every reading, for a program to compare with another run's.
fn save(
    path: &Path,
    options: &Options,
    columns: &[(usize, &str)],
    results: &Results,
    bars: &[Bar],
) -> Result<()> {
    let all = json!({
        "rounds": options.rounds,
        "quick": options.quick,
        "metrics": readings(results, &GROUPS, columns, "workers"),
        "bars": promises(bars),
        "faults": results.faults,
    });
    write(path, &all)
}
