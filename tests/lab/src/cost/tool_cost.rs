//! What one more tool adds to the build of a user's server: programs with many tools and one with
//! none, each built again after a change of its source, as a user's edit does it.

mod source;

use std::fs::File;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

use super::project::{Build, Library, Project, Scratch};
use crate::options::Options;
use crate::results::median;
use source::{Tools, source};

/// The first is what the others are compared with.
const PROGRAMS: [(&str, Tools); 3] =
    [("none", Tools::None), ("plain", Tools::Plain(100)), ("struct", Tools::Structs(20))];
const COMMANDS: [(&str, &[&str]); 2] =
    [("release", &["build", "--release"]), ("check", &["check"])];
const LIBRARIES: [(&str, Library); 3] =
    [("ours", Library::Ours), ("rmcp", Library::Rmcp), ("floor", Library::Floor)];

/// The most milliseconds that a tool may add to a release build.
const BARS: [(&str, f64); 2] = [("plain", 25.0), ("struct", 250.0)];
/// The most that a tool may add to `cargo check`, of what rmcp's adds.
const CHECK_BAR: f64 = 0.5;

/// What a tool adds, in milliseconds, in each round.
struct Cost {
    command: &'static str,
    library: &'static str,
    tools: &'static str,
    builds: Vec<Build>,
}

/// Measures and prints, and says whether all is well.
pub fn run(options: &Options) -> Result<bool> {
    let commands = COMMANDS.into_iter().filter(|(name, _)| is_in(&options.measures, name));
    let libraries = || LIBRARIES.into_iter().filter(|(name, _)| is_in(&options.only, name));
    let scratch = Scratch::new()?;
    let mut costs = Vec::new();
    for (command, args) in commands {
        for (library, of) in libraries() {
            costs.extend(measure(&scratch, (library, of), (command, args), options.rounds)?);
        }
    }
    if costs.is_empty() {
        bail!("nothing is left to measure; there are ours, rmcp and floor, release and check");
    }
    Ok(report(&costs))
}

fn is_in(names: &[String], name: &str) -> bool {
    names.is_empty() || names.iter().any(|other| other == name)
}

fn measure(
    scratch: &Scratch,
    (library, of): (&'static str, Library),
    (command, args): (&'static str, &[&str]),
    rounds: usize,
) -> Result<Vec<Cost>> {
    let target = scratch.0.join("target");
    let programs = PROGRAMS.map(|(name, tools)| {
        Project::write(scratch, &format!("{library}-{name}"), of, &source(of, tools))
    });
    let programs = programs.into_iter().collect::<Result<Vec<_>>>()?;
    // Builds the libraries too.
    eprintln!("{command} of {library}: first builds");
    for program in &programs {
        program.build(&target, args)?;
    }
    let costs = PROGRAMS.iter().skip(1);
    let costs = costs.map(|(tools, _)| Cost { command, library, tools, builds: Vec::new() });
    let mut costs: Vec<Cost> = costs.collect();
    for round in 0..rounds {
        eprintln!("{command} of {library}: round {} of {rounds}", round + 1);
        let none = build_again(&programs[0], &target, args)?;
        for (at, cost) in costs.iter_mut().enumerate() {
            let build = build_again(&programs[at + 1], &target, args)?;
            let each = |all: f64, none: f64| (all - none) * 1e3 / PROGRAMS[at + 1].1.count() as f64;
            let (wall, cpu) = (each(build.wall, none.wall), each(build.cpu, none.cpu));
            cost.builds.push(Build { wall, cpu });
        }
    }
    Ok(costs)
}

/// Builds a program whose source looks changed.
fn build_again(program: &Project, target: &std::path::Path, args: &[&str]) -> Result<Build> {
    let main = program.folder.join("src/main.rs");
    let file = File::options().append(true).open(&main).context("opening a program's source")?;
    file.set_modified(SystemTime::now())?;
    program.build(target, args)
}

/// Prints the costs and the bars, and says whether the bars are kept.
fn report(costs: &[Cost]) -> bool {
    println!("\nwhat a tool adds to the build of a server, in ms\n");
    println!("{:10}{:10}{:10}{:>10}{:>10}{:>14}", "", "", "tool", "wall", "CPU", "CPU / floor's");
    let find = |command: &str, library: &str, tools: &str| {
        let is_it =
            |cost: &&Cost| (cost.command, cost.library, cost.tools) == (command, library, tools);
        costs.iter().find(is_it)
    };
    for cost in costs {
        let Cost { command, library, tools, .. } = cost;
        let (wall, cpu) = (cost.wall(), cost.cpu());
        let floor = find(command, "floor", tools).map(|floor| format!("{:.2}", cpu / floor.cpu()));
        let floor = floor.unwrap_or_default();
        println!("{command:10}{library:10}{tools:10}{wall:>10.1}{cpu:>10.1}{floor:>14}");
    }
    println!("\nbars");
    let mut all_kept = true;
    for (tools, bar) in BARS {
        if let Some(cost) = find("release", "ours", tools) {
            all_kept &=
                judge(&format!("release, {tools}: at most {bar} ms"), cost.wall(), bar, "ms");
        }
        if let (Some(ours), Some(rmcp)) =
            (find("check", "ours", tools), find("check", "rmcp", tools))
        {
            let label = format!("check, {tools}: at most {CHECK_BAR} x rmcp's");
            all_kept &= judge(&label, ours.wall() / rmcp.wall(), CHECK_BAR, "x");
        }
    }
    all_kept
}

fn judge(label: &str, value: f64, bar: f64, unit: &str) -> bool {
    let kept = value <= bar;
    println!("  {}  {label:40}{value:>10.2} {unit}", if kept { "pass" } else { "FAIL" });
    kept
}

impl Cost {
    fn wall(&self) -> f64 {
        median(self.builds.iter().map(|build| build.wall).collect()).unwrap_or(f64::NAN)
    }

    fn cpu(&self) -> f64 {
        median(self.builds.iter().map(|build| build.cpu).collect()).unwrap_or(f64::NAN)
    }
}
