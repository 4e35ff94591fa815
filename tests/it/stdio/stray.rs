//! Whatever a program prints, the protocol does not notice.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use serde_json::{Value, json};
use toolwright::testing::TestClient;

use super::{connect, fixture, rest, text};

#[test]
fn what_a_tool_prints_comes_out_of_standard_error() {
    let mut child = fixture()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let call = |id: u32, name: &str| {
        format!(
            "{}\n",
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name}})
        )
    };
    let mut input = child.stdin.take().unwrap();
    input
        .write_all((call(1, "println") + &call(2, "panic") + &call(3, "println")).as_bytes())
        .unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();

    let answers: Vec<Value> =
        output.stdout.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    assert_eq!(answers.len(), 3);
    let stray = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stray.matches("this line is not JSON\n").count(), 2, "{stray}");
    assert_eq!(stray.matches("nor is this one\n").count(), 2, "{stray}");
    assert!(stray.contains("a panic that the fixture was asked for"), "{stray}");
    assert!(stray.contains("a call panicked name=\"panic\""), "the log has the detail: {stray}");
}

#[test]
fn what_the_set_up_prints_comes_out_of_standard_error() {
    let mut child = fixture()
        .env("FIXTURE_SET_UP", "loud")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let ping = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    child.stdin.take().unwrap().write_all(ping).unwrap();
    let output = child.wait_with_output().unwrap();
    let answer = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    assert_eq!(String::from_utf8(output.stderr).unwrap().matches("set up").count(), 20_000);
    assert!(output.status.success());
}

#[test]
fn the_log_names_what_it_cannot_read_of_its_filter() {
    let output = fixture()
        .env("RUST_LOG", "other=info,[span]=debug")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .and_then(|child| child.wait_with_output())
        .unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    let part = "a part of RUST_LOG is not understood part=\"[span]=debug\"\n";
    assert!(log.ends_with(part) && log.lines().count() == 1, "{log}");
}

#[test]
fn a_panic_is_an_error_result_without_its_detail() {
    let mut command = fixture();
    let mut client = TestClient::spawn(command.stderr(Stdio::null())).unwrap();
    client.initialize().unwrap();
    for _ in 0..3 {
        let result = client.call_tool("panic", json!({})).unwrap();
        assert_eq!(result["isError"], true);
        assert_eq!(text(&result), "The tool `panic` failed: an internal error stopped it.");
    }
    assert!(client.close().unwrap().success());
}

#[test]
fn a_child_process_that_reads_standard_input_ends_at_once() {
    let mut client = connect();
    let cat = client.send("tools/call", json!({"name": "run_cat"})).unwrap();
    let ping = client.send("ping", json!({})).unwrap();
    assert_eq!(text(&client.answer(cat).unwrap()["result"]), "exit status: 0");
    client.answer(ping).unwrap();
    client.end_input();
    assert_eq!(rest(&mut client), Vec::<Value>::new());
}

/// 5,000 calls print more than a pipe holds, and nobody reads it.
#[test]
fn standard_error_that_nobody_reads_stops_nothing() {
    let mut child = fixture()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let writer = std::thread::spawn(move || {
        for id in 0..5_000 {
            let line = format!(
                "{}\n",
                json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "println"}})
            );
            input.write_all(line.as_bytes()).unwrap();
        }
        input
    });
    let answers = BufReader::new(output)
        .lines()
        .take(5_000)
        .filter(|line| line.as_ref().is_ok_and(|line| line.contains("printed")))
        .count();
    assert_eq!(answers, 5_000);
    drop(writer.join().unwrap());
    let mut stray = Vec::new();
    child.stderr.take().unwrap().read_to_end(&mut stray).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(stray.len() >= 64 * 1024, "the beginning is there: {}", stray.len());
}
