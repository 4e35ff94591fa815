//! Clients, parents and tools that are as bad as they can be. What each test waits for must come,
//! so none depends on the machine's speed.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use toolwright::testing::TestClient;

use super::{Owned, connect_to, fixture, rest, text};
use crate::proc::{descriptors, is_gone, peak, resident, rests, threads};

/// Longer than anything takes unless it never happens.
const PATIENCE: Duration = Duration::from_secs(120);

fn call(id: u64, name: &str, arguments: &Value) -> String {
    let params = json!({"name": name, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string() + "\n"
}

/// Waits until something is true.
fn until(what: &str, is_true: impl Fn() -> bool) -> Duration {
    let begin = Instant::now();
    while !is_true() {
        assert!(begin.elapsed() < PATIENCE, "never: {what}");
        thread::yield_now();
    }
    begin.elapsed()
}

#[test]
fn twenty_thousand_calls_before_anything_is_read_are_answered() {
    const CALLS: u64 = 20_000;
    let mut child = fixture().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let process = child.id();
    let mut input = child.stdin.take().unwrap();
    for id in 0..CALLS {
        input.write_all(call(id, "add", &json!({"a": id, "b": 1})).as_bytes()).unwrap();
    }
    assert!(resident(process) < 100 * 1024, "{} KiB", resident(process));
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut sums = vec![0; CALLS as usize];
    for _ in 0..CALLS {
        let answer: Value = serde_json::from_str(&output.next().unwrap().unwrap()).unwrap();
        let id = answer["id"].as_u64().unwrap() as usize;
        sums[id] = text(&answer["result"]).parse().unwrap();
    }
    assert!((1..).zip(&sums).all(|(expected, sum)| expected == *sum), "each has its own answer");
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// 64 MiB of answers wait, and what is being written; calls above that do not start.
#[test]
fn memory_is_bounded_for_a_client_that_never_reads() {
    let mut child = fixture().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let process = child.id();
    let mut input = child.stdin.take().unwrap();
    for id in 0..500 {
        input.write_all(call(id, "big", &json!({"bytes": 1 << 20})).as_bytes()).unwrap();
    }
    // What they end is the reading, so this is not read, and nothing waits for it.
    let folder = format!("/proc/{process}/fd");
    assert!(fs::exists(folder).unwrap());
    until("it has answers", || resident(process) > 32 * 1024);
    until("it waits for its client", || rests(process));
    println!("a client that never reads: {} KiB", peak(process));
    assert!(peak(process) < 200 * 1024, "{} KiB", peak(process));
    drop(input);
    drop(child.stdout.take());
    child.wait().unwrap();
}

#[test]
fn standard_error_is_never_read_with_ten_megabytes_of_prints_and_a_thousand_panics() {
    let mut child = fixture()
        .args(["--tools", "loud,panic,add"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = thread::spawn(move || {
        for id in 0..1_010 {
            let line = match id < 10 {
                true => call(id, "loud", &json!({"bytes": 1 << 20})),
                false => call(id, "panic", &json!({})),
            };
            input.write_all(line.as_bytes()).unwrap();
        }
        input.write_all(call(1_010, "add", &json!({"a": 1, "b": 2})).as_bytes()).unwrap();
        input
    });
    let output = BufReader::new(child.stdout.take().unwrap()).lines();
    let answers: Vec<Value> =
        output.take(1_011).map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    let failed = answers.iter().filter(|answer| answer["result"]["isError"] == true).count();
    assert_eq!((answers.len(), failed), (1_011, 1_000));
    drop(writer.join().unwrap());
    // The end waits for nobody who might read it.
    assert!(child.wait().unwrap().success());
}

/// What a program has not printed to its end comes out as it exits, where nobody may read it.
#[test]
fn a_text_without_an_end_delays_no_end_while_standard_error_is_full() {
    let (_unread, mut stderr) = std::io::pipe().unwrap();
    let size = rustix::pipe::fcntl_getpipe_size(&stderr).unwrap();
    stderr.write_all(&vec![b'x'; size]).unwrap();
    let mut child = fixture()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .map(Owned)
        .unwrap();
    let mut input = child.0.stdin.take().unwrap();
    input.write_all(call(1, "println", &json!({})).as_bytes()).unwrap();
    drop(input);
    let output = BufReader::new(child.0.stdout.take().unwrap());
    assert_eq!(output.lines().count(), 1);
    let process = child.0.id();
    until("it ends", || is_gone(process));
    assert!(child.0.wait().unwrap().success());
}

#[test]
fn calls_in_flight_are_answered_at_the_end_in_a_program_with_a_runtime_of_its_own() {
    for name in ["sleep_ms", "reluctant", "spin_async"] {
        let ms = if name == "spin_async" { 3_000 } else { 600_000 };
        let mut client = TestClient::spawn(fixture().env("FIXTURE_SET_UP", "own")).unwrap();
        client.initialize().unwrap();
        let arguments = if name == "reluctant" { json!({}) } else { json!({"ms": ms}) };
        let quick = client.start_call("sleep_ms", json!({"ms": 100})).unwrap();
        let slow = client.start_call(name, arguments).unwrap();
        client.end_input();
        let answers = rest(&mut client);
        let of = |id: u64| answers.iter().find(|answer| answer["id"] == id).unwrap();
        assert_eq!(answers.len(), 2, "{answers:?}");
        assert_eq!(text(&of(quick)["result"]), "ok");
        let stopped = format!("The tool `{name}` was stopped: the server is shutting down.");
        assert_eq!(text(&of(slow)["result"]), stopped);
        assert!(client.close().unwrap().success());
    }
}

/// Nobody is left who could close anything.
#[test]
fn a_parent_that_is_killed_leaves_no_server() {
    let folder = crate::cli::Folder::create();
    let (pipe, output) = (folder.path().join("pipe"), folder.path().join("output"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let script = r#"exec 3<>"$1"; "$0" <"$1" >"$2" 2>/dev/null 3>&- & echo $!
        printf '%s' "$3" >&3; read -r nothing"#;
    let mut parent = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_fixture")])
        .args([&pipe, &output])
        .arg(
            call(1, "reluctant", &json!({})) + &call(2, "sleep_ms", &json!({"ms": 600_000})) + PING,
        )
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut server = String::new();
    BufReader::new(parent.stdout.as_mut().unwrap()).read_line(&mut server).unwrap();
    let server: u32 = server.trim().parse().unwrap();
    until("it answers", || fs::read_to_string(&output).unwrap_or_default().contains("result"));
    assert!(!is_gone(server));
    parent.kill().unwrap();
    parent.wait().unwrap();
    until("it ends", || is_gone(server));
}

const PING: &str = "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\n";

#[test]
fn the_child_of_a_tool_ends_when_its_call_is_cancelled_and_when_the_server_ends() {
    for end in ["cancel", "input", "signal"] {
        let mut client = connect_to("run_sleep,add");
        let id = client.start_call("run_sleep", ()).unwrap();
        let begun = client.receive().unwrap().unwrap();
        let child: u32 = begun["params"]["message"].as_str().unwrap().parse().unwrap();
        assert!(!is_gone(child));
        match end {
            "cancel" => client.cancel(id).unwrap(),
            "input" => client.end_input(),
            _ => {
                let server = Pid::from_raw(client.id().try_into().unwrap()).unwrap();
                kill_process(server, Signal::TERM).unwrap();
            }
        }
        let took = until("its child ends", || is_gone(child));
        println!("{end}: after {took:?}");
        assert!(client.close().unwrap().success());
    }
}

#[test]
fn descriptors_threads_and_memory_are_flat_over_many_calls() {
    flat(20_000);
}

#[test]
#[ignore = "a million calls take a minute"]
fn descriptors_threads_and_memory_are_flat_over_a_million_calls() {
    flat(1_000_000);
}

fn flat(calls: u64) {
    let mut child = fixture().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let process = child.id();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    let (mut looks, mut results) = (Vec::new(), 0);
    for part in 0..10 {
        for batch in 0..calls / 10 / 100 {
            let id = part * calls + batch * 100;
            let mut lines = String::new();
            for id in id..id + 100 {
                lines += &match id % 10 {
                    0 => call(id, "spin", &json!({"ms": 0})),
                    1 => call(id, "no such tool", &json!({})),
                    2 => call(id, "add", &json!({"a": "x"})),
                    3 => call(id, "whoami", &json!({})),
                    _ => call(id, "add", &json!({"a": id, "b": 1})),
                };
            }
            input.write_all(lines.as_bytes()).unwrap();
            for _ in 0..100 {
                line.clear();
                output.read_line(&mut line).unwrap();
                results += u64::from(line.contains(r#""result":"#));
            }
        }
        looks.push((descriptors(process), threads(process), resident(process)));
    }
    assert_eq!(results, calls / 10 * 9, "only the calls of no such tool have another answer");
    println!("descriptors, threads and KiB after each tenth of {calls} calls: {looks:?}");
    let [_, second, .., last] = looks[..] else { panic!("ten looks") };
    // Ten plain functions run at a time at the most.
    assert!(last.0 == second.0 && last.1 <= second.1 + 10, "{looks:?}");
    assert!(last.2 <= second.2 + second.2 / 10 + 1_024, "{looks:?}");
    drop(input);
    assert!(child.wait().unwrap().success());
    let mut left = String::new();
    output.read_to_string(&mut left).unwrap();
    assert_eq!(left, "");
}
