//! Every example runs, and prints what it is to print.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use expect_test::expect_file;
use serde_json::Value;

use crate::cli::Folder;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// What every transcript begins with.
const RUN: &str = "$ cargo run -q --example ";

#[test]
fn the_page_shows_what_the_examples_print() {
    let page = fs::read_to_string(Path::new(ROOT).join("examples/README.md")).unwrap();
    expect_file!["../../examples/README.md"].assert_eq(&with_output(&page));
}

#[test]
fn every_example_is_on_the_page_and_has_at_most_60_lines() {
    let page = fs::read_to_string(Path::new(ROOT).join("examples/README.md")).unwrap();
    for name in programs().keys() {
        let program = Path::new(ROOT).join(format!("examples/{name}.rs"));
        let count = fs::read_to_string(program).unwrap().lines().count();
        assert!(count <= 60, "{name} has {count} lines");
        assert!(page.contains(&format!("| [{name}]({name}.rs) |")), "{name} is not on the page");
    }
}

#[test]
fn quickstart() {
    shows(
        "quickstart",
        &[
            "You     How many words",
            "Claude  I count first",
            "Call    mcp__calc__count_words {\"text\":\"a function is a tool\"}",
            "[##########..........]  50% splitting",
            "Result  5  (",
            "Call    mcp__calc__add {\"a\":5,\"b\":37}",
            "Result  42  (",
            "Claude  42",
            "Done    3 turns, $0.0007",
            "cargo run --example quickstart -- real, or -- --web",
        ],
    );
}

#[test]
fn agent() {
    shows(
        "09_agent",
        &[
            "mcp__notes__read {\"title\":\"shopping\"}\n  \"shopping: buy milk\"",
            "mcp__notes__delete {\"title\":\"shopping\"}\n  may it? yes\n  \"shopping is gone\"",
            "mcp__notes__delete {\"title\":\"taxes\"}\n  may it? no\n",
            "Claude: Done, as far as I may.",
            "Denied: mcp__notes__delete {\"title\":\"taxes\"}",
        ],
    );
}

#[test]
fn conversation() {
    shows(
        "10_conversation",
        &[
            "I have no dice yet",
            "completed, 1 turns",
            "Rolling",
            "Claude  4",
            "completed, 2 turns",
            "Once upon",
            "aborted_streaming",
            "You are welcome",
            "exit status: 0",
        ],
    );
}

#[test]
fn router() {
    shows(
        "12_router",
        &[
            "request{method=OPTIONS uri=/mcp version=HTTP/1.1}",
            "200 OK {",
            "\"access-control-allow-headers\": \"accept,authorization,content-type,",
            "\"access-control-allow-origin\": \"https://app.example.com\"",
            "request{method=POST uri=/mcp version=HTTP/1.1}",
            "status=200",
            "\"access-control-expose-headers\": \"mcp-session-id,www-authenticate\"",
            "\"text\":\"42\"",
        ],
    );
}

#[test]
fn testing_tools() {
    let output = cargo("test").args(["--example", "08_testing_tools"]).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("4 passed; 0 failed"), "{shown}");
}

/// All parts are shown, in this order.
fn shows(name: &str, parts: &[&str]) {
    let output = Command::new(&programs()[name]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let shown = String::from_utf8(output.stdout).unwrap();
    let mut rest = shown.as_str();
    for part in parts {
        let found = rest.find(part);
        rest = &rest[found
            .unwrap_or_else(|| panic!("{part:?} is not, or not in its place, in\n{shown}"))
            + part.len()..];
    }
}

/// The page with what its commands print now. They run in one folder, one after the other.
fn with_output(page: &str) -> String {
    let folder = Folder::create();
    let mut shown = String::new();
    let mut is_transcript = false;
    for line in page.lines() {
        if let Some(command) = line.strip_prefix(RUN).filter(|_| is_transcript) {
            let is_first = shown.ends_with("```console\n");
            shown.push_str(if is_first { "" } else { "\n" });
            shown.push_str(&format!("{line}\n{}", output(command, folder.path())));
        } else if !is_transcript || line == "```" {
            shown.push_str(&format!("{line}\n"));
            is_transcript = line == "```console";
        }
    }
    shown
}

/// What a shell shows of an example with its arguments.
fn output(command: &str, folder: &Path) -> String {
    let (name, arguments) = command.split_once(" -- ").unwrap_or((command, ""));
    // Some need a feature.
    let (name, _) = name.split_once(' ').unwrap_or((name, ""));
    let program = programs().get(name).unwrap_or_else(|| panic!("there is no example {name}"));
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &format!("exec \"$0\" {arguments} 2>&1")]).arg(program);
    let Output { status, stdout, .. } =
        shell.env_clear().env("COLUMNS", "80").current_dir(folder).output().unwrap();
    let shown = String::from_utf8(stdout).unwrap();
    // A tool's error is one; a panic is not.
    assert!(matches!(status.code(), Some(0 | 1)), "{command}: {status}\n{shown}");
    shown
}

/// The executables, by their names.
pub(crate) fn programs() -> &'static HashMap<String, PathBuf> {
    static PROGRAMS: OnceLock<HashMap<String, PathBuf>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let built = cargo("build").args(["--examples", "--message-format=json"]).output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let messages = String::from_utf8(built.stdout).unwrap();
        let artifacts = messages.lines().map(|line| line.parse::<Value>().unwrap());
        artifacts
            .filter(|artifact| artifact["target"]["kind"][0] == "example")
            .filter_map(|artifact| {
                let name = artifact["target"]["name"].as_str()?.to_owned();
                Some((name, artifact["executable"].as_str()?.into()))
            })
            .collect()
    })
}

/// Cargo with the features of the tests, which have compiled what the examples consist of.
fn cargo(command: &str) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([command, "--quiet", "--workspace", "--all-features"]).current_dir(ROOT);
    cargo
}
