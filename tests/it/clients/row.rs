use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// What is checked, in the order of the table.
const CHECKS: [&str; 10] = [
    "list",
    "call",
    "structured",
    "isError",
    "unknown tool",
    "progress",
    "cancel",
    "4 in parallel",
    "list_changed",
    "close",
];

/// What was found, by check, or why it is wrong.
pub(crate) type Found = BTreeMap<String, Result<(), String>>;

/// A row of the table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) client: &'static str,
    pub(crate) era: &'static str,
    pub(crate) transport: &'static str,
    /// The checks that this client cannot make.
    pub(crate) without: &'static [&'static str],
}

impl Row {
    /// What the fixture is started with.
    pub(super) fn flags(&self) -> &'static [&'static str] {
        if self.era == "fallback" { &["--legacy"] } else { &[] }
    }

    /// The checks that the client can make, as a driver is told them.
    pub(super) fn wanted(&self) -> String {
        CHECKS
            .into_iter()
            .filter(|check| !self.without.contains(check))
            .collect::<Vec<_>>()
            .join(",")
    }

    /// Keeps the row for the table. Fails unless every check that the client can make, and no
    /// other, was made and succeeded.
    pub(crate) fn judge(&self, found: &Found) {
        let mut line = [self.client, self.era, self.transport].join("\t");
        let mut wrong = String::new();
        for check in CHECKS {
            let word = match (self.without.contains(&check), found.get(check)) {
                (false, Some(Ok(()))) => "ok",
                (true, None) => "-",
                (false, None) => "MISSING",
                (_, Some(_)) => "FAILED",
            };
            if word.len() > 2 {
                let _ = writeln!(wrong, "{check}: {word} {:?}", found.get(check));
            }
            let _ = write!(line, "\t{word}");
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients");
        fs::create_dir_all(&folder).unwrap();
        let name = format!("{} {} {}", self.transport, self.client, self.era);
        fs::write(folder.join(name), format!("{line}\n")).unwrap();
        assert!(wrong.is_empty(), "{self:?}\n{wrong}");
    }
}
