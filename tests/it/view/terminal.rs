//! Questions at a real terminal.

use std::env;
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use toolwright::agent::view::Terminal;
use toolwright::agent::{AgentOptions, query_with};
use toolwright::testing::ScriptedCli;
use toolwright::{ToolRegistry, json, tool, tools};

/// Delete a file.
#[tool(destructive)]
async fn delete(file: &str) -> String {
    format!("{file} is gone")
}

/// As of somebody who is impatient, or has pasted two lines.
#[test]
fn what_was_typed_before_a_question_does_not_answer_it() {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let path = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    let stdin = File::options().read(true).write(true).open(path).unwrap();
    let mut keyboard = File::from(terminal);
    keyboard.write_all(b"y\n").unwrap();
    // Then it waits to be read.
    read_until(&mut keyboard, "y\r\n");
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "--ignored", "--nocapture", "view::terminal::asks_once"])
        .env_clear()
        .stdin(stdin)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut screen = child.stdout.take().unwrap();
    let mut shown = read_until(&mut screen, "instead: ");
    keyboard.write_all(b"keep it\n").unwrap();
    screen.read_to_string(&mut shown).unwrap();
    assert!(child.wait().unwrap().success(), "{shown}");
    assert!(shown.contains("but says: keep it") && !shown.contains("is gone"), "{shown}");
}

/// Reads up to this text at least.
fn read_until(from: &mut impl Read, text: &str) -> String {
    let mut seen = String::new();
    while !seen.contains(text) {
        let mut chunk = [0; 256];
        let length = from.read(&mut chunk).unwrap();
        assert!(length > 0, "{seen}");
        seen.push_str(std::str::from_utf8(&chunk[..length]).unwrap());
    }
    seen
}

#[tokio::test]
#[ignore = "run in a process of its own, at a terminal"]
async fn asks_once() {
    let mut terminal = Terminal::stdout();
    let files = ToolRegistry::builder("files").tools(tools![delete]).build().unwrap();
    let options = terminal.attach(AgentOptions::builder().mcp_server(files)).build().unwrap();
    let cli = ScriptedCli::new()
        .turn(|turn| turn.call("mcp__files__delete", json!({"file": "a"})).say("Well."));
    terminal.watch(query_with(cli, "Tidy up.", options).await.unwrap()).await.unwrap();
}
