//! A recording that was read.

use std::fmt::Display;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::testing::recording::Entry;

/// A recording that was read.
#[derive(Debug)]
pub(in crate::testing::scripted_cli) struct Replay {
    pub(super) name: String,
    /// One for each line of the file.
    pub(super) entries: Vec<Entry>,
}

impl Replay {
    pub(in crate::testing::scripted_cli) fn read(path: &Path) -> io::Result<Self> {
        let name = path.display().to_string();
        let failed = |kind, what: &dyn Display| {
            io::Error::new(kind, format!("the recording {name} cannot be read: {what}"))
        };
        let text = fs::read_to_string(path).map_err(|error| failed(error.kind(), &error))?;
        let entries = text.lines().zip(1..).map(|(line, number)| {
            serde_json::from_str(line).map_err(|error| {
                failed(ErrorKind::InvalidData, &format_args!("line {number}: {error}"))
            })
        });
        let entries = entries.collect::<io::Result<Vec<_>>>()?;
        match entries.first() {
            Some(Entry::Launch { .. }) => Ok(Self { entries, name }),
            _ => Err(failed(ErrorKind::InvalidData, &"it does not begin with `launch`")),
        }
    }

    /// How many turns end with a result behind an entry.
    pub(super) fn results_after(&self, at: usize) -> usize {
        let is_result = |entry: &&Entry| match entry {
            Entry::Cli(message) => message["type"] == "result",
            _ => false,
        };
        self.entries.iter().skip(at + 1).filter(is_result).count()
    }
}
