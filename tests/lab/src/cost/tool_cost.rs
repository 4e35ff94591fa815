//! What one more tool adds to the build of a user's server: programs with many tools and one with
//! none, each built again after a change of its source, as a user's edit does it.

mod source;

use std::path::Path;

use anyhow::Result;

use super::project::{Build, Library, Project, Scratch};
use crate::bars::Bar;
use crate::options::Options;
use crate::results::median;
use crate::table::{legend, line, spread};
use source::{Tools, source};

/// The first is what the others are compared with.
const PROGRAMS: [(&str, Tools); 3] =
    [("none", Tools::None), ("plain", Tools::Plain(100)), ("struct", Tools::Structs(20))];
pub const COMMANDS: [(&str, &[&str]); 2] =
    [("release", &["build", "--release"]), ("check", &["check"])];
pub const LIBRARIES: [(&str, Library); 3] =
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

impl Cost {
    fn is_sound(&self) -> bool {
        self.builds.iter().all(|build| build.wall > 0.0)
    }
}

/// The programs of a library.
struct Programs {
    library: &'static str,
    projects: Vec<Project>,
}

/// Measures what is asked for. All libraries take a round before the next one comes; who is first
/// changes from round to round.
pub fn measure_all(options: &Options) -> Result<Vec<Cost>> {
    let scratch = Scratch::new()?;
    let target = scratch.0.join("target");
    let wanted = LIBRARIES.into_iter().filter(|(name, _)| options.wants(name));
    let libraries = wanted.map(|(library, of)| Programs::write(&scratch, library, of));
    let libraries = libraries.collect::<Result<Vec<_>>>()?;
    let mut costs = Vec::new();
    for (command, args) in COMMANDS {
        if !options.wants_measure(command) {
            continue;
        }
        let from = costs.len();
        for Programs { library, projects } in &libraries {
            // Builds the libraries too.
            eprintln!("{command} of {library}: first builds");
            projects.iter().try_for_each(|project| project.build(&target, args).map(drop))?;
            let new = PROGRAMS.iter().skip(1);
            costs.extend(new.map(|(tools, _)| Cost {
                command,
                library,
                tools,
                builds: Vec::new(),
            }));
        }
        for round in 0..options.rounds {
            for at in 0..libraries.len() {
                let programs = &libraries[(at + round) % libraries.len()];
                let library = programs.library;
                eprintln!("{command} of {library}: round {} of {}", round + 1, options.rounds);
                let added = programs.added(&target, args)?;
                let costs = costs[from..].iter_mut().filter(|cost| cost.library == library);
                costs.zip(added).for_each(|(cost, build)| cost.builds.push(build));
            }
        }
    }
    Ok(costs)
}

impl Programs {
    fn write(scratch: &Scratch, library: &'static str, of: Library) -> Result<Self> {
        let projects = PROGRAMS.map(|(name, tools)| {
            Project::write(scratch, &format!("{library}-{name}"), of, &source(of, tools))
        });
        Ok(Self { library, projects: projects.into_iter().collect::<Result<_>>()? })
    }

    /// What a tool of each program but the first adds to a build.
    fn added(&self, target: &Path, args: &[&str]) -> Result<Vec<Build>> {
        let builds = self.projects.iter().map(|project| build_again(project, target, args));
        let builds = builds.collect::<Result<Vec<_>>>()?;
        let added = builds.iter().zip(PROGRAMS).skip(1).map(|(build, (_, tools))| {
            let each = |all: f64, none: f64| (all - none) * 1e3 / tools.count() as f64;
            Build { wall: each(build.wall, builds[0].wall), cpu: each(build.cpu, builds[0].cpu) }
        });
        Ok(added.collect())
    }
}

/// Builds a program whose source looks changed.
fn build_again(program: &Project, target: &Path, args: &[&str]) -> Result<Build> {
    program.touch()?;
    program.build(target, args)
}

/// The costs; nothing if there are none.
pub fn render(costs: &[Cost], rounds: usize) -> String {
    let mut text = String::new();
    if costs.is_empty() {
        return text;
    }
    line(&mut text, format_args!("\nwhat a tool adds to the build of a server, in ms\n"));
    let head = ["", "", "tool", "wall", "CPU", "CPU / floor's"];
    let [a, b, c, d, e, f] = head;
    line(&mut text, format_args!("{a:10}{b:10}{c:10}{d:>13}{e:>13}{f:>14}"));
    for cost in costs {
        let Cost { command, library, tools, .. } = cost;
        let [walls, cpus] = [Build::walls(&cost.builds), Build::cpus(&cost.builds)];
        let floor = find(costs, command, "floor", tools);
        let times =
            floor.map(|floor| Build::ratios(&cost.builds, &floor.builds, |build| build.cpu));
        let floor = times.and_then(median).map(|times| format!("{times:.2}")).unwrap_or_default();
        let [wall, cpu] = [walls, cpus].map(|rounds| spread(rounds).unwrap_or_default());
        let row = format_args!("{command:10}{library:10}{tools:10}{wall:>13}{cpu:>13}{floor:>14}");
        line(&mut text, row);
    }
    legend(&mut text, rounds, false);
    text
}

/// The bars for which all that they compare was measured. One fails if a tool seems to cost nothing
/// or less in a round: the machine was busy while the program without tools was built.
pub fn judge(costs: &[Cost]) -> Vec<Bar> {
    let mut bars = Vec::new();
    for (tools, most, promise) in BARS {
        if let Some(cost) = find(costs, "release", "ours", tools) {
            let rounds = Build::walls(&cost.builds);
            let passes = |value| value <= most && cost.is_sound();
            bars.extend(Bar::of(promise, rounds, "ms", passes));
        }
    }
    for (tools, most, promise) in CHECK_BARS {
        let of = |library| find(costs, "check", library, tools);
        if let (Some(ours), Some(rmcp)) = (of("ours"), of("rmcp")) {
            let rounds = Build::ratios(&ours.builds, &rmcp.builds, |build| build.wall);
            let passes = |value| value <= most && ours.is_sound() && rmcp.is_sound();
            bars.extend(Bar::of(promise, rounds, "x", passes));
        }
    }
    bars
}

fn find<'a>(costs: &'a [Cost], command: &str, library: &str, tools: &str) -> Option<&'a Cost> {
    let is_it =
        |cost: &&Cost| (cost.command, cost.library, cost.tools) == (command, library, tools);
    costs.iter().find(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_seems_to_cost_less_than_nothing_passes_no_bar() {
        let of = |command, library, wall| {
            let builds = vec![Build { wall, cpu: wall }];
            Cost { command, library, tools: "plain", builds }
        };
        let passes =
            |costs: [Cost; 3]| judge(&costs).iter().map(|bar| bar.pass).collect::<Vec<_>>();
        let costs = |release, ours, rmcp| {
            passes([
                of("release", "ours", release),
                of("check", "ours", ours),
                of("check", "rmcp", rmcp),
            ])
        };
        assert_eq!(costs(12.0, 12.0, 30.0), [true, true]);
        assert_eq!(costs(-1.0, 12.0, -3.0), [false, false]);
        assert_eq!(costs(26.0, -12.0, 30.0), [false, false]);
    }
}
