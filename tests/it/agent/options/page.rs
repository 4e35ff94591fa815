//! `docs/OPTIONS.md` names every option and request: ours, and those of the official SDKs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::differences::{Difference, PYTHON, TYPESCRIPT};
use crate::peers::{installed, peer};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn page() -> String {
    fs::read_to_string(root().join("docs/OPTIONS.md")).unwrap()
}

/// The names in the first cells of a table.
fn first_cells(section: &str) -> BTreeSet<String> {
    let page = page();
    let section = page.split("\n## ").find(|part| part.starts_with(section)).unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    cells.flat_map(|cell| cell.split(", ").map(|name| name.trim_matches('`').to_owned())).collect()
}

/// The names behind a prefix, in the files of a folder or in one file.
fn defined(path: &str, prefixes: &[&str]) -> BTreeSet<String> {
    let path = root().join("sdk/src/agent").join(path);
    let files: Vec<PathBuf> = match path.is_dir() {
        true => fs::read_dir(path).unwrap().map(|file| file.unwrap().path()).collect(),
        false => vec![path],
    };
    let text: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let name = |line: &str| {
        let rest = prefixes.iter().find_map(|prefix| line.strip_prefix(prefix))?;
        let end = rest.find(|c: char| !c.is_ascii_lowercase() && c != '_')?;
        (end > 0 && rest[end..].starts_with(['(', '<'])).then(|| rest[..end].to_owned())
    };
    text.lines().filter_map(name).collect()
}

#[test]
fn our_options_and_requests_are_on_the_page() {
    let mut options = defined("options/builder", &["    pub fn ", "    "]);
    options.retain(|name| !["build", "builder", "to_builder"].contains(&name.as_str()));
    assert!(options.len() > 75, "only {} options: the check has gone blind", options.len());
    assert_eq!(first_cells("Options"), options);

    let mut requests = defined("requests", &["    pub async fn "]);
    requests.extend(defined("handle.rs", &["    pub async fn "]));
    assert!(requests.len() > 40, "only {} requests: the check has gone blind", requests.len());
    let listed = first_cells("Requests");
    let missing: Vec<_> = listed.symmetric_difference(&requests).collect();
    assert!(missing.is_empty(), "on one side only: {missing:?}");
}

fn are_on_the_page(names: &BTreeSet<&str>, least: usize) {
    let page = page();
    assert!(names.len() >= least, "only {} names: the check has gone blind", names.len());
    let missing: Vec<_> =
        names.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "not on the page: {missing:?}");
}

#[test]
fn those_of_the_python_sdk_are_on_the_page() {
    const NAMES: &str = "import dataclasses, claude_agent_sdk as sdk
print(*(field.name for field in dataclasses.fields(sdk.ClaudeAgentOptions)))
print(*(name for name in dir(sdk.ClaudeSDKClient) if not name.startswith('_')))";
    let Some(python) = installed(peer("sdk-python/.venv/bin/python")) else { return };
    let output = Command::new(python).args(["-c", NAMES]).output().unwrap();
    let names = String::from_utf8(output.stdout).unwrap();
    are_on_the_page(&names.split_whitespace().collect(), 60);
}

#[test]
fn those_of_the_typescript_sdk_are_on_the_page() {
    let types = "sdk-typescript/node_modules/@anthropic-ai/claude-agent-sdk/sdk.d.ts";
    let Some(types) = installed(peer(types)) else { return };
    let types = fs::read_to_string(types).unwrap();
    let members = |head: &str, ends: [&str; 2]| {
        let body = types.split(head).nth(1).unwrap().split("\n}").next().unwrap();
        let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
        lines
            .filter_map(|line| {
                let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
                ends.iter().any(|mark| line[end..].starts_with(mark)).then(|| &line[..end])
            })
            .filter(|name| !name.is_empty())
            .collect::<BTreeSet<_>>()
    };
    are_on_the_page(&members("export declare type Options = {", ["?:", ":"]), 60);
    are_on_the_page(&members("export declare interface Query ", ["(", "<"]), 25);
}

#[test]
fn the_differences_are_on_the_page() {
    let page = page();
    let row = |sdk: &str, difference: &Difference| {
        format!("| {sdk} | `{}` | {} |\n", difference.what, difference.why)
    };
    let python = PYTHON.iter().map(|difference| row("Python", difference));
    let typescript = TYPESCRIPT.iter().map(|difference| row("TypeScript", difference));
    let rows: Vec<_> = python.chain(typescript).collect();
    for row in &rows {
        assert!(page.contains(row), "the page lacks\n{row}");
    }
    let table = page.split("| SDK |").nth(1).unwrap();
    let listed = table.lines().filter(|line| line.starts_with("| ")).count();
    assert_eq!(listed, rows.len(), "the page has differences that are none");
}
