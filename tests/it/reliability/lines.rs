//! Lines on standard input.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::subject::{Subject, words};
use crate::stdio::rows::ROWS;

/// How long a server may take for its next message.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long a server that may be late is waited for.
const LATE: Duration = Duration::from_millis(300);

const HELLO: &str = r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;

/// What is sent after the handshake, or instead of it.
fn cases() -> Vec<(&'static str, bool, Vec<u8>)> {
    let row = |(name, line, _): &(&'static str, &str, _)| (*name, true, line.as_bytes().to_vec());
    let mut cases: Vec<_> = ROWS.iter().map(row).collect();
    let ping = |more: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping"{more}}}"#);
    let call = |tool: &str, arguments: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
        )
    };
    let nested = |depth: usize| {
        call("add", &format!(r#"{{"a":{}{}}}"#, "[".repeat(depth), "]".repeat(depth)))
    };
    let long = |bytes: usize| call("echo", &format!(r#"{{"text":"{}"}}"#, "x".repeat(bytes)));
    let slow = call("sleep_ms", r#"{"ms":50}"#);
    let mut add = |name, line: Vec<u8>| cases.push((name, true, line));
    add("a byte order mark", format!("\u{feff}{}", ping("")).into());
    add(
        "bytes that are not UTF-8",
        [br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":""#.as_slice(), b"\xff\"}}"]
            .concat(),
    );
    add("a zero byte", [ping("").into_bytes(), b"\0".into()].concat());
    add("an argument 200 levels deep", nested(200).into());
    add("an argument 5,000 levels deep", nested(5_000).into());
    add("a line of 12 MB", long(12_000_000).into());
    add("a line of 70 MB", long(70_000_000).into());
    add("two calls with one id", format!("{slow}\n{slow}").into());
    add("a second handshake", HELLO.lines().next().unwrap().replace("hello", "again").into());
    cases.push(("a ping before the handshake", false, ping("").into()));
    cases.push((
        "a list before the handshake",
        false,
        br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.into(),
    ));
    cases.push((
        "a modern call without a handshake",
        false,
        br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#.into(),
    ));
    cases
}

pub(super) fn answers(subject: &Subject) -> Vec<(&'static str, String)> {
    let answer = |(name, begins, line): (_, bool, Vec<u8>)| (name, ask(subject, begins, line));
    cases().into_iter().map(answer).collect()
}

/// What a server of its own says to a line, and whether it answers the next one.
fn ask(subject: &Subject, begins: bool, line: Vec<u8>) -> String {
    let mut command = subject.stdio();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let (heard, messages) = channel::<Value>();
    thread::spawn(move || {
        for line in output.lines() {
            let Ok(message) = serde_json::from_str(&line.unwrap_or_default()) else { continue };
            if heard.send(message).is_err() {
                break;
            }
        }
    });
    if begins {
        input.write_all(HELLO.as_bytes()).unwrap();
        while messages.recv_timeout(PATIENCE).expect("a handshake")["id"] != "hello" {}
    }
    // It may end before it has read everything.
    let writer = thread::spawn(move || {
        let ping = b"\n{\"jsonrpc\":\"2.0\",\"id\":\"then\",\"method\":\"ping\"}\n";
        let _ = input.write_all(&line).and_then(|()| input.write_all(ping));
        input
    });
    // The tests depend on no machine's speed, and this server always answers.
    let patience = if subject.is_late { PATIENCE } else { Duration::MAX };
    let mut said = Vec::new();
    let mut end = None;
    while end.is_none() {
        match messages.recv_timeout(patience) {
            Ok(message) if message["id"] == "then" => end = Some(""),
            Ok(message) => said.push(message),
            Err(RecvTimeoutError::Timeout) => end = Some("; answers nothing more"),
            Err(RecvTimeoutError::Disconnected) => end = Some("; exits"),
        }
    }
    if end == Some("; answers nothing more") {
        child.kill().unwrap();
    } else if subject.is_late && end == Some("") {
        said.extend(std::iter::from_fn(|| messages.recv_timeout(LATE).ok()));
    }
    // The end of input.
    drop(writer.join().unwrap());
    said.extend(messages.iter());
    child.wait().unwrap();
    let mut all: Vec<_> =
        said.iter().filter(|said| said.get("method").is_none()).map(words).collect();
    if all.is_empty() {
        all.push("nothing".to_owned());
    }
    format!("{}{}", all.join(", "), end.unwrap_or_default())
}
