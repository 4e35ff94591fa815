use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// What is checked, in the order of the table.
const CHECKS: [&str; 11] = [
    "list",
    "call",
    "structured",
    "isError",
    "unknown tool",
    "progress",
    "custom",
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
    /// The checks that this client cannot make on any transport.
    pub(crate) without: &'static [&'static str],
}

impl Row {
    /// Whether the client can make this check.
    pub(crate) fn can(&self, check: &str) -> bool {
        let is_legacy = matches!(self.era, "legacy" | "fallback");
        // A server without sessions does not know which call is to be cancelled, nor whom to tell
        // that its list has changed.
        let wants_session = matches!(check, "cancel" | "list_changed");
        let has_session = self.transport != "http" || !is_legacy;
        !self.without.contains(&check) && (has_session || !wants_session)
    }

    /// What the fixture is started with.
    pub(crate) fn flags(&self) -> &'static [&'static str] {
        match (self.era, self.transport) {
            ("fallback", "sessions") => &["--legacy", "--sessions"],
            ("fallback", _) => &["--legacy"],
            (_, "sessions") => &["--sessions"],
            _ => &[],
        }
    }

    /// The checks that the client can make, as a driver is told them.
    pub(super) fn wanted(&self) -> String {
        CHECKS.into_iter().filter(|check| self.can(check)).collect::<Vec<_>>().join(",")
    }

    fn word(&self, check: &str, found: &Found) -> &'static str {
        match (self.can(check), found.get(check)) {
            (true, Some(Ok(()))) => "ok",
            (false, None) => "-",
            (true, None) => "MISSING",
            (_, Some(_)) => "FAILED",
        }
    }

    /// Keeps the row for the table. Fails unless every check that the client can make, and no
    /// other, was made and succeeded.
    pub(crate) fn judge(&self, found: &Found) {
        let mut line = [self.client, self.era, self.transport].join("\t");
        let mut wrong = String::new();
        for check in CHECKS {
            let word = self.word(check, found);
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

#[test]
fn only_what_was_made_and_succeeded_is_ok() {
    let row = Row { client: "nobody", era: "legacy", transport: "http", without: &["progress"] };
    let found = [("list", Ok(())), ("call", Err("why".to_owned())), ("cancel", Ok(()))];
    let found = found.map(|(check, outcome)| (check.to_owned(), outcome)).into();
    let words = ["list", "call", "structured", "progress", "cancel", "list_changed"]
        .map(|check| row.word(check, &found));
    assert_eq!(words, ["ok", "FAILED", "MISSING", "-", "FAILED", "-"]);
}
