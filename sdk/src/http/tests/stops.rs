//! How a server stops.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::connections::{bytes, bytes_of, judge, run, until};
use super::scene::legacy;
use crate::http::Sessions;
use crate::{Context, Tool};

#[tokio::test]
async fn a_server_that_stops_answers_first() {
    let running = run(|options| options.grace = Duration::from_secs(60)).await;
    let mut idle = TcpStream::connect(running.address).await.unwrap();
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    stream.write_all(bytes("steps").as_bytes()).await.unwrap();
    let begin = until(&mut stream, "half\"}}\n\n").await;
    running.stop.send(()).unwrap();
    running.scene.go.notify_one();
    let end = until(&mut stream, "0\r\n\r\n").await;
    assert!(end.contains("done"), "{end}");
    judge("steps", &(begin + &end));
    running.ended.await.unwrap().unwrap();
    let mut left = String::new();
    idle.read_to_string(&mut left).await.unwrap();
    assert_eq!(left, "");
    assert!(TcpStream::connect(running.address).await.is_err());
}

#[tokio::test]
async fn a_server_that_stops_takes_a_request_on_its_way_and_says_that_it_is_the_last() {
    let running = run(|_| {}).await;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    stream.write_all(bytes("echo").as_bytes()).await.unwrap();
    let first = until(&mut stream, "}}}}").await;
    assert!(!first.contains("connection: close"), "{first}");
    running.stop.send(()).unwrap();
    // Refused, as it has seen that it must stop.
    while TcpStream::connect(running.address).await.is_ok() {}
    stream.write_all(bytes("echo").as_bytes()).await.unwrap();
    let mut last = String::new();
    stream.read_to_string(&mut last).await.unwrap();
    assert!(last.starts_with("HTTP/1.1 200 OK") && last.contains("hello"), "{last}");
    assert!(last.contains("connection: close"), "{last}");
    judge("echo", &last);
    running.ended.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_server_that_stops_waits_for_no_answer_that_cannot_come() {
    let running = run(|options| {
        options.sessions = Some(Sessions::default());
        options.grace = Duration::from_secs(60);
    })
    .await;
    let asks = async |_: Value, cx: Context| {
        let (first, second) = (cx.confirm("Sure?").await, cx.confirm("Really?").await);
        format!("{first:?} {second:?}")
    };
    running.scene.registry.add(Tool::new("asks", "", json!({"type": "object"}), asks)).unwrap();
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    let begin = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}}});
    stream.write_all(bytes_of(legacy(&begin)).as_bytes()).await.unwrap();
    let begun = until(&mut stream, "}}}").await;
    let id = begun.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap();
    let message =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "asks"}});
    let mut request = legacy(&message);
    request.headers_mut().insert("mcp-session-id", id.parse().unwrap());
    stream.write_all(bytes_of(request).as_bytes()).await.unwrap();
    until(&mut stream, "Sure?").await;
    running.stop.send(()).unwrap();
    let mut left = String::new();
    stream.read_to_string(&mut left).await.unwrap();
    assert!(left.contains("notifications/cancelled") && !left.contains("elicitation"), "{left}");
    assert_eq!(left.matches("Err(Refused(").count(), 2, "{left}");
    running.ended.await.unwrap().unwrap();
}
