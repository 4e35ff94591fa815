//! Every example runs, and prints what it is to print.

use std::collections::HashMap;
use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use expect_test::expect_file;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::cli::Folder;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// What every command of a transcript has, perhaps behind a pipe that gives it its input.
const RUN: &str = "cargo run -q --example ";

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
fn a_chat_goes_on_after_ctrl_c() {
    let mut chat = Command::new(&programs()["19_chat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut output) = (chat.stdin.take().unwrap(), chat.stdout.take().unwrap());
    let mut shown = String::new();
    let mut until = |end: &str| {
        let mut byte = [0];
        while !shown.ends_with(end) && output.read(&mut byte).unwrap() == 1 {
            shown.push(byte[0].into());
        }
        assert!(shown.ends_with(end), "{end:?} does not come:\n{shown}");
    };
    input.write_all(b"Hello!\nTell it.\n").unwrap();
    until("a die that never stopped.");
    kill_process(Pid::from_child(&chat), Signal::INT).unwrap();
    until("\n> ");
    input.write_all(b"Thank you.\n").unwrap();
    until("It did, in the end.\n> ");
    kill_process(Pid::from_child(&chat), Signal::INT).unwrap();
    until("The CLI has ended: exit status: 0\n");
    assert!(chat.wait().unwrap().success());
}

/// With scripts in place of `ssh` and, at the other end, of `claude`.
#[test]
fn over_ssh() {
    let folder = Folder::create();
    let program = |name: &str, script: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
    };
    let record = folder.path().join("record");
    let params = json!({"name": "folder", "arguments": {}});
    let call = json!({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": params});
    let request = json!({"subtype": "mcp_message", "server_name": "here", "message": call});
    let result = json!({"type": "result", "subtype": "success", "result": "There."});
    let steps = json!([{"initialize": {}}, "user", {"ask": ["1", request]}, {"answers": ["1"]},
        "record", {"say": result}]);
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    program("ssh", &format!("[ \"$1 $2\" = '-T me@box' ] && exec env -i PATH={path} sh -c \"$3\""));
    let fake = env!("CARGO_BIN_EXE_fake-cli");
    let set = format!("FAKE_CLI_RECORD={} FAKE_CLI_SCRIPT='{steps}'", record.display());
    program("claude", &format!("exec env {set} {fake} \"$@\""));

    let mut ssh = Command::new(&programs()["24_over_ssh"]);
    let output = ssh.arg("me@box").env_clear().env("PATH", path).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "There.\n", "{output:?}");
    let record: Value = fs::read_to_string(record).unwrap().parse().unwrap();
    let config = r#"--mcp-config={"mcpServers":{"here":{"type":"sdk","name":"here"}}}"#;
    assert!(record["arguments"].as_array().unwrap().contains(&config.into()), "{record}");
    let answer = record["heard"].as_array().unwrap().last().unwrap().to_string();
    assert!(answer.contains(env!("CARGO_MANIFEST_DIR")), "{answer}");
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
fn the_tests_of_tools_and_of_an_agent_pass() {
    for (name, count) in [("08_testing_tools", 4), ("25_testing_an_agent", 2)] {
        let output = cargo("test").args(["--example", name]).output().unwrap();
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(shown.contains(&format!("{count} passed; 0 failed")), "{shown}");
    }
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
        let command = line.strip_prefix("$ ").and_then(|line| line.split_once(RUN));
        if let Some((pipe, command)) = command.filter(|_| is_transcript) {
            let is_first = shown.ends_with("```console\n");
            shown.push_str(if is_first { "" } else { "\n" });
            shown.push_str(&format!("{line}\n{}", output(pipe, command, folder.path())));
        } else if !is_transcript || line == "```" {
            shown.push_str(&format!("{line}\n"));
            is_transcript = line == "```console";
        }
    }
    shown
}

/// What a shell shows of an example with its arguments, and perhaps with a pipe before it.
fn output(pipe: &str, command: &str, folder: &Path) -> String {
    let (name, arguments) = command.split_once(" -- ").unwrap_or((command, ""));
    // Some need a feature.
    let (name, _) = name.split_once(' ').unwrap_or((name, ""));
    let program = programs().get(name).unwrap_or_else(|| panic!("there is no example {name}"));
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &format!("{pipe} \"$0\" {arguments} 2>&1")]).arg(program);
    let Output { status, stdout, .. } =
        shell.env_clear().env("COLUMNS", "80").current_dir(folder).output().unwrap();
    let shown = String::from_utf8(stdout).unwrap();
    // A tool's error is one; a panic is not.
    assert!(matches!(status.code(), Some(0 | 1)), "{command}: {status}\n{shown}");
    shown
}

/// The executables of examples, by their names.
pub(crate) fn programs() -> &'static HashMap<String, PathBuf> {
    &built().examples
}

/// The programs of examples that are packages of their own.
pub(crate) fn binaries() -> &'static HashMap<String, PathBuf> {
    &built().binaries
}

struct Built {
    examples: HashMap<String, PathBuf>,
    binaries: HashMap<String, PathBuf>,
}

/// Both kinds at once: for binaries alone, cargo leaves out what only tests and examples depend on,
/// and compiles everything again with fewer features.
fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| {
        let words = ["--examples", "--bins", "--message-format=json"];
        let built = cargo("build").args(words).output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let messages = String::from_utf8(built.stdout).unwrap();
        let artifacts: Vec<Value> = messages.lines().map(|line| line.parse().unwrap()).collect();
        let of = |kind| artifacts.iter().filter_map(move |artifact| executable(artifact, kind));
        Built { examples: of("example").collect(), binaries: of("bin").collect() }
    })
}

fn executable(artifact: &Value, kind: &str) -> Option<(String, PathBuf)> {
    let target = &artifact["target"];
    let name = (target["kind"][0] == kind).then(|| target["name"].as_str())??;
    Some((name.to_owned(), artifact["executable"].as_str()?.into()))
}

/// Cargo with the features of the tests, which have compiled what the examples consist of.
fn cargo(command: &str) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([command, "--quiet", "--workspace", "--all-features"]).current_dir(ROOT);
    cargo
}
