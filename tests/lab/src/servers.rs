use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::artifact;
use crate::call::Era;
use crate::options::Options;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    Ours,
    /// The same server with 46 more tools, which nobody calls.
    Ours50,
    Rmcp,
    /// With all that its user can tune.
    RmcpTuned,
    TypeScript,
    Python,
    /// The same tools by hand, without a library.
    Floor,
    /// The same, where another thread reads on while a tool blocks.
    FloorShared,
    Raw,
}

impl Name {
    pub const ALL: [Self; 9] = [
        Self::Ours,
        Self::Ours50,
        Self::Rmcp,
        Self::RmcpTuned,
        Self::TypeScript,
        Self::Python,
        Self::Floor,
        Self::FloorShared,
        Self::Raw,
    ];

    /// What ours is compared with.
    pub fn others() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().skip(2)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Ours50 => "ours-50",
            Self::Rmcp => "rmcp",
            Self::RmcpTuned => "rmcp-tuned",
            Self::TypeScript => "ts",
            Self::Python => "python",
            Self::Floor => "floor",
            Self::FloorShared => "floor-shared",
            Self::Raw => "raw",
        }
    }

    /// The program that runs it, if it is a script.
    pub fn interpreter(self) -> Option<&'static str> {
        match self {
            Self::TypeScript => Some("node"),
            Self::Python => Some("python3"),
            _ => None,
        }
    }

    pub fn speaks(self, era: Era) -> bool {
        era == Era::Legacy || !matches!(self, Self::Floor | Self::FloorShared)
    }
}

/// How to start what is measured.
pub struct Server {
    pub name: Name,
    pub program: PathBuf,
    pub args: Vec<String>,
}

impl Server {
    pub fn echoes_lines(&self) -> bool {
        self.name == Name::Raw
    }

    /// How long it must be used before it is measured, at least: a JIT compiler takes some seconds.
    pub fn warm_up(&self) -> Duration {
        Duration::from_millis(if self.name == Name::TypeScript { 3_000 } else { 0 })
    }

    /// A call takes it about a millisecond, and its start most of a second.
    pub fn is_slow(&self) -> bool {
        self.name == Name::Python
    }
}

/// Builds what the options ask for.
pub fn prepare(options: &Options) -> Result<Vec<Server>> {
    let wanted = |name: &Name| options.wants(name.as_str());
    let speaks = |name: &Name| name.speaks(options.era);
    let can_run = |name: &Name| {
        name.interpreter().is_none_or(|program| artifact::can_run(name.as_str(), program))
    };
    let names = Name::ALL.into_iter().filter(wanted).filter(speaks).filter(can_run);
    let names: Vec<Name> = names.collect();
    if names.is_empty() {
        bail!("no server is left; the floors speak the legacy era only");
    }
    let calc = match &options.ours {
        Some(path) => path.clone(),
        None if names.contains(&Name::Ours) || names.contains(&Name::Ours50) => artifact::calc()?,
        None => PathBuf::new(),
    };
    names.into_iter().map(|name| server(name, &calc)).collect()
}

fn server(name: Name, calc: &std::path::Path) -> Result<Server> {
    let scripted = |(program, script): (PathBuf, String)| (program, vec![script, "stdio".into()]);
    let (program, args) = match name {
        Name::Ours => (calc.to_owned(), Vec::new()),
        Name::Ours50 => (calc.with_file_name("calc-50"), Vec::new()),
        Name::Rmcp => (artifact::rmcp_twin()?, Vec::new()),
        Name::RmcpTuned => (artifact::rmcp_tuned()?, Vec::new()),
        Name::TypeScript => scripted(artifact::typescript_server()?),
        Name::Python => scripted(artifact::python_server()?),
        Name::Floor => (this_program()?, vec!["floor".to_owned()]),
        Name::FloorShared => (this_program()?, vec!["floor-shared".to_owned()]),
        Name::Raw => (this_program()?, vec!["raw".to_owned()]),
    };
    Ok(Server { name, program, args })
}

fn this_program() -> Result<PathBuf> {
    std::env::current_exe().context("finding this program")
}
