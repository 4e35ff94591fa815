//! The tables of `docs/RELIABILITY.md`.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

pub(super) struct Page(String);

/// What each server says, by what it was asked.
pub(super) struct Table {
    pub(super) columns: Vec<(&'static str, Vec<(&'static str, String)>)>,
}

fn path() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/RELIABILITY.md"))
}

fn cells(row: &str) -> Vec<&str> {
    row.trim().trim_matches('|').split(" | ").map(str::trim).collect()
}

impl Page {
    pub(super) fn read() -> Self {
        Self(fs::read_to_string(path()).unwrap())
    }

    pub(super) fn write(&self) {
        fs::write(path(), &self.0).unwrap();
    }

    /// Where the rows of the table below a heading begin and end.
    fn place(&self, title: &str) -> (usize, usize) {
        let heading = format!("\n## {title}\n");
        let begin = self.0.find(&heading).unwrap_or_else(|| panic!("no heading {title}"));
        let table = begin + self.0[begin..].find("\n|").expect("a table") + 1;
        let length = self.0[table..].find("\n\n").map_or(self.0.len() - table, |end| end + 1);
        (table, table + length)
    }

    /// What a column says, by the first one.
    pub(super) fn column(&self, title: &str, name: &str) -> Vec<(&str, String)> {
        let (begin, end) = self.place(title);
        let mut rows = self.0[begin..end].lines();
        let head = cells(rows.next().unwrap());
        let at = head.iter().position(|cell| *cell == name).expect("such a column");
        rows.skip(1).map(cells).map(|row| (row[0], row[at].to_owned())).collect()
    }

    pub(super) fn put(&mut self, title: &str, table: &Table) {
        let (begin, end) = self.place(title);
        self.0.replace_range(begin..end, &table.written());
    }
}

impl Table {
    fn written(&self) -> String {
        let mut text = String::from("| sent");
        for (name, _) in &self.columns {
            let _ = write!(text, " | {name}");
        }
        let _ = writeln!(text, " |\n|{}", "---|".repeat(self.columns.len() + 1));
        let (_, first) = &self.columns[0];
        for (at, (sent, _)) in first.iter().enumerate() {
            let _ = write!(text, "| {sent}");
            for (_, said) in &self.columns {
                let _ = write!(text, " | {}", said[at].1);
            }
            text += " |\n";
        }
        text
    }
}
