//! What each feature of `toolwright` costs the program of a user who has it.

use anyhow::Result;

mod snippet;

use super::measure::{Folders, crates, edited, size};
use super::program::TOKIO;
use super::project::{Build, Manifest, Project, ours, run_cargo};
use crate::artifact::root;
use crate::options::Options;
use crate::progress::show;
use crate::results::median;
use crate::table::{legend, line, short, spread};
use snippet::{SNIPPETS, Snippet};

/// Its name in `--measures`.
pub const MEASURE: &str = "features";

/// A program with one feature.
pub struct Feature {
    /// Empty for the program without one.
    pub name: &'static str,
    /// Besides the program itself.
    pub crates: f64,
    /// A release build from nothing, in each round.
    pub builds: Vec<Build>,
    /// Of the binary without symbols, in MiB: the same in each round.
    pub size: Option<f64>,
    /// A debug build after an edit, in each round.
    pub edits: Vec<Build>,
}

/// Measures them. What fails is a fault, so that the others are not lost.
pub fn measure_all(options: &Options, faults: &mut Vec<String>) -> Result<Vec<Feature>> {
    let (folders, mut features, mut projects) = (Folders::new()?, Vec::new(), Vec::new());
    for snippet in &SNIPPETS {
        let project = write(snippet, &folders)?;
        run_cargo(&project.folder, &["fetch", "--quiet"])?;
        let (name, crates) = (snippet.feature, crates(&project)?);
        let (builds, edits) = (Vec::new(), Vec::new());
        features.push(Feature { name, crates, builds, size: None, edits });
        projects.push(project);
    }
    for round in 0..options.rounds {
        for (feature, project) in features.iter_mut().zip(&projects) {
            let who = format!("feature {}", feature.name);
            show(&format!("round {} of {}: {who}", round + 1, options.rounds));
            if let Err(error) = feature.measure(project, &folders) {
                faults.push(format!("{who}: {error:#}"));
            }
        }
    }
    show("");
    Ok(features)
}

impl Feature {
    fn measure(&mut self, project: &Project, folders: &Folders) -> Result<()> {
        let target = folders.scratch.0.join("target");
        self.builds.push(project.build_from_nothing(&target)?);
        self.size = Some(size(&target, &package(self.name))?);
        self.edits.push(edited(project, folders)?);
        Ok(())
    }
}

fn write(snippet: &Snippet, folders: &Folders) -> Result<Project> {
    let own = ours(snippet.packages(), snippet.feature)?;
    let dependencies = format!("{own}{}\n{TOKIO}", snippet.needs);
    let manifest = Manifest { dependencies: &dependencies, lock: &root().join("Cargo.lock") };
    let files = [("main.rs", &*snippet.source())];
    Project::with(&folders.kept.join("programs"), &package(snippet.feature), &manifest, &files)
}

/// The name of a feature's package.
fn package(feature: &str) -> String {
    format!("feature-{feature}")
}

/// A table; nothing if there are none.
pub fn render(features: &[Feature], rounds: usize) -> String {
    let mut text = String::new();
    let Some(none) = features.first() else { return text };
    line(&mut text, format_args!("\na program that uses one feature of toolwright\n"));
    let [a, b, c, d, e] = ["", "crates", "release, s", "its CPU, s", "CPU / none's"];
    let [f, g] = ["binary, MiB", "edit, s"];
    line(&mut text, format_args!("{a:20}{b:>8}{c:>13}{d:>13}{e:>14}{f:>13}{g:>13}"));
    for Feature { name, crates, builds, size, edits } in features {
        let name = if name.is_empty() { "none" } else { name };
        let times = median(Build::ratios(builds, &none.builds, |build| build.cpu));
        let times = times.map(|times| format!("{times:.2}")).unwrap_or_default();
        let cells = [Build::walls(builds), Build::cpus(builds), Build::walls(edits)];
        let [wall, cpu, edit] = cells.map(|rounds| spread(rounds).unwrap_or_default());
        let size = size.map(short).unwrap_or_default();
        let row =
            format_args!("{name:20}{crates:>8}{wall:>13}{cpu:>13}{times:>14}{size:>13}{edit:>13}");
        line(&mut text, row);
    }
    legend(&mut text, rounds, false);
    text
}

#[cfg(test)]
mod tests;
