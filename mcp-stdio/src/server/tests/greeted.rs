//! Requests that are there before the server.

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::*;

/// Starts a server whose client has sent these lines before; returns what it has answered once it
/// is there, and then to everything.
fn greeted(tool: Tool, lines: &[&str]) -> (bool, Vec<String>) {
    let (input, mut to_server) = pipe().unwrap();
    let (from_server, output) = pipe().unwrap();
    to_server.write_all((lines.join("\n") + "\n").as_bytes()).unwrap();
    let wire = Wire { input: input.into(), output: output.into() };
    let registry = ToolRegistry::builder("toy").tool(tool).build().unwrap();
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let options = Options::default();
        let server = Server::start(&registry, options, wire, Handle::current()).unwrap();
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let is_answered = poll(&mut [PollFd::new(&from_server, PollFlags::IN)], Some(&now));
        drop(to_server);
        server.run(std::future::pending()).await;
        (is_answered.unwrap() > 0, said(BufReader::new(from_server), lines.len()))
    })
}

#[test]
fn a_client_that_has_sent_its_first_request_has_its_answer_once_the_server_is_there() {
    let first = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#;
    let ping = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
    let (is_answered, answers) = greeted(rest::tool(), &[first, ping]);
    assert!(is_answered);
    assert!(answers[0].contains(r#""protocolVersion":"2025-11-25""#), "{answers:?}");
    assert!(answers[1].contains(r#""id":2"#), "{answers:?}");
}

#[test]
fn a_first_call_that_looks_like_a_greeting_runs_as_others_do() {
    let echo =
        Tool::new("echo", "", json!({"type": "object"}), async |given: Value, _: Context| {
            tokio::task::yield_now().await;
            given.to_string()
        });
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"method":"initialize"}}}"#;
    let (_, answers) = greeted(echo, &[call]);
    assert!(answers[0].contains(r#"{\"method\":\"initialize\"}"#), "{answers:?}");
}
