//! Clients that hold on to what they have: the server serves others, and its memory and descriptors
//! are bounded. What must happen is waited for by asking, so no test depends on the machine's
//! speed.
#![cfg(target_os = "linux")]

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::client::{Client, Request, messages};
use crate::clients::Server;
use crate::proc::{descriptors, resident};

/// Longer than anything takes unless it never happens.
const PATIENCE: Duration = Duration::from_secs(120);
const MIB: u64 = 1024;

/// A server with clients that misbehave, and one that does not.
struct Scene {
    server: Server,
    process: u32,
    client: Client,
    /// Of the server, with only that client.
    descriptors: usize,
    resident: u64,
}

impl Scene {
    async fn new(flags: &[&str]) -> Self {
        let server = Server::http(flags).await;
        let process = server.process();
        let client = Client::connect(server.url()).await;
        let mut scene = Self { server, process, client, descriptors: 0, resident: 0 };
        for _ in 0..100 {
            scene.served().await;
        }
        scene.descriptors = descriptors(process);
        scene.resident = resident(process);
        scene
    }

    /// The good client is served.
    async fn served(&mut self) {
        let response = self.client.ask(&Request::call("echo", &json!({"text": "here"}))).await;
        assert_eq!(response.answer()["result"]["content"][0]["text"], "here", "{response:?}");
    }

    /// The good client is served until something is true.
    async fn until(&mut self, what: &str, is_true: impl Fn(&Self) -> bool) {
        let begin = Instant::now();
        while !is_true(self) {
            assert!(begin.elapsed() < PATIENCE, "never: {what}");
            self.served().await;
        }
    }

    /// As many descriptors more as that, or none.
    async fn has_descriptors(&mut self, more: usize) {
        let what = format!("{more} descriptors more");
        self.until(&what, |scene| {
            let now = descriptors(scene.process);
            if more == 0 { now <= scene.descriptors } else { now >= scene.descriptors + more }
        })
        .await;
    }

    /// Says by how many KiB the server has grown, which must be at most so many.
    fn grew(&self, what: &str, most: u64) {
        let grew = resident(self.process).saturating_sub(self.resident);
        println!("{what}: {} KiB, and {grew} KiB more", self.resident);
        assert!(grew <= most, "{what}: {} KiB grew by {grew} KiB", self.resident);
    }

    async fn connect(&self) -> TcpStream {
        Client::connect(self.server.url()).await.into_stream()
    }
}

async fn rest(mut stream: TcpStream) -> String {
    let mut rest = String::new();
    // A connection may also be reset.
    let _ = tokio::time::timeout(PATIENCE, stream.read_to_string(&mut rest)).await.unwrap();
    rest
}

#[tokio::test]
async fn half_heads_and_half_bodies_stop_nobody() {
    const EACH: usize = 200;
    let mut scene = Scene::new(&["--http-timeout", "2000"]).await;
    let whole = Request::call("echo", &json!({"text": "late"})).bytes();
    let head = &whole[..60];
    let body = &whole[..whole.len() - 5];
    let mut half = Vec::new();
    for (part, answer) in [(head, ""), (body, "HTTP/1.1 408")] {
        for _ in 0..EACH {
            let mut stream = scene.connect().await;
            stream.write_all(part.as_bytes()).await.unwrap();
            half.push((stream, answer));
        }
    }
    for _ in 0..200 {
        scene.served().await;
    }
    scene.grew("half heads and bodies", 64 * MIB);
    for (stream, answer) in half {
        assert!(rest(stream).await.starts_with(answer));
        scene.served().await;
    }
    scene.has_descriptors(0).await;
}

#[tokio::test]
async fn bodies_of_a_gibibyte_are_refused_early() {
    const LENGTH: usize = 1 << 30;
    let mut scene = Scene::new(&[]).await;
    let head = Request::new("POST", "").head();
    let declared = format!("{head}content-length: {LENGTH}\r\n\r\n");
    let chunked = format!("{head}transfer-encoding: chunked\r\n\r\n");
    let part = vec![b'x'; 64 * 1024];
    let chunk = [b"10000\r\n".as_slice(), &part, b"\r\n"].concat();
    let mut writers = Vec::new();
    for (head, part) in [(declared, part), (chunked, chunk)] {
        for _ in 0..4 {
            let mut stream = scene.connect().await;
            stream.write_all(head.as_bytes()).await.unwrap();
            let (mut reader, mut writer) = stream.into_split();
            let part = part.clone();
            writers.push(tokio::spawn(async move {
                let mut sent = 0;
                while sent < LENGTH && writer.write_all(&part).await.is_ok() {
                    sent += part.len();
                }
            }));
            // It is answered while the client still sends.
            let mut answer = [0; 12];
            reader.read_exact(&mut answer).await.unwrap();
            assert_eq!(&answer, b"HTTP/1.1 413");
            scene.served().await;
        }
    }
    // What is sent all the same is not kept.
    for writer in writers {
        writer.await.unwrap();
    }
    scene.grew("bodies of 1 GiB", 32 * MIB);
    scene.has_descriptors(0).await;
}

