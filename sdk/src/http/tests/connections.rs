//! A server on loopback, and raw bytes.

use std::time::Duration;

use http::Request;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, yield_now};

use super::judge::Exchange;
use super::scene::{Scene, call, text_of};
use crate::http::{Auth, Caller, Options, serve_until};
use crate::{Context, Tool};

pub(super) struct Running {
    pub(super) address: std::net::SocketAddr,
    pub(super) stop: oneshot::Sender<()>,
    pub(super) ended: JoinHandle<std::io::Result<()>>,
    pub(super) scene: Scene,
}

pub(super) async fn run(change: impl FnOnce(&mut Options)) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let scene = Scene::new(|_| {});
    let mut options = Options::default();
    change(&mut options);
    let (stop, told) = oneshot::channel::<()>();
    let served = serve_until(listener, scene.registry.clone(), options, async {
        let _ = told.await;
    });
    Running { address, stop, ended: tokio::spawn(served), scene }
}

/// The bytes of a call of a tool.
pub(super) fn bytes(tool: &str) -> String {
    bytes_with(tool, "hello")
}

fn bytes_with(tool: &str, text: &str) -> String {
    bytes_of(call(tool, &json!({"text": text})))
}

pub(super) fn bytes_of(request: Request<String>) -> String {
    let (head, body) = request.into_parts();
    let mut text = format!("POST /mcp HTTP/1.1\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in &head.headers {
        text += &format!("{name}: {}\r\n", value.to_str().unwrap());
    }
    format!("{text}\r\n{body}")
}

/// Judges the whole answer to a call of a tool.
pub(super) fn judge(tool: &str, answer: &str) {
    let (head, body) = call(tool, &json!({"text": "hello"})).into_parts();
    let mut exchange = Exchange::of(text_of(&head.headers), &body);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let header = |name: &str| {
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        let mut named = lines.filter(|(other, _)| other.eq_ignore_ascii_case(name));
        named.next().map(|(_, value)| value.to_owned())
    };
    match exchange.begins(head[9..12].parse().unwrap(), header) {
        // In chunks, each after its size.
        true => body.split("\r\n").skip(1).step_by(2).for_each(|chunk| exchange.says(chunk)),
        false => exchange.says(body),
    }
    exchange.ends();
}

/// A connection that has sent something before the server, on the same thread, looks at it.
fn connected(running: &Running, begin: &str) -> TcpStream {
    let mut stream = std::net::TcpStream::connect(running.address).unwrap();
    std::io::Write::write_all(&mut stream, begin.as_bytes()).unwrap();
    stream.set_nonblocking(true).unwrap();
    TcpStream::from_std(stream).unwrap()
}

/// Reads until `end` comes.
pub(super) async fn until(stream: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    let mut byte = [0];
    while !text.ends_with(end) {
        assert_eq!(stream.read(&mut byte).await.unwrap(), 1, "the end came after {text}");
        text.push(char::from(byte[0]));
    }
    text
}

#[tokio::test]
async fn requests_follow_each_other_on_one_connection() {
    let running = run(|_| {}).await;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    for _ in 0..3 {
        stream.write_all(bytes("echo").as_bytes()).await.unwrap();
        let answer = until(&mut stream, "}}}}").await;
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("hello"), "{answer}");
        judge("echo", &answer);
    }
    // Pipelined ones too.
    stream.write_all(bytes("echo").repeat(3).as_bytes()).await.unwrap();
    for _ in 0..3 {
        let answer = until(&mut stream, "}}}}").await;
        assert!(answer.contains("hello"));
        judge("echo", &answer);
    }
    stream.write_all(b"POST /other HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    assert!(until(&mut stream, "}}").await.starts_with("HTTP/1.1 404"));
}

