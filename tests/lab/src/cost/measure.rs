//! What is read off the builds of one program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::metric::Metric;
use super::program::Name;
use super::project::{Build, Project, Scratch, run_cargo};
use crate::artifact::root;

pub type Readings = Vec<(Metric, f64)>;

/// The folders that all measures share.
pub struct Folders {
    /// Goes at the end; builds from nothing are here.
    pub scratch: Scratch,
    /// Stays, so that the next run has all but the programs built for debugging.
    pub kept: PathBuf,
}

impl Folders {
    pub fn new() -> Result<Self> {
        let kept = root().join("tests/lab/target/cost");
        fs::create_dir_all(&kept).with_context(|| format!("making {}", kept.display()))?;
        Ok(Self { scratch: Scratch::new()?, kept: kept.canonicalize()? })
    }
}

/// The distinct packages that end up in the program or help to build it, besides itself.
pub fn crates(project: &Project) -> Result<f64> {
    let tree = run_cargo(&project.folder, &["tree", "-e", "normal", "--prefix", "none"])?;
    Ok(distinct(&tree) as f64 - 1.0)
}

/// The distinct packages of a package of ours with these features, itself included.
pub fn own_crates(package: &str, features: &str) -> Result<usize> {
    let tree = ["tree", "-e", "normal", "--prefix", "none", "-p", package, "-F", features];
    Ok(distinct(&run_cargo(&root(), &tree)?))
}

/// A release build, without anything that was built before.
pub fn build(project: &Project, name: Name, folders: &Folders) -> Result<Readings> {
    let target = folders.scratch.0.join("target");
    let build = project.build_from_nothing(&target)?;
    Ok(vec![
        (Metric::BuildWall, build.wall),
        (Metric::BuildCpu, build.cpu),
        (Metric::Size, size(&target, name.as_str())?),
    ])
}

/// The size of the binary of a release build, in MiB.
pub fn size(target: &Path, package: &str) -> Result<f64> {
    let binary = fs::metadata(target.join("release").join(package))?;
    Ok(binary.len() as f64 / f64::from(1 << 20))
}

/// A debug build after a change of the program's source, as while one works on it.
pub fn edited(project: &Project, folders: &Folders) -> Result<Build> {
    project.build_on(&folders.kept)?;
    project.touch()?;
    project.build_on(&folders.kept)
}

/// The same, of a program that is compared with others.
pub fn edit(project: &Project, name: Name, folders: &Folders) -> Result<Readings> {
    let build = edited(project, folders)?;
    if name == Name::Stdio {
        answers(&folders.kept.join("debug").join(name.as_str()))?;
    }
    Ok(vec![(Metric::EditWall, build.wall), (Metric::EditCpu, build.cpu)])
}

/// Our server has a command line, so it can show that it was built well.
fn answers(server: &Path) -> Result<()> {
    let output = Command::new(server).args(["call", "add", "a=2", "b=40"]).output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(said.trim_end() == "42", "the server said {said:?} instead of 42");
    Ok(())
}

fn distinct(tree: &str) -> usize {
    let packages: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    packages.len()
}
