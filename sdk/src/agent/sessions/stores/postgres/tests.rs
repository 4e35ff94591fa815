//! A server that falls silent. `tests/it/stores` has real ones.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::time::Instant;

use super::*;

/// What a server says to a client that needs no password, and that it is ready.
const READY: &[u8] = b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I";

/// The clock stands still while anything else happens, and goes on at once to the next time-out.
#[tokio::test(start_paused = true)]
async fn an_answer_may_take_a_minute() {
    for (greeting, each) in [(READY, LONGEST), (b"", CONNECT)] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = async {
            let mut connections = Vec::new();
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                assert!(stream.read(&mut [0; 1024]).await.unwrap() > 0);
                stream.write_all(greeting).await.unwrap();
                connections.push(stream);
            }
        };
        let calls = async {
            let store = PostgresStore::without_tls(format!("host=127.0.0.1 port={port} user=u"));
            let (key, began) = (SessionKey::new("-work", "id"), Instant::now());
            let entries = [SessionEntry::parse("{}").unwrap()];
            // The second one waits until the first one leaves the connection.
            let (first, second) = tokio::join!(store.load(&key), store.append(&key, &entries));
            for error in [first.map(drop).unwrap_err(), second.unwrap_err()] {
                let text = error.to_string();
                assert!(text.contains(&format!("has not answered within {each:?}")), "{text}");
            }
            began.elapsed()
        };
        let took = tokio::select! {
            took = timeout(10 * LONGEST, calls) => took.expect("the calls have no end"),
            () = server => unreachable!(),
        };
        assert!((2 * each..3 * each).contains(&took), "{took:?}");
    }
}
