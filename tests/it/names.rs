//! `docs/FROM-OTHER-SDKS.md` has every name of the official SDKs, and names of ours that exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::peers::{installed, peer};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn page() -> String {
    fs::read_to_string(root().join("docs/FROM-OTHER-SDKS.md")).unwrap()
}

/// The texts in backticks.
fn spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Paths of ours that are no members of types. What does not exist here is not compiled.
macro_rules! paths {
    ($($path:path),* $(,)?) => {
        $(#[allow(unused_imports, reason = "only whether they exist counts")]
        const _: () = { use $path as _; };)*

        const PATHS: &[&str] = &[$(stringify!($path)),*];
    };
}

mod rmcp;

include!("names/paths.rs");

/// What the last cells of the tables name, as paths from the root of the crate.
fn ours() -> BTreeSet<String> {
    let page = page();
    let is_path = |name: &&str| is_path(name) || ["query", "query_with", "prewarm"].contains(name);
    let full = |name: &str| match name.starts_with("toolwright::") {
        true => name.to_owned(),
        false => format!("toolwright::agent::{name}"),
    };
    last_cells(section(&page, "Names")).flat_map(spans).filter(is_path).map(full).collect()
}

fn section<'a>(page: &'a str, title: &str) -> &'a str {
    page.split("\n## ").find(|section| section.starts_with(title)).unwrap()
}

/// The last cells of tables.
fn last_cells(section: &str) -> impl Iterator<Item = &str> {
    section.lines().filter_map(|line| line.strip_suffix(" |")?.rsplit(" | ").next())
}

/// True of paths, and of names with an upper-case letter.
fn is_path(name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    name.chars().all(is_word) && name.contains(|c: char| c.is_ascii_uppercase() || c == ':')
}

/// The type and the member that a path ends with, if it does.
fn member(path: &str) -> Option<(&str, &str)> {
    let (before, member) = path.rsplit_once("::")?;
    let of = before.rsplit("::").next()?;
    (of.starts_with(|c: char| c.is_ascii_uppercase())
        && member.starts_with(|c: char| c.is_ascii_lowercase()))
    .then_some((of, member))
}

#[test]
fn our_names_exist() {
    assert_exist(ours(), PATHS, 120, &["sdk/src/agent"]);
}

/// These are the paths that are compiled, of which there are at least some, and members that the
/// sources in these folders have.
fn assert_exist(ours: BTreeSet<String>, compiled: &[&str], least: usize, folders: &[&str]) {
    let (members, paths): (BTreeSet<_>, BTreeSet<_>) =
        ours.into_iter().partition(|path| member(path).is_some());
    let listed: BTreeSet<_> = compiled.iter().map(|path| (*path).to_owned()).collect();
    assert!(paths.len() > least, "only {} paths: the check has gone blind", paths.len());
    let differ: Vec<_> = paths.symmetric_difference(&listed).collect();
    assert!(differ.is_empty(), "on the page or in the list only: {differ:#?}");

    let mut sources = Vec::new();
    folders.iter().for_each(|folder| gather(&root().join(folder), &mut sources));
    for path in &members {
        let (of, name) = member(path).unwrap();
        let has = |text: &String| {
            let marks = ["fn ", "pub ", "    ", "*/ pub "].map(|before| format!("{before}{name}"));
            let is_of = ["struct ", "impl ", "enum "].map(|before| format!("{before}{of}"));
            is_of.iter().any(|mark| text.contains(mark))
                && marks.iter().any(|mark| {
                    let mut found = text.split(mark.as_str()).skip(1);
                    found.any(|rest| rest.starts_with(['(', '<', ':']))
                })
        };
        assert!(sources.iter().any(has), "{path} does not exist");
    }
}

fn gather(folder: &Path, sources: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => gather(&path, sources),
            false => sources.push(fs::read_to_string(path).unwrap()),
        }
    }
}

#[test]
fn tests_that_show_what_is_better_exist() {
    let page = page();
    let mut count = 0;
    for line in last_cells(section(&page, "Better")) {
        let mut source = None;
        for span in spans(line) {
            if span.ends_with(".rs") {
                source = Some(fs::read_to_string(root().join(span)).unwrap());
            } else {
                let test = format!("fn {span}()");
                assert!(source.as_ref().unwrap().contains(&test), "there is no {span}");
                count += 1;
            }
        }
    }
    assert!(count > 15, "only {count} tests: the check has gone blind");
}

/// All of these are on the page, or follow its rules for hooks.
fn are_on_the_page(names: &BTreeSet<String>, least: usize) {
    let page = page();
    let hooks = fs::read_to_string(root().join("sdk/src/agent/hook/event.rs")).unwrap();
    let is_there = |name: &&String| {
        let event = name.strip_suffix("HookInput").or(name.strip_suffix("HookSpecificOutput"));
        let by_rule = event.is_some_and(|event| hooks.contains(&format!("({event}Input)")));
        by_rule || spans(&page).any(|span| span == name.as_str())
    };
    assert!(names.len() >= least, "only {} names: the check has gone blind", names.len());
    let missing: Vec<_> = names.iter().filter(|name| !is_there(name)).collect();
    assert!(missing.is_empty(), "not on the page: {missing:?}");
}

#[test]
fn names_of_the_python_sdk_are_on_the_page() {
    const NAMES: &str = "import claude_agent_sdk as sdk
print(*(name for name in sdk.__all__ if not name.startswith('_')))";
    let Some(python) = installed(peer("sdk-python/.venv/bin/python")) else { return };
    let output = Command::new(python).args(["-c", NAMES]).output().unwrap();
    let names = String::from_utf8(output.stdout).unwrap();
    are_on_the_page(&names.split_whitespace().map(str::to_owned).collect(), 150);
}

#[test]
fn names_of_the_typescript_sdk_are_on_the_page() {
    let types: PathBuf =
        peer("sdk-typescript/node_modules/@anthropic-ai/claude-agent-sdk/sdk.d.ts");
    let Some(types) = installed(types) else { return };
    let types = fs::read_to_string(types).unwrap();
    let name = |line: &str| {
        let mut words = line.strip_prefix("export declare ")?.split([' ', '<', '(', ':', ';', '=']);
        ["type", "interface", "class", "function", "const"]
            .contains(&words.next()?)
            .then_some(())?;
        Some(words.next()?.to_owned())
    };
    are_on_the_page(&types.lines().filter_map(name).collect(), 250);
}
