//! What each feature of `toolwright` adds to a program that has it and uses none of it.

use anyhow::{Context, Result};
use serde_json::Value;

use super::measure::crates;
use super::project::{Build, Manifest, Project, Scratch, ours, run_cargo};
use crate::artifact::root;
use crate::options::Options;
use crate::progress::show;
use crate::results::median;
use crate::table::{legend, line, spread};

/// Its name in `--measures`.
pub const MEASURE: &str = "features";

/// A program with one feature.
pub struct Feature {
    /// Empty for the program without one.
    pub name: String,
    /// Besides the program itself.
    pub crates: f64,
    /// A release build from nothing, in each round.
    pub builds: Vec<Build>,
}

/// Measures them if that is asked for.
pub fn measure_all(options: &Options) -> Result<Vec<Feature>> {
    let (scratch, mut features, mut projects) = (Scratch::new()?, Vec::new(), Vec::new());
    for name in ["".to_owned()].into_iter().chain(names()?) {
        let dependencies = ours(&["toolwright"], &name)?;
        let lock = root().join("Cargo.lock");
        let manifest = Manifest { dependencies: &dependencies, lock: &lock };
        let folder = format!("feature-{name}");
        let project =
            Project::with(&scratch.0, &folder, &manifest, &[("main.rs", "fn main() {}")])?;
        run_cargo(&project.folder, &["fetch", "--quiet"])?;
        features.push(Feature { name, crates: crates(&project)?, builds: Vec::new() });
        projects.push(project);
    }
    let target = scratch.0.join("target");
    for round in 0..options.rounds {
        for (feature, project) in features.iter_mut().zip(&projects) {
            show(&format!("round {} of {}: feature {}", round + 1, options.rounds, feature.name));
            feature.builds.push(project.build_from_nothing(&target)?);
        }
    }
    show("");
    Ok(features)
}

/// The features that the manifest has.
fn names() -> Result<Vec<String>> {
    let said = run_cargo(&root(), &["metadata", "--no-deps", "--format-version", "1"])?;
    let said: Value = serde_json::from_str(&said).context("reading what cargo said")?;
    let packages = said["packages"].as_array().context("no packages")?;
    let ours = packages.iter().find(|package| package["name"] == "toolwright");
    let features = ours.and_then(|ours| ours["features"].as_object()).context("no features")?;
    Ok(features.keys().filter(|name| *name != "default").cloned().collect())
}

/// A table; nothing if there are none.
pub fn render(features: &[Feature], rounds: usize) -> String {
    let mut text = String::new();
    let Some(none) = features.first() else { return text };
    line(&mut text, format_args!("\na release build from nothing, by feature of toolwright\n"));
    let [a, b, c, d, e] = ["", "crates", "wall, s", "CPU, s", "CPU / none's"];
    line(&mut text, format_args!("{a:20}{b:>10}{c:>13}{d:>13}{e:>14}"));
    for Feature { name, crates, builds } in features {
        let name = if name.is_empty() { "none" } else { name };
        let times = median(Build::ratios(builds, &none.builds, |build| build.cpu));
        let times = times.map(|times| format!("{times:.2}")).unwrap_or_default();
        let [wall, cpu] = [Build::walls(builds), Build::cpus(builds)];
        let [wall, cpu] = [wall, cpu].map(|rounds| spread(rounds).unwrap_or_default());
        line(&mut text, format_args!("{name:20}{crates:>10}{wall:>13}{cpu:>13}{times:>14}"));
    }
    legend(&mut text, rounds, false);
    text
}