#[tokio::test]
async fn sessions_that_are_abandoned_are_bounded() {
    const MOST: usize = 10_000;
    let mut scene = Scene::new(&["--sessions"]).await;
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "c", "version": "1"}});
    let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let initialize = Request::new("POST", &message.to_string());
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let mut client = Client::connect(scene.server.url()).await;
    let begin =
        async |client: &mut Client| client.ask(&initialize).await.headers["mcp-session-id"].clone();
    let used = begin(&mut client).await;
    let abandoned = begin(&mut client).await;
    for number in 2..MOST {
        begin(&mut client).await;
        if number % 1_000 == 0 {
            assert_eq!(client.ask(&Request::in_session(&used, &ping)).await.status, 200);
            scene.served().await;
        }
    }
    scene.grew("10,000 sessions", 128 * MIB);
    let full = resident(scene.process);
    // All of them are there; one more takes the place of the one that was used the longest ago.
    for _ in 0..MOST / 4 {
        begin(&mut client).await;
    }
    let grown = resident(scene.process).saturating_sub(full);
    assert!(grown < 8 * MIB, "{full} KiB grew by {grown} KiB at the cap");
    assert_eq!(client.ask(&Request::in_session(&abandoned, &ping)).await.status, 404);
    assert_eq!(client.ask(&Request::in_session(&used, &ping)).await.status, 200);
    drop(client);
    scene.has_descriptors(0).await;
}

#[tokio::test]
async fn a_thousand_listeners_hear_of_a_change() {
    const MANY: usize = 1_000;
    let mut scene = Scene::new(&[]).await;
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    let listen = Request::modern(1, "subscriptions/listen", &wanted);
    let mut listeners = Vec::new();
    for number in 0..MANY {
        let mut listener = Client::connect(scene.server.url()).await;
        listener.begin(&listen).await;
        let first = listener.part().await.unwrap();
        assert!(first.contains("notifications/subscriptions/acknowledged"), "{first}");
        listeners.push(listener);
        if number % 100 == 0 {
            scene.served().await;
        }
    }
    scene.client.ask(&Request::call("test_trigger_tool_change", &json!({}))).await;
    for listener in &mut listeners {
        let mut heard = listener.part().await.unwrap();
        while messages(&heard).is_empty() {
            heard = listener.part().await.unwrap();
        }
        assert_eq!(messages(&heard)[0]["method"], "notifications/tools/list_changed");
    }
    scene.grew("1,000 listeners", 64 * MIB);
    drop(listeners);
    scene.has_descriptors(0).await;
    // There is room for others again.
    let mut listener = Client::connect(scene.server.url()).await;
    assert_eq!(listener.begin(&listen).await.headers["content-type"], "text/event-stream");
}

#[tokio::test]
async fn a_client_that_stops_reading_stops_nobody() {
    const TIMES: usize = 50_000;
    for flags in [&["--tools", "chatter,echo"][..], &["--sessions", "--tools", "chatter,echo"]] {
        let mut scene = Scene::new(flags).await;
        let params = json!({"name": "chatter", "arguments": {"times": TIMES},
            "_meta": {"progressToken": "p"}});
        let mut client = Client::connect(scene.server.url()).await;
        let chatter = match flags.contains(&"--sessions") {
            false => Request::modern(1, "tools/call", &params),
            true => {
                let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {},
                    "clientInfo": {"name": "c", "version": "1"}});
                let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize",
                    "params": hello});
                let begun = client.ask(&Request::new("POST", &message.to_string())).await;
                let call =
                    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
                Request::in_session(&begun.headers["mcp-session-id"], &call)
            }
        };
        client.begin(&chatter).await;
        scene.server.says("all is said").await;
        for _ in 0..100 {
            scene.served().await;
        }
        scene.grew("50 MB of progress that nobody reads", 32 * MIB);
        let mut all = String::new();
        while let Some(part) = client.part().await {
            all += &part;
        }
        let heard = messages(&all);
        assert!(heard.len() < TIMES / 2, "{}", heard.len());
        let last: &Value = heard.last().unwrap();
        assert_eq!(last["result"]["content"][0]["text"], "ok", "{last}");
    }
}
