use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Result;

use super::project::{Build, Library, Project, Scratch, run_cargo};
use crate::artifact::twin_folder;
use crate::options::Options;
use crate::results::median;

const BAR: f64 = 0.6;

/// Builds a user's server from nothing, ours and rmcp's, and says whether all is well.
pub fn run(options: &Options) -> Result<bool> {
    let scratch = Scratch::new()?;
    let ours = Project::write(&scratch, "calc", Library::Ours, include_str!("../../calc/main.rs"))?;
    let sides = [("ours", ours), ("rmcp", Project { folder: twin_folder() })];
    let mut builds: [Vec<Build>; 2] = [Vec::new(), Vec::new()];
    for (_, project) in &sides {
        run_cargo(&project.folder, &["fetch"])?;
    }
    for round in 0..options.rounds {
        for side in [round % 2, 1 - round % 2] {
            let (name, project) = &sides[side];
            eprintln!("building {name}, round {} of {}", round + 1, options.rounds);
            builds[side].push(clean_build(project, &scratch.0.join("target"))?);
        }
    }

    let ratio = |of: fn(&Build) -> f64| {
        let ratios = builds[0].iter().zip(&builds[1]).map(|(ours, rmcp)| of(ours) / of(rmcp));
        median(ratios.collect()).unwrap_or(f64::NAN)
    };
    let middle = |side: usize, of: fn(&Build) -> f64| {
        median(builds[side].iter().map(of).collect()).unwrap_or(f64::NAN)
    };
    let (ours_crates, rmcp_crates) = (crates(&sides[0].1.folder)?, crates(&sides[1].1.folder)?);
    println!("\nclean release build of a server with four tools\n");
    println!("{:24}{:>10}{:>10}{:>12}", "", "ours", "rmcp", "ours/rmcp");
    for (label, of) in [("wall, s", wall as fn(&Build) -> f64), ("CPU, s", cpu)] {
        println!("{label:24}{:>10.1}{:>10.1}{:>12.2}", middle(0, of), middle(1, of), ratio(of));
    }
    let share = ours_crates as f64 / rmcp_crates as f64;
    println!("{:24}{ours_crates:>10}{rmcp_crates:>10}{share:>12.2}", "crates");
    let pass = ratio(wall) <= BAR;
    let verdict = if pass { "pass" } else { "FAIL" };
    println!("\nbars\n  {verdict}  wall at most {BAR} x rmcp's {:>30.2} x", ratio(wall));
    Ok(pass)
}

fn wall(build: &Build) -> f64 {
    build.wall
}

fn cpu(build: &Build) -> f64 {
    build.cpu
}

fn clean_build(project: &Project, target: &Path) -> Result<Build> {
    if target.exists() {
        fs::remove_dir_all(target)?;
    }
    project.build(target, &["build", "--release"])
}

/// The distinct packages that end up in the server's binary or help to build it, itself included.
fn crates(folder: &Path) -> Result<usize> {
    let tree = run_cargo(folder, &["tree", "-e", "normal", "--prefix", "none"])?;
    let packages: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    Ok(packages.len())
}
