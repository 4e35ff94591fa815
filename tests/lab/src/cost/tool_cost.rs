//! What one more tool adds to the build of a user's server: programs with many tools and one with
//! none, each built again after a change of its source, as a user's edit does it.

mod source;

use std::path::Path;

use anyhow::Result;

use super::project::{Build, Library, Project, Scratch};
use crate::bars::Bar;
use crate::options::Options;
use crate::results::median;
use crate::table::line;
use source::{Tools, source};

/// The first is what the others are compared with.
const PROGRAMS: [(&str, Tools); 3] =
    [("none", Tools::None), ("plain", Tools::Plain(100)), ("struct", Tools::Structs(20))];
const COMMANDS: [(&str, &[&str]); 2] =
    [("release", &["build", "--release"]), ("check", &["check"])];
const LIBRARIES: [(&str, Library); 3] =
    [("ours", Library::Ours), ("rmcp", Library::Rmcp), ("floor", Library::Floor)];

/// The tools, and the most milliseconds that one may add to a release build.
const BARS: [(&str, f64, &str); 2] = [
    ("plain", 25.0, "release, plain: a tool adds at most 25 ms"),
    ("struct", 250.0, "release, struct: a tool adds at most 250 ms"),
];
/// The most that a tool may add to `cargo check`, of what rmcp's adds.
const CHECK_BARS: [(&str, f64, &str); 2] = [
    ("plain", 0.5, "check, plain: at most 0.5 x rmcp's"),
    ("struct", 0.5, "check, struct: at most 0.5 x rmcp's"),
];

/// What a tool adds, in milliseconds, in each round.
pub struct Cost {
    pub command: &'static str,
    pub library: &'static str,
    pub tools: &'static str,
    pub builds: Vec<Build>,
}

/// Measures what is asked for.
pub fn measure_all(options: &Options) -> Result<Vec<Cost>> {
    let commands = COMMANDS.into_iter().filter(|(name, _)| options.wants_measure(name));
    let libraries = || LIBRARIES.into_iter().filter(|(name, _)| options.wants(name));
    let scratch = Scratch::new()?;
    let mut costs = Vec::new();
    for (command, args) in commands {
        for (library, of) in libraries() {
            costs.extend(measure(&scratch, (library, of), (command, args), options.rounds)?);
        }
    }
    Ok(costs)
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
fn build_again(program: &Project, target: &Path, args: &[&str]) -> Result<Build> {
    program.touch()?;
    program.build(target, args)
}

/// The costs; nothing if there are none.
pub fn render(costs: &[Cost]) -> String {
    let mut text = String::new();
    if costs.is_empty() {
        return text;
    }
    line(&mut text, format_args!("\nwhat a tool adds to the build of a server, in ms\n"));
    let head = ["", "", "tool", "wall", "CPU", "CPU / floor's"];
    let [a, b, c, d, e, f] = head;
    line(&mut text, format_args!("{a:10}{b:10}{c:10}{d:>10}{e:>10}{f:>14}"));
    for cost in costs {
        let Cost { command, library, tools, .. } = cost;
        let (wall, cpu) = (cost.wall(), cost.cpu());
        let floor = find(costs, command, "floor", tools);
        let floor = floor.map(|floor| format!("{:.2}", cpu / floor.cpu())).unwrap_or_default();
        let row =
            format_args!("{command:10}{library:10}{tools:10}{wall:>10.1}{cpu:>10.1}{floor:>14}");
        line(&mut text, row);
    }
    text
}

/// The bars for which all that they compare was measured.
pub fn judge(costs: &[Cost]) -> Vec<Bar> {
    let mut bars = Vec::new();
    for (tools, most, promise) in BARS {
        if let Some(cost) = find(costs, "release", "ours", tools) {
            let value = cost.wall();
            bars.push(Bar { promise, value, unit: "ms", pass: value <= most });
        }
    }
    for (tools, most, promise) in CHECK_BARS {
        let of = |library| find(costs, "check", library, tools);
        if let (Some(ours), Some(rmcp)) = (of("ours"), of("rmcp")) {
            let value = ours.wall() / rmcp.wall();
            bars.push(Bar { promise, value, unit: "x", pass: value <= most });
        }
    }
    bars
}

fn find<'a>(costs: &'a [Cost], command: &str, library: &str, tools: &str) -> Option<&'a Cost> {
    let is_it =
        |cost: &&Cost| (cost.command, cost.library, cost.tools) == (command, library, tools);
    costs.iter().find(is_it)
}

impl Cost {
    fn wall(&self) -> f64 {
        median(self.builds.iter().map(|build| build.wall).collect()).unwrap_or(f64::NAN)
    }

    fn cpu(&self) -> f64 {
        median(self.builds.iter().map(|build| build.cpu).collect()).unwrap_or(f64::NAN)
    }
}
