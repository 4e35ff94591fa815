use std::path::PathBuf;

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
    /// The same tools by hand, without a library.
    Floor,
    Raw,
}

impl Name {
    pub const ALL: [Self; 5] = [Self::Ours, Self::Ours50, Self::Rmcp, Self::Floor, Self::Raw];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Ours50 => "ours-50",
            Self::Rmcp => "rmcp",
            Self::Floor => "floor",
            Self::Raw => "raw",
        }
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
}

/// Builds what the options ask for.
pub fn prepare(options: &Options) -> Result<Vec<Server>> {
    let wanted = |name: &Name| options.wants(name.as_str());
    // The loop by hand speaks one era.
    let speaks = |name: &Name| *name != Name::Floor || options.era == Era::Legacy;
    let names: Vec<Name> = Name::ALL.into_iter().filter(wanted).filter(speaks).collect();
    if names.is_empty() {
        bail!("floor speaks the legacy era only");
    }
    let calc = match &options.ours {
        Some(path) => path.clone(),
        None if names.contains(&Name::Ours) || names.contains(&Name::Ours50) => artifact::calc()?,
        None => PathBuf::new(),
    };
    names.into_iter().map(|name| server(name, &calc)).collect()
}

fn server(name: Name, calc: &std::path::Path) -> Result<Server> {
    let (program, args) = match name {
        Name::Ours => (calc.to_owned(), Vec::new()),
        Name::Ours50 => (calc.with_file_name("calc-50"), Vec::new()),
        Name::Rmcp => (artifact::rmcp_twin()?, Vec::new()),
        Name::Floor => (this_program()?, vec!["floor"]),
        Name::Raw => (this_program()?, vec!["raw"]),
    };
    Ok(Server { name, program, args: args.into_iter().map(str::to_owned).collect() })
}

fn this_program() -> Result<PathBuf> {
    std::env::current_exe().context("finding this program")
}