#[tokio::test]
async fn a_slash_behind_the_path_means_nothing() {
    for (path, target, is_found) in [
        ("/mcp", "/mcp", true),
        ("/mcp", "/mcp/", true),
        ("/mcp/", "/mcp", true),
        ("/mcp/", "/mcp/", true),
        ("/", "/", true),
        ("mcp", "/mcp", true),
        ("mcp/", "/mcp/", true),
        ("", "/", true),
        ("/mcp", "/mcp//", false),
        ("/mcp", "/mcp/other", false),
        ("/mcp", "/", false),
        ("/", "/mcp", false),
    ] {
        let running = run(|options| options.path = path.to_owned()).await;
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        let sent = bytes("echo").replacen("/mcp", target, 1);
        stream.write_all(sent.as_bytes()).await.unwrap();
        let answer = until(&mut stream, "}}").await;
        let status = if is_found { "HTTP/1.1 200" } else { "HTTP/1.1 404" };
        assert!(answer.starts_with(status), "{target} at {path}: {answer}");
    }
}

#[tokio::test]
async fn half_a_head_an_idle_connection_and_half_a_body_end() {
    let running = run(|options| {
        options.head_timeout = Duration::from_millis(10);
        options.idle_timeout = Duration::from_millis(20);
    })
    .await;
    for sent in ["", "POST /mcp HT", "POST /mcp HTTP/1.1\r\nHost: localhost\r\n"] {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream.write_all(sent.as_bytes()).await.unwrap();
        let mut left = String::new();
        let _ = stream.read_to_string(&mut left).await;
        assert!(!left.contains("200"), "{left}");
    }
    // The head must come in time, whatever else the machine does.
    let running = run(|options| options.body_timeout = Duration::from_millis(10)).await;
    let text = bytes("echo");
    let mut stream = connected(&running, &text[..text.len() - 5]);
    let mut left = String::new();
    let _ = stream.read_to_string(&mut left).await;
    assert!(left.starts_with("HTTP/1.1 408"), "{left}");
    judge("echo", &left);
    // An idle connection that was used ends too.
    let running = run(|options| options.idle_timeout = Duration::from_millis(20)).await;
    let mut stream = connected(&running, &bytes("echo"));
    let mut left = String::new();
    stream.read_to_string(&mut left).await.unwrap();
    assert!(left.starts_with("HTTP/1.1 200"), "{left}");
    judge("echo", &left);
}

#[tokio::test]
async fn a_head_that_is_too_long_is_refused() {
    let running = run(|_| {}).await;
    for (length, end, status) in [(60 * 1024, "\r\n\r\n", "404"), (64 * 1024, "", "431")] {
        let mut sent = b"GET /none HTTP/1.1\r\nX: ".to_vec();
        sent.resize(length, b'x');
        sent.extend_from_slice(end.as_bytes());
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream.write_all(&sent).await.unwrap();
        let answer = until(&mut stream, "\r\n\r\n").await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    }
}

#[tokio::test]
async fn a_connection_over_the_bound_waits_until_another_one_closes() {
    let running = run(|options| options.max_connections = 1).await;
    let mut first = TcpStream::connect(running.address).await.unwrap();
    let mut second = TcpStream::connect(running.address).await.unwrap();
    second.write_all(bytes("echo").as_bytes()).await.unwrap();
    // Both would be answered by turns.
    for _ in 0..10 {
        first.write_all(bytes("echo").as_bytes()).await.unwrap();
        until(&mut first, "}}}}").await;
    }
    let early = second.try_read(&mut [0]).unwrap_err();
    assert_eq!(early.kind(), std::io::ErrorKind::WouldBlock);
    drop(first);
    judge("echo", &until(&mut second, "}}}}").await);
}

#[tokio::test]
async fn bounds_that_nothing_reaches_are_options() {
    let running = run(|options| {
        options.max_connections = usize::MAX;
        options.max_requests = usize::MAX;
        options.head_timeout = Duration::MAX;
        options.idle_timeout = Duration::MAX;
        options.grace = Duration::MAX;
    })
    .await;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    for _ in 0..2 {
        let (begin, end) = (&bytes("echo")[..10], &bytes("echo")[10..]);
        stream.write_all(begin.as_bytes()).await.unwrap();
        yield_now().await;
        stream.write_all(end.as_bytes()).await.unwrap();
        judge("echo", &until(&mut stream, "}}}}").await);
    }
    running.stop.send(()).unwrap();
    running.ended.await.unwrap().unwrap();
}

