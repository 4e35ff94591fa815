use super::*;

const CALL: &str = r#"{"jsonrpc":"2.0","id":"a","method":"tools/call",
    "params":{"name":"add","arguments":{"a":1,"b":2}}}"#;
const CANCEL: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#;

#[test]
fn a_cancelled_call_is_not_answered() {
    let server = Server::new();
    let id: &RawValue = serde_json::from_str(r#""a""#).expect("JSON");
    lock(&server.session).in_flight.push(id.to_owned());
    thread::scope(|scope| server.receive(scope, CANCEL.as_bytes()));
    server.end(id, &Ran::Text("late".to_owned(), false));
    assert!(lock(&server.session).answers.is_empty());
}

#[test]
fn a_call_is_answered_once() {
    let server = Server::new();
    thread::scope(|scope| server.receive(scope, CALL.as_bytes()));
    let session = lock(&server.session);
    let answers = str::from_utf8(&session.answers).expect("answers are UTF-8");
    assert!(answers.contains(r#""id":"a""#) && answers.contains(r#""text":"3""#), "{answers}");
    assert_eq!((answers.lines().count(), session.in_flight.len()), (1, 0));
}

#[test]
fn one_thread_reads_on_after_a_call_that_blocked() {
    let server = Server::new();
    server.running.store(7, Ordering::Relaxed);
    assert!(server.takes(7));
    assert!(!server.takes(7));
}
