//! Millions of calls and thousands of runs, in every way in which they can end: nothing may be
//! answered twice or not at all, and nothing may be left.

use anyhow::Result;

mod child;
mod sample;
mod plan;
mod stdio;
mod in_process;
mod connection;
mod http;
mod leftovers;
mod runs;
mod bars;
mod report;
mod json;

pub use sample::Sample;

use crate::bars::Bar;
use crate::options::Options;
use crate::process;
use crate::progress::show;
use plan::{Endured, Plan};
use runs::Ended;

/// Everything that a report is about.
#[derive(Default)]
struct Results {
    calls: Vec<(&'static str, Endured)>,
    runs: Option<Ended>,
    bars: Vec<Bar>,
    faults: Vec<String>,
}

type Run = fn(&Plan, &dyn Fn(&str)) -> Result<Endured>;

const CALLS: [(&str, Run); 3] =
    [("stdio", stdio::run), ("process", in_process::run), ("http", http::run)];

/// Says whether all is well, also if it is quick: none of this is about speed.
pub fn run(options: &Options) -> Result<bool> {
    let plan = Plan::new(options)?;
    let load = process::load_average();
    let mut results = Results::default();
    for (way, run) in CALLS.into_iter().filter(|(way, _)| options.wants(way)) {
        match run(&plan, &show) {
            Ok(endured) => {
                results.bars.extend(bars::judge(way, &endured, plan.quick));
                results.calls.push((way, endured));
            }
            Err(error) => results.faults.push(format!("{way}: {error:#}")),
        }
    }
    if options.wants("agent") {
        match runs::run(&plan, &show) {
            Ok(ended) => {
                results.bars.extend(bars::judge_runs(&ended, plan.quick));
                results.runs = Some(ended);
            }
            Err(error) => results.faults.push(format!("agent: {error:#}")),
        }
    }
    show("");
    print!("{}", report::render(&plan, &results, &load));
    if let Some(path) = &options.json {
        json::save(path, &plan, &results)?;
    }
    Ok(results.faults.is_empty() && results.bars.iter().all(|bar| bar.pass))
}
