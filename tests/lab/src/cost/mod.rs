//! What a user's build takes: whole programs, one more tool, and a feature.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};

mod project;
mod program;
mod metric;
mod measure;
mod tool_cost;
mod features;
mod bars;
mod report;
mod json;

pub use project::Scratch;

use crate::names;
use crate::options::Options;
use crate::process;
use crate::progress::show;
use measure::{Folders, Readings};
use metric::Metric;
use program::Name;
use project::{Project, run_cargo};

/// Of programs; those of tools are the commands of [`tool_cost`].
const MEASURES: [&str; 3] = ["crates", "build", "edit"];

type Results = crate::results::Results<Name, Metric>;

/// Measures and prints, and says whether all is well: no failed build and no missed bar, of which
/// a quick run judges the crates alone.
pub fn run(options: &Options) -> Result<bool> {
    check_names(options)?;
    let load = process::load_average();
    let mut results = Results::default();
    let programs = measure_programs(options, &mut results)?;
    let tools = match tool_cost::COMMANDS.iter().any(|(name, _)| is_wanted(options, name)) {
        true => tool_cost::measure_all(options)?,
        false => Vec::new(),
    };
    let features = match is_wanted(options, features::MEASURE) && options.wants("ours") {
        true => features::measure_all(options, &mut results.faults)?,
        false => Vec::new(),
    };
    let is_measured = programs > 0 || !tools.is_empty() || !features.is_empty();
    ensure!(is_measured, "nothing is left to measure; --help lists names");
    let mut bars = bars::judge_crates(&results)?;
    // The other bars are speed.
    let crates_pass = bars.iter().all(|bar| bar.pass);
    bars.extend(bars::judge_builds(&results));
    bars.extend(tool_cost::judge(&tools));
    if programs > 0 {
        print!("{}", report::render(options, &results, &load));
    }
    print!(
        "{}{}",
        tool_cost::render(&tools, options.rounds),
        features::render(&features, options.rounds)
    );
    print!("{}", report::verdicts(&results, &bars));
    if let Some(path) = &options.json {
        json::save(path, options, &results, (&tools, &features), &bars)?;
    }
    let is_met = crates_pass && (options.quick || bars.iter().all(|bar| bar.pass));
    Ok(results.faults.is_empty() && is_met)
}

fn check_names(options: &Options) -> Result<()> {
    let programs = Name::all().flat_map(|name| [name.as_str(), name.family()]);
    let libraries = tool_cost::LIBRARIES.map(|(name, _)| name);
    // The families are those of several programs.
    let only: BTreeSet<_> = programs.chain(libraries).collect();
    let tools = tool_cost::COMMANDS.map(|(name, _)| name);
    let measures = [&MEASURES[..], &tools, &[features::MEASURE]].concat();
    names::check(options, &Vec::from_iter(only), &measures)
}

/// A quick run counts crates and builds one program after an edit; what takes minutes is left out
/// unless it is asked for.
fn is_wanted(options: &Options, measure: &str) -> bool {
    let is_long = !["crates", "edit"].contains(&measure);
    options.wants_measure(measure) && !(options.quick && options.measures.is_empty() && is_long)
}

/// All programs take a measure before the next one comes; who is first changes from round to round.
/// Says how many programs there were.
fn measure_programs(options: &Options, results: &mut Results) -> Result<usize> {
    let measures: Vec<_> = MEASURES.into_iter().filter(|name| is_wanted(options, name)).collect();
    let is_chosen = |name: &Name| options.wants(name.as_str()) || options.wants(name.family());
    let names: Vec<Name> = match measures.is_empty() {
        true => Vec::new(),
        false => Name::all().filter(is_chosen).collect(),
    };
    let folders = Folders::new()?;
    let mut programs: Vec<(Name, Project)> = Vec::new();
    for name in names {
        let project = name.write(&folders.kept.join("programs"))?;
        run_cargo(&project.folder, &["fetch", "--quiet"])?;
        programs.push((name, project));
    }
    for measure in measures {
        // A quick run builds one program, unless it is asked for more.
        let is_left_out = |name| {
            options.quick && options.measures.is_empty() && measure == "edit" && name != Name::Stdio
        };
        let mut programs: Vec<&(Name, Project)> =
            programs.iter().filter(|(name, _)| !is_left_out(*name)).collect();
        for round in 0..options.rounds {
            for (name, project) in &programs {
                let who = name.as_str();
                show(&format!("round {} of {}: {measure}, {who}", round + 1, options.rounds));
                match take(measure, *name, project, &folders) {
                    Ok(readings) => readings
                        .into_iter()
                        .for_each(|(metric, value)| results.add(round, *name, metric, value)),
                    Err(error) => results.faults.push(format!("{who}: {measure}: {error:#}")),
                }
            }
            if !programs.is_empty() {
                programs.rotate_left(1);
            }
        }
    }
    show("");
    Ok(programs.len())
}

fn take(measure: &str, name: Name, project: &Project, folders: &Folders) -> Result<Readings> {
    match measure {
        "crates" => Ok(vec![(Metric::Crates, measure::crates(project)?)]),
        "build" => measure::build(project, name, folders),
        _ => measure::edit(project, name, folders),
    }
}
