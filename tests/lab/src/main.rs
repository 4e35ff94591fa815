//! Measures Toolwright's stdio server beside rmcp, the TypeScript and Python SDKs, a loop by hand
//! and a line echo that does nothing, its HTTP server beside rmcp, the TypeScript SDK and a handler
//! by hand, and its agent client beside the official SDKs and programs by hand.
//!
//! `cargo run --release --manifest-path tests/lab/Cargo.toml -- --help` lists the options;
//! `README.md` says how to read what comes out.

use std::process::ExitCode;

mod options;
mod names;

mod answer;
mod call;
mod driver;
mod inbox;
mod process;
mod watchdog;
mod killed;
mod cleared;
mod leashed;
mod ready;
mod session;
mod stdio;

mod floor;
mod raw;

mod artifact;
mod callgrind;
mod model;
mod progress;
mod measure;
mod metric;
mod results;
mod round;
mod servers;

mod agent;
mod bars;
mod cost;
mod endure;
mod fleet;
mod hostile;
mod http;
mod json;
mod picture;
mod draw;
mod report;
mod table;
mod needs;

use call::Era;
use options::{Command, Options};

fn main() -> ExitCode {
    if let Ok(scenario) = std::env::var(agent::SCENARIO) {
        return ended(agent::serve(&scenario).map(|()| true));
    }
    let outcome = match options::parse(std::env::args().skip(1)) {
        Ok(Command::Raw) => raw::serve().map(|()| true).map_err(Into::into),
        Ok(Command::Floor) => floor::serve().map(|()| true).map_err(Into::into),
        Ok(Command::FloorShared) => floor::serve_shared().map(|()| true).map_err(Into::into),
        Ok(Command::HttpFloor) => http::serve_floor().map(|()| true),
        Ok(Command::Leashed(words)) => leashed::run(&words).map(|()| true),
        Ok(Command::Help) => {
            print!("{}", options::HELP);
            Ok(true)
        }
        Ok(Command::Speed(options)) => speed(&options),
        Ok(Command::Http(options)) => http::run(&options),
        Ok(Command::Agent(options)) => agent::run(&options),
        Ok(Command::Cost(options)) => cost::run(&options),
        Ok(Command::Endure(options)) => endure::run(&options),
        Ok(Command::Hostile(options)) => hostile::run(&options),
        Ok(Command::Fleet(options)) => fleet::run(&options),
        Ok(Command::Needs(args)) => needs::run(args.into_iter()),
        Ok(Command::Draw([json, metric, svg])) => draw::run(json.as_ref(), &metric, svg.as_ref()),
        Err(error) => Err(error),
    };
    ended(outcome)
}

fn ended(outcome: anyhow::Result<bool>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("toolwright-lab: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Says whether all is well: no wrong answer, no bad exit of ours and, unless it is quick, no
/// missed bar either.
fn speed(options: &Options) -> anyhow::Result<bool> {
    let measures = measure::ALL.map(|(name, _)| name);
    names::check(options, &servers::Name::ALL.map(servers::Name::as_str), &measures)?;
    let servers = servers::prepare(options)?;
    let load = process::load_average();
    if options.same_cpu {
        process::stay_on_one_cpu()?;
    }
    let mut results = results::Results::default();
    for round in 0..options.rounds {
        round::run(round, &servers, options, &mut results);
    }
    let verdict = bars::judge(&results, options.same_cpu && options.era == Era::Legacy);
    print!("{}", report::render(options, &servers, &results, &verdict, &load));
    if let Some(path) = &options.json {
        json::save(path, options, &servers, &results, &verdict.bars)?;
    }
    let our_bad_exit = results
        .bad_exits
        .iter()
        .any(|(server, _)| matches!(server, servers::Name::Ours | servers::Name::Ours50));
    let is_missed = !options.quick && verdict.bars.iter().any(|bar| !bar.pass);
    Ok(results.faults.is_empty() && !our_bad_exit && !is_missed)
}
