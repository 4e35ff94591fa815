use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::artifact::{cargo, root, twin_folder};
use crate::process::children_cpu_seconds;

/// A folder that goes when the run ends.
pub struct Scratch(pub PathBuf);

/// Whose library a project uses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Library {
    Ours,
    Rmcp,
    /// None: serde and schemars alone.
    Floor,
}

/// A user's package, with the versions of the dependencies that the repository has locked.
pub struct Project {
    pub folder: PathBuf,
}

/// The time of a build, in seconds.
#[derive(Clone, Copy)]
pub struct Build {
    pub wall: f64,
    /// Of all processes, user and system.
    pub cpu: f64,
}

impl Scratch {
    pub fn new() -> Result<Self> {
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

impl Project {
    /// Writes a package `name` into a folder of this name.
    pub fn write(scratch: &Scratch, name: &str, library: Library, main: &str) -> Result<Self> {
        let folder = scratch.0.join(name);
        fs::create_dir_all(folder.join("src"))?;
        let (dependencies, locked) = match library {
            Library::Ours => (ours()?, root()),
            Library::Rmcp => (RMCP.to_owned(), twin_folder()),
            Library::Floor => (FLOOR.to_owned(), root()),
        };
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [workspace]\n\n[dependencies]\n{dependencies}"
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::write(folder.join("src/main.rs"), main)?;
        let locked = locked.join("Cargo.lock");
        fs::copy(&locked, folder.join("Cargo.lock"))
            .with_context(|| format!("copying {}", locked.display()))?;
        Ok(Self { folder })
    }

    /// Runs a command of cargo, with its output in `target`.
    pub fn build(&self, target: &Path, args: &[&str]) -> Result<Build> {
        let (clock, cpu) = (Instant::now(), children_cpu_seconds()?);
        let mut cargo = cargo(&self.folder);
        cargo.args(args).arg("--quiet").env("CARGO_TARGET_DIR", target);
        // Else `check` would reuse what it knows of unchanged code.
        let status = cargo.env("CARGO_INCREMENTAL", "0").status()?;
        ensure!(status.success(), "{} failed in {}", shown(args), self.folder.display());
        Ok(Build { wall: clock.elapsed().as_secs_f64(), cpu: children_cpu_seconds()? - cpu })
    }
}

/// Runs cargo for what it prints.
pub fn run_cargo(folder: &Path, args: &[&str]) -> Result<String> {
    let output =
        cargo(folder).args(args).stderr(Stdio::inherit()).output().context("running cargo")?;
    ensure!(output.status.success(), "{} failed in {}", shown(args), folder.display());
    String::from_utf8(output.stdout).context("reading what cargo said")
}

/// As in `tests/peers/rmcp`.
const RMCP: &str = "\
rmcp = { version = \"=3.8.0\", features = [\"server\", \"transport-io\"] }
serde = { version = \"1\", features = [\"derive\"] }
tokio = { version = \"1\", features = [\"macros\", \"rt-multi-thread\", \"time\"] }
";

const FLOOR: &str = "\
schemars = \"1\"
serde = { version = \"1\", features = [\"derive\"] }
serde_json = \"1\"
";

fn ours() -> Result<String> {
    let root = root().canonicalize()?;
    // JSON strings are TOML strings.
    let path =
        |package: &str| serde_json::Value::from(root.join(package).to_string_lossy()).to_string();
    Ok(format!(
        "tokio = {{ version = \"1\", features = [\"time\"] }}\n\
         toolwright = {{ path = {} }}\ntoolwright-stdio = {{ path = {} }}\n",
        path("sdk"),
        path("mcp-stdio"),
    ))
}

fn shown(args: &[&str]) -> String {
    format!("cargo {}", args.join(" "))
}
