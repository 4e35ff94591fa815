//! The bus without a Redis server, and with one that falls silent. `tests/it/replicas` has real
//! ones.

use std::error::Error as _;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::super::{Bus as _, Change, What};
use super::{HEARTBEAT, Line, MOST_UNSENT, RedisBus};
use crate::http::fake_redis;
use crate::mcp::protocol::ListKind;

fn change(origin: u64) -> Change {
    Change { what: What::List(ListKind::Tools), origin }
}

#[test]
fn changes_that_wait_for_redis_are_bounded() {
    let line = Line::new("redis://127.0.0.1:1", "c", HEARTBEAT).unwrap();
    for origin in (0..MOST_UNSENT as u64).chain(0..10) {
        line.send(&change(origin));
    }
    assert_eq!(line.lock().unsent.len(), MOST_UNSENT);
    for origin in 0..1_000 {
        line.send(&change(1_000 + origin));
        assert_eq!(line.lock().unsent, [Change::anything()]);
    }
}

#[tokio::test]
async fn a_url_is_checked_and_its_password_is_not_shown() {
    let bus = RedisBus::open("redis://me:hidden@127.0.0.1:1", "calc").unwrap();
    assert_eq!(format!("{bus:?}"), r#"RedisBus { channel: "calc", .. }"#);
    for url in ["", "127.0.0.1:6379", "http://host", "redis://host:hidden", "rediss://hidden@host"]
    {
        let error = RedisBus::open(url, "calc").unwrap_err();
        let cause = error.source().unwrap().to_string();
        assert!(!cause.is_empty() && !cause.contains("hidden"), "{cause}");
    }
}

/// A bus of a server that answers what a connection begins with, and nothing more. Each line that
/// the server receives is passed on.
async fn silenced() -> (RedisBus, UnboundedReceiver<String>) {
    let (url, said) = fake_redis::start(|line| match line {
        "HELLO" => "%0\r\n",
        "CLIENT" => "+OK\r\n",
        "SUBSCRIBE" => ">3\r\n+subscribe\r\n+c\r\n:1\r\n",
        _ => "",
    })
    .await;
    (RedisBus::with(&url, "c", Duration::from_millis(100)).unwrap(), said)
}

#[tokio::test]
async fn a_connection_that_is_silent_is_replaced() {
    let (bus, _said) = silenced().await;
    let (hear, mut heard) = unbounded_channel();
    bus.listen(Box::new(move |change| hear.send(change.clone()).unwrap()));
    for _ in 0..3 {
        assert_eq!(heard.recv().await, Some(Change::anything()));
    }
    // Nothing of a bus is left that was dropped.
    drop(bus);
    while heard.recv().await.is_some() {}
}

#[tokio::test]
async fn a_change_that_may_not_have_been_sent_is_sent_again() {
    let (bus, mut said) = silenced().await;
    bus.publish(&change(7));
    for _ in 0..3 {
        while said.recv().await.unwrap() != change(7).to_string() {}
    }
}
