//! What a tool that blocks a thread of the server cannot stop.

use std::pin::pin;
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use super::client::{Client, Request};
use crate::clients::Server;

fn ping() -> Request {
    Request::legacy("2025-06-18", &json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}))
}

/// What comes of `answer`, and how many pings were answered before it.
async fn pings_until<T>(answer: impl Future<Output = T>, pinging: &mut Client) -> (T, usize) {
    let mut answer = pin!(answer);
    let mut pings = 0;
    loop {
        let pinged = async {
            // The server has nothing else to do meanwhile, so that its other thread sleeps.
            sleep(Duration::from_millis(200)).await;
            assert_eq!(pinging.ask(&ping()).await.status, 200);
        };
        tokio::select! {
            biased;
            () = pinged => pings += 1,
            answer = &mut answer => return (answer, pings),
        }
    }
}

/// Only the order of answers counts: the tool takes seconds, and a ping microseconds.
#[tokio::test]
async fn pings_are_answered_while_an_async_tool_blocks_a_thread() {
    let server = Server::with_threads(2, &["--tools", "spin_later"]).await;
    let mut calling = Client::connect(server.url()).await;
    let mut pinging = Client::connect(server.url()).await;
    let call = Request::call("spin_later", &json!({"ms": 4_000}));
    pinging.ask(&ping()).await;
    let (answer, pings) = pings_until(calling.ask(&call), &mut pinging).await;
    assert_eq!(answer.answer()["result"]["content"][0]["text"], "ok");
    assert!(pings > 3, "{pings} pings were answered before the call");
}

/// The connection of the call must not wait for the thread that the tool blocks.
#[tokio::test]
async fn progress_is_sent_while_the_tool_that_reports_it_blocks_its_thread() {
    let server = Server::with_threads(2, &["--tools", "spin_told"]).await;
    let mut calling = Client::connect(server.url()).await;
    let mut pinging = Client::connect(server.url()).await;
    calling.begin(&Request::call("spin_told", &json!({"ms": 4_000}))).await;
    let told = calling.part().await.unwrap();
    assert!(told.contains("notifications/progress"), "{told}");
    let (answer, pings) = pings_until(calling.part(), &mut pinging).await;
    let answer = answer.unwrap();
    assert!(answer.contains(r#""text":"ok""#), "{answer}");
    assert!(pings > 3, "{pings} pings were answered between the progress and the answer");
}

/// The only thread of the server is blocked, so nothing but the signal can end it.
#[tokio::test]
async fn a_server_whose_threads_are_all_blocked_ends_at_its_signal() {
    let flags = ["--grace", "100", "--tools", "spin_later"];
    let mut server = Server::with_threads(1, &flags).await;
    let mut calling = Client::connect(server.url()).await;
    let call = Request::call("spin_later", &json!({"ms": 60_000}));
    let bytes = call.bytes();
    let (head, body) = bytes.split_once("\r\n\r\n").unwrap();
    calling.write(format!("{head}\r\nexpect: 100-continue\r\n\r\n").as_bytes()).await;
    // The server is at the call now: it will read the rest.
    assert_eq!(calling.head().await.status, 100);
    calling.write(body.as_bytes()).await;
    let ended = server.ended(0).await;
    assert!(ended.as_ref().is_err_and(|error| error.contains("15")), "{ended:?}");
}
