use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
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

/// A store on a server that gives these answers over each connection, and then closes it.
async fn store(connections: &'static [&'static [&'static str]]) -> RedisStore {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("redis://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        for answers in connections {
            let (stream, _) = listener.accept().await.unwrap();
            serve(stream, answers).await;
        }
    });
    RedisStore::open(&url, "test").unwrap()
}

async fn serve(mut stream: TcpStream, answers: &[&str]) {
    let (mut bytes, mut answers) = ([0; 4096], answers.iter());
    while answers.len() > 0 {
        let length = stream.read(&mut bytes).await.unwrap();
        let text = String::from_utf8_lossy(&bytes[..length]);
        // What the client says of itself comes first.
        let said = text.matches("CLIENT").count();
        let answer = match said {
            0 => answers.next().unwrap().to_string(),
            _ => "+OK\r\n".repeat(said),
        };
        stream.write_all(answer.as_bytes()).await.unwrap();
    }
}

/// The server of the connection has become a replica of another one, which has its address now.
#[tokio::test]
async fn a_server_that_takes_nothing_any_more_is_left() {
    const ERRORS: [&[&[&str]]; 2] = [
        &[&["-READONLY You can't write against a read only replica.\r\n"]],
        // So version 6 says it of a script.
        &[&["-ERR Error running script (call to f_1): @user_script:1: @user_script: 1: \
            -READONLY You can't write against a read only replica. \r\n"]],
    ];
    for connections in ERRORS {
        let store = store(connections).await;
        let entry = SessionEntry::parse(r#"{"type":"user"}"#).unwrap();
        store.append(&SessionKey::new("-work", "id"), &[entry]).await.unwrap_err();
        assert!(store.connection.lock().await.is_none(), "the next call connects again");
    }
}

/// A server or a balancer has closed the connection while nobody used it.
#[tokio::test]
async fn a_connection_that_was_closed_meanwhile_fails_no_call() {
    let store = store(&[&["*0\r\n"], &["*0\r\n", "*0\r\n"]]).await;
    for _ in 0..3 {
        assert_eq!(store.load(&SessionKey::new("-work", "id")).await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_connection_that_is_closed_at_once_fails_a_call() {
    let store = store(&[&["*0\r\n"], &[]]).await;
    let key = SessionKey::new("-work", "id");
    assert_eq!(store.load(&key).await.unwrap(), None);
    store.load(&key).await.unwrap_err();
}

/// What is appended between two commands would stay without a name.
#[tokio::test]
async fn a_session_is_deleted_with_one_command() {
    let store = store(&[&["$-1\r\n"]]).await;
    store.delete(&SessionKey::new("-work", "id")).await.unwrap();
}
