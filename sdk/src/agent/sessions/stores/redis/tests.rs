use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::time::Instant;

use super::*;

/// The clock stands still while anything else happens, and goes on at once to the next time-out.
#[tokio::test(start_paused = true)]
async fn an_answer_may_take_a_minute() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("redis://{}", listener.local_addr().unwrap());
    let server = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut bytes = [0; 4096];
        loop {
            let length = stream.read(&mut bytes).await.unwrap();
            let text = String::from_utf8_lossy(&bytes[..length]);
            if length == 0 || text.contains("LRANGE") {
                // It never comes.
                std::future::pending::<()>().await;
            }
            // What the client says of itself.
            for _ in 0..text.matches("CLIENT").count() {
                stream.write_all(b"+OK\r\n").await.unwrap();
            }
        }
    };
    let load = async {
        let store = RedisStore::open(&url, "test").unwrap();
        let began = Instant::now();
        store.load(&SessionKey::new("-work", "id")).await.unwrap_err();
        assert!(store.connection.lock().await.is_none(), "the next call connects again");
        began.elapsed()
    };
    let took = tokio::select! {
        took = load => took,
        () = server => unreachable!(),
    };
    assert!(took >= LONGEST, "{took:?}");
}

/// The server of the connection has become a replica of another one, which has its address now.
#[tokio::test]
async fn a_server_that_takes_nothing_any_more_is_left() {
    for error in [
        "-READONLY You can't write against a read only replica.\r\n",
        // So version 6 says it of a script.
        "-ERR Error running script (call to f_1): @user_script:1: @user_script: 1: \
         -READONLY You can't write against a read only replica. \r\n",
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("redis://{}", listener.local_addr().unwrap());
        let server = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut bytes = [0; 4096];
            loop {
                let length = stream.read(&mut bytes).await.unwrap();
                let text = String::from_utf8_lossy(&bytes[..length]);
                for _ in 0..text.matches("CLIENT").count() {
                    stream.write_all(b"+OK\r\n").await.unwrap();
                }
                if text.contains("EVAL") {
                    stream.write_all(error.as_bytes()).await.unwrap();
                }
            }
        };
        let append = async {
            let store = RedisStore::open(&url, "test").unwrap();
            let entry = SessionEntry::parse(r#"{"type":"user"}"#).unwrap();
            store.append(&SessionKey::new("-work", "id"), &[entry]).await.unwrap_err();
            assert!(store.connection.lock().await.is_none(), "the next call connects again");
        };
        tokio::select! {
            () = append => {}
            () = server => unreachable!(),
        }
    }
}
