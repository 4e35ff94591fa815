use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::cli::SCENARIO;
use crate::artifact;
use crate::callgrind::Callgrind;
use crate::model::{Model, Reply};
use crate::options::Options;
use crate::watchdog::Watchdog;

const LIMIT: Duration = Duration::from_secs(180);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    Ours,
    /// Another build of ours.
    Before,
    Python,
    TypeScript,
    /// Not a client: programs by hand, which answer each request at once.
    Floor,
    /// The same, but everything that one read brought is answered with one write.
    Batched,
}

impl Name {
    pub const ALL: [Self; 6] =
        [Self::Ours, Self::Before, Self::Python, Self::TypeScript, Self::Floor, Self::Batched];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Before => "before",
            Self::Python => "python",
            Self::TypeScript => "typescript",
            Self::Floor => "floor",
            Self::Batched => "batched",
        }
    }
}

/// How to start what is measured.
pub struct Client {
    pub name: Name,
    program: PathBuf,
    args: Vec<String>,
    /// This program, which is also the CLI.
    pub cli: PathBuf,
    home: PathBuf,
}

/// Builds and installs what the options ask for.
pub fn prepare(options: &Options) -> Result<Vec<Client>> {
    let wanted = |name: &Name| match name {
        Name::Before => options.before.is_some(),
        _ => options.wants(name.as_str()),
    };
    let names: Vec<_> = Name::ALL.into_iter().filter(wanted).collect();
    ensure!(!names.is_empty(), "no client is left; `before` needs --before");
    let cli = std::env::current_exe().context("finding this program")?;
    let home = std::env::temp_dir().join(format!("toolwright-lab-{}", std::process::id()));
    std::fs::create_dir_all(&home).context("making a home folder")?;
    let start = |name| {
        let (program, args) = program(name, options)?;
        Ok(Client { name, program, args, cli: cli.clone(), home: home.clone() })
    };
    names.into_iter().map(start).collect()
}

fn program(name: Name, options: &Options) -> Result<(PathBuf, Vec<String>)> {
    let runtime = || options.current_runtime.then(|| "current".to_owned()).into_iter().collect();
    let script = |peer: &str, file: &str| {
        let path = artifact::root().join("tests/peers").join(peer).join(file);
        path.into_os_string()
            .into_string()
            .map(|path| vec![path])
            .ok()
            .context("a path that is no text")
    };
    Ok(match name {
        Name::Ours => (options.ours.clone().map_or_else(artifact::agent_client, Ok)?, runtime()),
        Name::Before => (options.before.clone().context("no other build was named")?, runtime()),
        Name::Python => (artifact::installed("sdk-python")?, script("sdk-python", "client.py")?),
        Name::TypeScript => {
            artifact::installed("sdk-typescript")?;
            ("node".into(), script("sdk-typescript", "client.mjs")?)
        }
        Name::Floor | Name::Batched => (PathBuf::new(), Vec::new()),
    })
}

fn command(program: &Path, args: &[String], cli: &Path, scenario: &str) -> Command {
    let mut command = Command::new(program);
    command.args(args).arg(cli).args(scenario.split(' ')).stdin(Stdio::null());
    command
}

impl Client {
    /// Runs a scenario in a process of its own and gives the figures that it prints; null if this
    /// is another build of ours that does not know the scenario.
    pub fn run(&self, scenario: &str) -> Result<Value> {
        let mut command = command(&self.program, &self.args, &self.cli, scenario);
        self.clear(&mut command, scenario);
        self.figures(command)
    }

    /// Runs a scenario in a process whose instructions are counted, and not those of the CLI.
    pub fn counted(&self, callgrind: &Callgrind, scenario: &str) -> Result<Value> {
        let (program, args) = callgrind.command(&self.program, &self.args);
        let mut command = command(&program, &args, &self.cli, scenario);
        self.clear(&mut command, scenario);
        self.figures(command)
    }

    /// Runs a scenario with the real CLI, as [`run`](Self::run) does.
    pub fn run_real(&self, scenario: &str) -> Result<Value> {
        let cli = artifact::installed("cli")?;
        let model = Model::start(|_| async { Reply::text("Ready.") })?;
        let mut command = command(&self.program, &self.args, &cli, scenario);
        self.clear(&mut command, scenario);
        model.lead(&mut command);
        self.figures(command)
    }

    fn figures(&self, mut command: Command) -> Result<Value> {
        command.stdout(Stdio::piped());
        let is_before = self.name == Name::Before;
        if is_before {
            command.stderr(Stdio::piped());
        }
        let mut child =
            command.spawn().with_context(|| format!("starting {}", self.program.display()))?;
        let watchdog = Watchdog::over_for(&child, LIMIT);
        let (mut output, mut errors) = (String::new(), String::new());
        let read = child.stdout.take().context("no stdout")?.read_to_string(&mut output);
        if let Some(mut stderr) = child.stderr.take() {
            stderr.read_to_string(&mut errors).context("reading the errors")?;
        }
        drop(watchdog);
        let status = child.wait()?;
        read.context("reading the figures")?;
        if is_before && errors.contains("unknown scenario") {
            return Ok(Value::Null);
        }
        ensure!(status.success(), "the client ended with {status} {errors}");
        serde_json::from_str(&output).with_context(|| format!("no figures: {output}"))
    }

    /// Nothing is inherited but the way to the programs.
    pub fn clear(&self, command: &mut Command, scenario: &str) {
        command
            .env_clear()
            .env("HOME", &self.home)
            .env("CLAUDE_CONFIG_DIR", &self.home)
            .env(SCENARIO, scenario);
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // The last one that goes finds it gone, or not empty if a peer has left something there.
        let _ = std::fs::remove_dir_all(&self.home);
    }
}
