//! How a server ends: when the client closes its end, when it is told to, when nobody listens any
//! more.

use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use toolwright::testing::TestClient;

use super::{connect, connect_to, fixture, rest, text};

fn terminate(id: u32) {
    signal(id, Signal::TERM);
}

fn signal(id: u32, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(id).unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

#[test]
fn the_end_of_input_ends_the_server() {
    let status = fixture().stdin(Stdio::null()).stdout(Stdio::null()).status().unwrap();
    assert!(status.success(), "{status}");
    assert!(connect().close().unwrap().success());
}

#[test]
fn a_last_line_without_its_end_is_answered() {
    let mut child = fixture().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(br#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n"
    );
    assert!(output.status.success());
}

#[test]
fn a_call_that_ends_within_the_grace_is_answered_after_the_end_of_input() {
    let mut client = connect();
    let id =
        client.send("tools/call", json!({"name": "sleep_ms", "arguments": {"ms": 100}})).unwrap();
    client.end_input();
    let answers = rest(&mut client);
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["id"], id);
    assert_eq!(text(&answers[0]["result"]), "ok");
    assert!(client.close().unwrap().success());
}

#[test]
fn calls_that_outlive_the_grace_are_answered_with_errors() {
    for (name, arguments) in [
        ("sleep_ms", json!({"ms": 600_000})),
        ("reluctant", json!({})),
        ("spin_async", json!({"ms": 600_000})),
    ] {
        let mut client = connect();
        let id = client.send("tools/call", json!({"name": name, "arguments": arguments})).unwrap();
        client.end_input();
        let answers = rest(&mut client);
        assert_eq!(answers.len(), 1, "{name}: {answers:?}");
        assert_eq!(answers[0]["id"], id);
        assert_eq!(answers[0]["result"]["isError"], true);
        assert_eq!(
            text(&answers[0]["result"]),
            format!("The tool `{name}` was stopped: the server is shutting down.")
        );
        assert!(client.close().unwrap().success());
    }
}

#[test]
fn a_tool_that_holds_up_its_runtime_does_not_hold_up_the_end() {
    let mut client = connect_to("spin_later");
    let id = client
        .send("tools/call", json!({"name": "spin_later", "arguments": {"ms": 600_000}}))
        .unwrap();
    client.end_input();
    let answers = rest(&mut client);
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["id"], id);
    assert_eq!(
        text(&answers[0]["result"]),
        "The tool `spin_later` was stopped: the server is shutting down."
    );
    assert!(client.close().unwrap().success());
}

#[test]
fn sigterm_ends_the_server_as_the_end_of_input_does() {
    let client = connect();
    terminate(client.id());
    let mut client = client;
    assert_eq!(rest(&mut client).len(), 0);
    assert!(client.wait().unwrap().success());

    // The second one holds up the runtime that it is on.
    for name in ["sleep_ms", "spin_later"] {
        let mut client = connect_to(name);
        let id =
            client.send("tools/call", json!({"name": name, "arguments": {"ms": 600_000}})).unwrap();
        client.request("ping", json!({})).unwrap();
        terminate(client.id());
        let answers = rest(&mut client);
        assert_eq!(answers.len(), 1);
        assert_eq!(answers[0]["id"], id);
        assert_eq!(answers[0]["result"]["isError"], true);
        assert!(client.wait().unwrap().success());
    }
}

#[test]
fn an_interrupt_and_a_hangup_end_the_server_as_sigterm_does() {
    // Under `nohup` the tests ignore a hangup, and so does a server that they start.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut ignored = status.lines().filter(|line| line.starts_with("SigIgn:"));
    let ignores_hangup =
        ignored.any(|line| line.ends_with(['1', '3', '5', '7', '9', 'b', 'd', 'f']));
    for kind in [Signal::INT, Signal::HUP] {
        if kind == Signal::HUP && ignores_hangup {
            continue;
        }
        let mut client = connect();
        let call = json!({"name": "sleep_ms", "arguments": {"ms": 600_000}});
        let id = client.send("tools/call", call).unwrap();
        client.request("ping", json!({})).unwrap();
        signal(client.id(), kind);
        let answers = rest(&mut client);
        assert_eq!((answers.len(), answers[0]["id"].as_u64()), (1, Some(id)));
        assert!(client.wait().unwrap().success());
    }
}

#[test]
fn a_client_that_closes_the_output_ends_the_server() {
    let mut child: Child = fixture().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    drop(child.stdout.take());
    input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").unwrap();
    let status = child.wait().unwrap();
    assert!(status.success(), "{status}");
    drop(input);
}

#[test]
fn a_registry_that_cannot_be_built_is_told_on_standard_error() {
    let output = fixture().arg("--bogus").stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "unknown argument: --bogus\n");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_modern_client_gets_the_end_of_its_subscription() {
    let mut client = TestClient::spawn(&mut fixture()).unwrap().modern();
    client.initialize().unwrap();
    let id = client
        .send("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}))
        .unwrap();
    client.call_tool("grow", json!({})).unwrap();
    client.end_input();
    let methods: Vec<_> = rest(&mut client)
        .iter()
        .map(|message| (message["method"].clone(), message["id"].clone()))
        .collect();
    assert_eq!(
        methods,
        [
            (json!("notifications/subscriptions/acknowledged"), json!(null)),
            (json!("notifications/tools/list_changed"), json!(null)),
            (json!(null), json!(id)),
        ]
    );
}

/// Waits for the end of a server, which must come although its client holds one side open.
fn ends_in_time(mut child: Child) -> std::process::ExitStatus {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("the server lives on");
        }
        std::thread::yield_now();
    }
}

fn big(id: u64) -> String {
    let params = json!({"name": "big", "arguments": {"bytes": 1 << 20}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string() + "\n"
}

#[test]
fn the_end_of_input_is_seen_although_the_client_reads_nothing() {
    let mut child = fixture().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    (0..150).for_each(|id| input.write_all(big(id).as_bytes()).unwrap());
    drop(input);
    let _unread = child.stdout.take();
    ends_in_time(child);
}

#[test]
fn a_client_that_stops_reading_ends_the_server_without_a_further_request() {
    let mut child = fixture().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    input.write_all(big(1).as_bytes()).unwrap();
    output.read_exact(&mut [0]).unwrap();
    drop(output);
    ends_in_time(child);
    drop(input);
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_that_takes_nothing_ends_the_server() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut child = fixture().stdin(Stdio::piped()).stdout(full).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}\n").unwrap();
    ends_in_time(child);
    drop(input);
}