#[tokio::test]
async fn an_idle_connection_makes_room_whatever_was_asked_on_it() {
    let running = run(|options| {
        options.max_connections = 1;
        options.idle_timeout = Duration::from_millis(20);
    })
    .await;
    let schema = || json!({"type": "object"});
    let naps = Tool::new("naps", "", schema(), async |_: Value, _| {
        yield_now().await;
        "rested"
    });
    let speaks = Tool::new("speaks", "", schema(), async |_: Value, cx: Context| {
        cx.progress(0.5, "half");
        yield_now().await;
        "spoken"
    });
    [naps, speaks].into_iter().for_each(|tool| running.scene.registry.add(tool).unwrap());
    let refused = "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned();
    let kinds = [
        (refused, "405"),
        (bytes("echo"), "hello"),
        (bytes("naps"), "rested"),
        (bytes("speaks"), "spoken"),
    ];
    // Each is served once the one before is closed.
    for (mut stream, part) in kinds.map(|(sent, part)| (connected(&running, &sent), part)) {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.contains(part), "{answer}");
    }
}

#[tokio::test]
async fn a_client_that_still_sends_a_body_that_was_refused_gets_the_answer() {
    for (change, status) in [
        ((|options| options.max_body = 10) as fn(&mut Options), "413"),
        (|options| options.max_requests = 0, "503"),
    ] {
        let running = run(change).await;
        let piece = "x".repeat(16 << 10);
        let long = bytes_with("echo", &piece.repeat(10));
        let (begin, left) = long.split_at(long.find(&piece).unwrap() + 100);
        let mut stream = connected(&running, begin);
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
        // A connection that was closed would be reset by the first piece.
        for piece in left.as_bytes().chunks(piece.len()) {
            stream.write_all(piece).await.unwrap();
            yield_now().await;
        }
    }
}

#[tokio::test]
async fn a_client_that_takes_nothing_of_an_answer_loses_its_connection() {
    let running = run(|options| {
        options.max_connections = 1;
        options.max_body = 16 << 20;
        options.idle_timeout = Duration::from_millis(20);
    })
    .await;
    // More than the buffers of a socket hold.
    let long = bytes_with("echo", &"x".repeat(15 << 20));
    let (begin, rest) = long.split_at(100);
    let mut first = connected(&running, begin);
    // There is room for this one once the first is closed.
    let mut second = connected(&running, &bytes("echo"));
    first.write_all(rest.as_bytes()).await.unwrap();
    judge("echo", &until(&mut second, "}}}}").await);
    let mut taken = Vec::new();
    let _ = first.read_to_end(&mut taken).await;
    assert!(taken.len() < long.len(), "the whole answer was sent");
}

#[tokio::test]
async fn a_client_that_disconnects_stops_its_call() {
    let running = run(|_| {}).await;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    stream.write_all(bytes("steps").as_bytes()).await.unwrap();
    until(&mut stream, "half\"}}\n\n").await;
    drop(stream);
    // Its `notified` is dropped with it, so this one is the first to be notified.
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    stream.write_all(bytes("steps").as_bytes()).await.unwrap();
    until(&mut stream, "half\"}}\n\n").await;
    running.scene.go.notify_one();
    until(&mut stream, "0\r\n\r\n").await;
}

#[tokio::test]
async fn a_server_with_tokens_tells_where_to_get_one() {
    let running = run(|options| {
        let verifier = async |token: String| Ok(Caller::new(token));
        options.auth = Some(Auth::new("https://notes.example.com/mcp", verifier).unwrap());
    })
    .await;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    for (path, status) in [
        ("/.well-known/oauth-protected-resource/mcp", "200"),
        ("/.well-known/oauth-protected-resource", "200"),
        ("/.well-known/oauth-protected-resource/other", "404"),
        ("/mcp", "401"),
    ] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let answer = until(&mut stream, "}").await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{path}: {answer}");
        // An error is an object in an object.
        if status != "200" {
            until(&mut stream, "}").await;
        }
    }
}
