//! A file that holds the list of tools as it is meant to be.

use std::fmt::Write as _;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::{env, fs};

use serde_json::Value;

use super::failure::failure;
use super::test_client::TestClient;

/// How many lines of a difference are shown.
const MOST: usize = 40;

impl TestClient {
    /// Compares the list of tools, with their descriptions and schemas, with a JSON file that is
    /// kept beside the tests: what the model sees does not change unnoticed. To write the file, run
    /// the test with `UPDATE_EXPECT=1`.
    ///
    /// ```no_run
    /// use toolwright::testing::TestClient;
    /// use toolwright::{ToolRegistry, tool, tools};
    ///
    /// /// Add two numbers.
    /// #[tool]
    /// async fn add(a: f64, b: f64) -> f64 {
    ///     a + b
    /// }
    ///
    /// // In a test:
    /// let registry = ToolRegistry::builder("calc").tools(tools![add]).build()?;
    /// TestClient::in_memory(&registry)?.check_golden("tests/tools.json")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// `cargo test` runs the tests of a package in its folder, which relative paths begin in.
    ///
    /// # Errors
    ///
    /// The list differs from the file: the error shows where. There is no such file, or it cannot
    /// be read or written.
    pub fn check_golden(&mut self, path: impl AsRef<Path>) -> io::Result<()> {
        check(path.as_ref(), &self.list_tools()?, env::var_os("UPDATE_EXPECT").is_some())
    }
}

pub(super) fn check(path: &Path, tools: &[Value], is_update: bool) -> io::Result<()> {
    let now = serde_json::to_string_pretty(tools)? + "\n";
    let shown = path.display();
    let failed = |error: io::Error, what: &str| {
        io::Error::new(error.kind(), format!("{what}: {shown}: {error}"))
    };
    if is_update {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        return folder
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(path, &now))
            .map_err(|error| failed(error, "the golden file cannot be written"));
    }
    let golden = fs::read_to_string(path).map_err(|error| {
        failed(error, "the golden file cannot be read; UPDATE_EXPECT=1 writes it")
    })?;
    // Git may have changed the line ends.
    let golden = golden.replace("\r\n", "\n");
    if golden == now {
        return Ok(());
    }
    let changes = match serde_json::from_str::<Vec<Value>>(&golden) {
        Ok(golden) => changes(&golden, tools),
        Err(_) => String::new(),
    };
    // The order of the tools, the layout of the file, or a file of something else.
    let changes = if changes.is_empty() { lines(&golden, &now) } else { changes };
    let what = format!("the tools differ from {shown}; UPDATE_EXPECT=1 accepts them\n{changes}");
    Err(failure(ErrorKind::InvalidData, what))
}

/// The tools that came, went or changed.
fn changes(golden: &[Value], now: &[Value]) -> String {
    let named = |tools: &[Value], name: &Value| {
        let tool = tools.iter().find(|tool| tool["name"] == *name);
        tool.map(|tool| format!("{tool:#}"))
    };
    let added = now.iter().filter(|tool| named(golden, &tool["name"]).is_none());
    let mut text = String::new();
    for tool in golden.iter().chain(added) {
        let name = &tool["name"];
        let _ = match (named(golden, name), named(now, name)) {
            (Some(_), None) => writeln!(text, "{name} is gone"),
            (None, _) => writeln!(text, "{name} is new"),
            (Some(old), Some(new)) if old != new => {
                write!(text, "{name} has changed:\n{}", lines(&old, &new))
            }
            _ => Ok(()),
        };
    }
    text
}

/// The lines from the first that differs to the last, in the manner of `diff`.
fn lines(golden: &str, now: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (golden.lines().collect(), now.lines().collect());
    let equal = |(old, new): &(&&str, &&str)| old == new;
    let head = old.iter().zip(&new).take_while(equal).count();
    let (old, new) = (&old[head..], &new[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(equal).count();
    let mut text = String::new();
    for (mark, lines) in [('-', &old[..old.len() - tail]), ('+', &new[..new.len() - tail])] {
        lines.iter().take(MOST).for_each(|line| {
            let _ = writeln!(text, "{mark} {line}");
        });
        if lines.len() > MOST {
            let _ = writeln!(text, "{mark} and {} lines more", lines.len() - MOST);
        }
    }
    text
}
