//! Every example runs, and says what it is to say.

use std::process::Command;

fn example(name: &str) -> String {
    cargo("run", name)
}

fn cargo(command: &str, name: &str) -> String {
    let output = Command::new(env!("CARGO"))
        .args([command, "--quiet", "--package", "toolwright-examples", "--example", name])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// All parts are shown, in this order.
fn shows(name: &str, parts: &[&str]) {
    let shown = example(name);
    let mut rest = shown.as_str();
    for part in parts {
        let found = rest.find(part);
        rest = &rest[found
            .unwrap_or_else(|| panic!("{part:?} is not, or not in its place, in\n{shown}"))
            + part.len()..];
    }
}

#[test]
fn quickstart() {
    shows(
        "quickstart",
        &[
            "You     How many words",
            "Claude  I count first",
            "calls mcp__calc__count_words with {\"text\":\"a function is a tool\"}",
            "gets  5",
            "calls mcp__calc__add with {\"a\":5,\"b\":37}",
            "gets  42",
            "Claude  42",
            "3 turns, $0.0007",
            "cargo run --example quickstart -- real",
        ],
    );
}

#[test]
fn stdio_server() {
    shows(
        "01_stdio_server",
        &[
            "initialize",
            "tools/list",
            "← 42",
            "← 5",
            "/a: expected number, got string \"two\"",
            "exit status: 0",
        ],
    );
}

#[test]
fn agent() {
    shows(
        "02_agent",
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
        "03_conversation",
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
fn testing_tools() {
    let shown = cargo("test", "08_testing_tools");
    assert!(shown.contains("4 passed; 0 failed"), "{shown}");
}
