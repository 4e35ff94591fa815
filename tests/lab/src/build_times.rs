use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::artifact::{cargo, root, twin_folder};
use crate::options::Options;
use crate::process::children_cpu_seconds;
use crate::results::median;

const BAR: f64 = 0.6;

/// Builds a user's server from nothing, ours and rmcp's, and says whether all is well.
pub fn run(options: &Options) -> Result<bool> {
    let scratch = Scratch::new()?;
    let sides = [("ours", user_project(&scratch.0)?), ("rmcp", twin_folder())];
    let mut builds: [Vec<Build>; 2] = [Vec::new(), Vec::new()];
    for (_, folder) in &sides {
        run_cargo(folder, &["fetch"])?;
    }
    for round in 0..options.rounds {
        for side in [round % 2, 1 - round % 2] {
            let (name, folder) = &sides[side];
            eprintln!("building {name}, round {} of {}", round + 1, options.rounds);
            builds[side].push(clean_build(folder, &scratch.0.join("target"))?);
        }
    }

    let ratio = |of: fn(&Build) -> f64| {
        let ratios = builds[0].iter().zip(&builds[1]).map(|(ours, rmcp)| of(ours) / of(rmcp));
        median(ratios.collect()).unwrap_or(f64::NAN)
    };
    let middle = |side: usize, of: fn(&Build) -> f64| {
        median(builds[side].iter().map(of).collect()).unwrap_or(f64::NAN)
    };
    let (ours_crates, rmcp_crates) = (crates(&sides[0].1)?, crates(&sides[1].1)?);
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
    Ok(pass || !options.strict)
}

struct Build {
    wall: f64,
    cpu: f64,
}

fn wall(build: &Build) -> f64 {
    build.wall
}

fn cpu(build: &Build) -> f64 {
    build.cpu
}

/// A folder that goes when the run ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("toolwright-lab-{}", std::process::id()));
        fs::create_dir_all(&path).with_context(|| format!("making {}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays behind is in the system's temporary folder, where it harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A project as a user's, with the versions that the workspace has locked.
fn user_project(scratch: &Path) -> Result<PathBuf> {
    let folder = scratch.join("calc");
    fs::create_dir_all(folder.join("src"))?;
    let root = root().canonicalize()?;
    let path = |package: &str| toml_string(&root.join(package));
    let manifest = format!(
        "[package]\nname = \"calc\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         tokio = {{ version = \"1\", features = [\"time\"] }}\ntoolwright = {{ path = {} }}\ntoolwright-stdio = {{ path = {} }}\n",
        path("sdk"),
        path("mcp-stdio"),
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("src/main.rs"), include_str!("../calc/main.rs"))?;
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))
        .context("copying the root's Cargo.lock")?;
    Ok(folder)
}

/// JSON strings are TOML strings.
fn toml_string(path: &Path) -> String {
    serde_json::Value::from(path.to_string_lossy()).to_string()
}

fn clean_build(folder: &Path, target: &Path) -> Result<Build> {
    if target.exists() {
        fs::remove_dir_all(target)?;
    }
    let (clock, cpu) = (Instant::now(), children_cpu_seconds()?);
    let status = cargo(folder)
        .args(["build", "--release", "--quiet"])
        .env("CARGO_TARGET_DIR", target)
        .status()?;
    ensure!(status.success(), "cargo build failed in {}", folder.display());
    Ok(Build { wall: clock.elapsed().as_secs_f64(), cpu: children_cpu_seconds()? - cpu })
}

/// The distinct packages that end up in the server's binary or help to build it, itself included.
fn crates(folder: &Path) -> Result<usize> {
    let tree = run_cargo(folder, &["tree", "-e", "normal", "--prefix", "none"])?;
    let packages: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    Ok(packages.len())
}

fn run_cargo(folder: &Path, args: &[&str]) -> Result<String> {
    let output = cargo(folder)
        .args(args)
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("running cargo")?;
    ensure!(output.status.success(), "cargo {} failed in {}", args.join(" "), folder.display());
    String::from_utf8(output.stdout).context("reading what cargo said")
}
