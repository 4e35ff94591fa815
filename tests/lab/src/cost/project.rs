use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Instant, SystemTime};

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

/// What the manifest of a project says.
pub struct Manifest<'a> {
    /// The lines of `[dependencies]`.
    pub dependencies: &'a str,
    /// The lock file whose versions the project has.
    pub lock: &'a Path,
}

/// The time of a build, in seconds.
#[derive(Clone, Copy)]
pub struct Build {
    pub wall: f64,
    /// Of all processes, user and system.
    pub cpu: f64,
}

impl Build {
    pub fn walls(builds: &[Self]) -> Vec<f64> {
        builds.iter().map(|build| build.wall).collect()
    }

    pub fn cpus(builds: &[Self]) -> Vec<f64> {
        builds.iter().map(|build| build.cpu).collect()
    }

    /// How many times longer builds took than others of the same rounds.
    pub fn ratios(of: &[Self], to: &[Self], time: fn(&Self) -> f64) -> Vec<f64> {
        of.iter().zip(to).map(|(of, to)| time(of) / time(to)).collect()
    }
}

impl Scratch {
    pub fn new() -> Result<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        // Several are there at once, and each goes by itself.
        let (process, number) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("toolwright-lab-{process}-{number}"));
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
        let (dependencies, locked) = match library {
            Library::Ours => (ours(&["toolwright", "toolwright-stdio"], "")? + TIME, root()),
            Library::Rmcp => (RMCP.to_owned(), twin_folder()),
            Library::Floor => (FLOOR.to_owned(), root()),
        };
        let manifest = Manifest { dependencies: &dependencies, lock: &locked.join("Cargo.lock") };
        Self::with(&scratch.0, name, &manifest, &[("main.rs", main)])
    }

    /// The same, below `parent`, with all that a package may have.
    pub fn with(
        parent: &Path,
        name: &str,
        manifest: &Manifest<'_>,
        files: &[(&str, &str)],
    ) -> Result<Self> {
        let folder = parent.join(name);
        fs::create_dir_all(folder.join("src"))?;
        let text = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [workspace]\n\n[dependencies]\n{}\n[profile.release]\nstrip = true\n",
            manifest.dependencies
        );
        fs::write(folder.join("Cargo.toml"), text)?;
        for (file, text) in files {
            fs::write(folder.join("src").join(file), text)?;
        }
        fs::copy(manifest.lock, folder.join("Cargo.lock"))
            .with_context(|| format!("copying {}", manifest.lock.display()))?;
        Ok(Self { folder })
    }

    /// Runs a command of cargo, with its output in `target` and nothing kept for the next one.
    pub fn build(&self, target: &Path, args: &[&str]) -> Result<Build> {
        // Else `check` would reuse what it knows of unchanged code.
        self.timed(target, args, "0")
    }

    /// A release build, without anything that was built before.
    pub fn build_from_nothing(&self, target: &Path) -> Result<Build> {
        if target.exists() {
            fs::remove_dir_all(target)?;
        }
        self.build(target, &["build", "--release"])
    }

    /// Builds it for debugging, as while one works on it: with what the last build has kept.
    pub fn build_on(&self, target: &Path) -> Result<Build> {
        self.timed(target, &["build"], "1")
    }

    fn timed(&self, target: &Path, args: &[&str], incremental: &str) -> Result<Build> {
        let (clock, cpu) = (Instant::now(), children_cpu_seconds()?);
        let mut cargo = cargo(&self.folder);
        cargo.args(args).arg("--quiet").env("CARGO_TARGET_DIR", target);
        // The compiler itself works, not a cache; and for this machine, in the folder for it.
        cargo.env("RUSTC_WRAPPER", "").env("RUSTC_WORKSPACE_WRAPPER", "");
        cargo.env_remove("CARGO_BUILD_TARGET").env("CARGO_INCREMENTAL", incremental);
        let status = cargo.status()?;
        ensure!(status.success(), "{} failed in {}", shown(args), self.folder.display());
        Ok(Build { wall: clock.elapsed().as_secs_f64(), cpu: children_cpu_seconds()? - cpu })
    }

    /// Makes its source look changed.
    pub fn touch(&self) -> Result<()> {
        let main = self.folder.join("src/main.rs");
        let file =
            File::options().append(true).open(&main).context("opening a program's source")?;
        Ok(file.set_modified(SystemTime::now())?)
    }
}

/// Runs cargo for what it prints.
pub fn run_cargo(folder: &Path, args: &[&str]) -> Result<String> {
    let output =
        cargo(folder).args(args).stderr(Stdio::inherit()).output().context("running cargo")?;
    ensure!(output.status.success(), "{} failed in {}", shown(args), folder.display());
    String::from_utf8(output.stdout).context("reading what cargo said")
}

pub const TIME: &str = "tokio = { version = \"1\", features = [\"time\"] }\n";

/// As in `tests/peers/rmcp`.
pub const RMCP: &str = "\
rmcp = { version = \"=3.8.0\", features = [\"server\", \"transport-io\"] }
serde = { version = \"1\", features = [\"derive\"] }
tokio = { version = \"1\", features = [\"macros\", \"rt-multi-thread\", \"time\"] }
";

const FLOOR: &str = "\
schemars = \"1\"
serde = { version = \"1\", features = [\"derive\"] }
serde_json = \"1\"
";

/// Dependencies on packages of ours, the first of which has these features.
pub fn ours(packages: &[&str], features: &str) -> Result<String> {
    let root = root().canonicalize()?;
    let mut text = String::new();
    for (at, package) in packages.iter().enumerate() {
        let folder = if *package == "toolwright" { "sdk" } else { "mcp-stdio" };
        // JSON strings are TOML strings, and so are lists of them.
        let path = serde_json::Value::from(root.join(folder).to_string_lossy());
        let features = features.split(',').filter(|name| at == 0 && !name.is_empty());
        let features = serde_json::Value::from_iter(features);
        text += &format!("{package} = {{ path = {path}, features = {features} }}\n");
    }
    Ok(text)
}

fn shown(args: &[&str]) -> String {
    format!("cargo {}", args.join(" "))
}

#[cfg(test)]
mod tests;
