//! What waits is bounded, and nothing is lost at the bounds.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::{Value, json};

use super::{connect, fixture};

/// More answers than the server keeps for a client that does not read them (64 MiB): it stops
/// reading, and goes on when the client does.
#[test]
fn a_client_that_writes_first_and_reads_later_gets_all_answers() {
    const CALLS: u64 = 150;
    let mut child = fixture().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for id in 0..CALLS {
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "big", "arguments": {"bytes": 1 << 20}}});
        input.write_all(format!("{call}\n").as_bytes()).unwrap();
    }
    drop(input);
    let mut ids = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        assert!(line.len() > 1 << 20);
        let id = line.split("\"id\":").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
        ids.push(id.parse::<u64>().unwrap());
    }
    // A reader that was overtaken answers its call after those that came later.
    ids.sort_unstable();
    assert_eq!(ids, (0..CALLS).collect::<Vec<_>>());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_line_over_the_cap_is_answered_and_passed_over() {
    let mut client = connect();
    let long = "x".repeat(65 * 1024 * 1024);
    let line = json!({"jsonrpc": "2.0", "id": "long", "method": "tools/call", "params": {"name": "echo", "arguments": {"text": long}}});
    let id_first = line.to_string();
    // serde_json's objects keep the order here, so some clients' order is made by hand.
    let id_last =
        id_first.replacen("\"id\":\"long\",", "", 1).strip_suffix('}').unwrap().to_owned()
            + ",\"id\":\"long\"}";
    for line in [id_first, id_last] {
        client.send_line(&line).unwrap();
        let answer = client.receive().unwrap().unwrap();
        assert_eq!(answer["id"], "long");
        assert_eq!(answer["error"]["code"], -32600);
    }
    assert_eq!(client.request("ping", json!({})).unwrap()["result"], json!({}));
    assert!(client.close().unwrap().success());
}

#[test]
fn large_texts_come_back_whole() {
    let mut client = connect();
    let text: String = "line\n\"quoted\" \u{1F980} \u{2028}".repeat(100_000);
    let answer = client.call_tool("echo", json!({"text": text})).unwrap();
    assert_eq!(answer["content"][0]["text"], Value::String(text));
    assert!(client.close().unwrap().success());
}

/// A tool is not made to wait for a client that does not read, and what it says must not pile up.
#[test]
fn progress_that_nobody_reads_is_dropped_and_the_answer_is_not() {
    const TIMES: usize = 100_000;
    let mut server = fixture();
    let mut child = server
        .args(["--tools", "chatter"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let params =
        json!({"name": "chatter", "arguments": {"times": TIMES}, "_meta": {"progressToken": 1}});
    input
        .write_all(
            format!(
                "{}\n",
                json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
            )
            .as_bytes(),
        )
        .unwrap();
    let mut last = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut last).unwrap();
    assert_eq!(last, "all is said\n");
    let mut said = 0;
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if message["id"] == 1 {
            break;
        }
        said += 1;
    }
    assert!((1..TIMES).contains(&said), "{said}");
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// With stacks as large as these no thread can be started once the address space is bounded, and
/// everything else goes on. What the pipe has no room for is then written by the thread that sends
/// it.
#[test]
#[cfg(target_os = "linux")]
fn an_answer_is_whole_although_no_thread_can_be_had_to_write_it() {
    use std::io::Read;

    use rustix::io::ioctl_fionread;
    use rustix::pipe::fcntl_getpipe_size;
    use rustix::process::{Pid, Resource, Rlimit, prlimit};

    const STACK: u64 = 512 << 20;
    const TEXT: usize = 8 << 20;
    let mut server = fixture();
    server.env("RUST_MIN_STACK", STACK.to_string());
    // A reader that is overtaken says on standard error that no other can be had.
    server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = server.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut call = |bytes: usize| {
        let params = json!({"name": "big", "arguments": {"bytes": bytes}});
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        input.write_all(format!("{call}\n").as_bytes()).unwrap();
    };
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    call(1);
    output.read_line(&mut line).unwrap();
    let folder = format!("/proc/{}", child.id());
    let has_thread = |start: &str| {
        let tasks = std::fs::read_dir(format!("{folder}/task")).unwrap();
        let names = tasks.map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")));
        names.flatten().any(|name| name.starts_with(start))
    };
    // All other threads, of which some start after the first answer.
    for name in ["toolwright-stde", "toolwright-tool", "toolwright-watc"] {
        while !has_thread(name) {
            std::thread::yield_now();
        }
    }
    let status = std::fs::read_to_string(format!("{folder}/status")).unwrap();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")).unwrap();
    let size: u64 = size.trim().strip_suffix(" kB").unwrap().parse().unwrap();
    let bounded = |bytes: Option<u64>| {
        let pid = Pid::from_raw(child.id().try_into().unwrap());
        let most = Rlimit { current: bytes, maximum: None };
        prlimit(pid, Resource::As, most).unwrap();
    };
    bounded(Some(size * 1024 + STACK / 2));
    call(TEXT);
    // Unread until the pipe is full, so that something is left for a thread to write.
    let full = fcntl_getpipe_size(output.get_ref()).unwrap() as u64;
    while ioctl_fionread(output.get_ref()).unwrap() < full {
        std::thread::yield_now();
    }
    drop(input);
    let mut bytes = vec![0; TEXT / 2];
    output.read_exact(&mut bytes).unwrap();
    assert!(!has_thread("toolwright-writ"), "a thread was had");
    // A reader that was overtaken ends, and only another thread sees the end of the input.
    bounded(None);
    output.read_to_end(&mut bytes).unwrap();
    let answer: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(answer["result"]["content"][0]["text"].as_str().unwrap().len(), TEXT);
    assert!(child.wait().unwrap().success());
}
