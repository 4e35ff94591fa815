//! A session on a connection.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::task::{JoinHandle, yield_now};
use tokio::time::{sleep, timeout};
use toolwright::host::Limits;
use toolwright::{Context, Tool, ToolRegistry, Value, json, tool, tools};

use super::super::stream::Bounds;

const BOUNDS: Bounds = Bounds {
    max_line: 64 * 1024,
    max_unsent: 64 * 1024,
    beyond: 64 * 1024,
    grace: Duration::from_secs(1),
};

/// Says where it is, and waits for so many milliseconds.
#[tool]
async fn walk(milliseconds: u64, cx: &Context) -> String {
    cx.progress(0.5, "half way");
    sleep(Duration::from_millis(milliseconds)).await;
    "there".into()
}

/// Not on a thread, as the paused clock does not wait for threads.
#[tool(inline)]
fn add(a: i32, b: i32) -> i32 {
    a + b
}

/// The client's ends of a connection with room for `room` bytes on each way.
struct Client {
    sends: DuplexStream,
    reads: BufReader<DuplexStream>,
    served: JoinHandle<io::Result<()>>,
}

impl Client {
    fn connect(registry: &ToolRegistry, room: usize) -> Self {
        let ((sends, reader), (writer, reads)) = (duplex(room), duplex(room));
        let registry = registry.clone();
        let serve = async move { BOUNDS.serve(&registry, reader, writer, Limits::default()).await };
        Self { sends, reads: BufReader::new(reads), served: tokio::spawn(serve) }
    }

    async fn send(&mut self, line: &str) {
        self.sends.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    async fn call(&mut self, id: u64, tool: &str, arguments: Value) {
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": id}});
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        self.send(&call.to_string()).await;
    }

    async fn next(&mut self) -> Value {
        let mut line = String::new();
        self.reads.read_line(&mut line).await.unwrap();
        line.parse().unwrap()
    }

    /// Ends the client's side, and returns what still comes.
    async fn end(self) -> (String, io::Result<()>) {
        let Self { sends, mut reads, served } = self;
        drop(sends);
        let mut rest = String::new();
        reads.read_to_string(&mut rest).await.unwrap();
        (rest, served.await.unwrap())
    }
}

fn registry() -> ToolRegistry {
    ToolRegistry::builder("toy").tools(tools![walk, add]).build().unwrap()
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn a_client_is_served_until_its_calls_are_answered() {
    let mut client = Client::connect(&registry(), 256);
    client.call(1, "walk", json!({"milliseconds": 10})).await;
    assert_eq!(client.next().await["params"]["message"], "half way");
    client.call(2, "add", json!({"a": 2, "b": 40})).await;
    assert_eq!(text(&client.next().await), "42");
    assert_eq!(text(&client.next().await), "there");

    // Its last line needs no end.
    client.call(3, "walk", json!({"milliseconds": 900})).await;
    client.sends.write_all(br#"{"jsonrpc":"2.0","id":4,"method":"ping"}"#).await.unwrap();
    let (rest, served) = client.end().await;
    assert!(rest.contains(r#""id":4,"result":{}"#), "{rest}");
    assert!(rest.contains("there"), "{rest}");
    served.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_call_that_takes_longer_than_the_client_stays_is_answered_with_an_error() {
    let mut client = Client::connect(&registry(), 256);
    client.call(1, "walk", json!({"milliseconds": 1_000_000})).await;
    let (rest, served) = client.end().await;
    let last = rest.lines().last().unwrap().parse::<Value>().unwrap();
    assert_eq!((&last["id"], &last["result"]["isError"]), (&json!(1), &json!(true)), "{rest}");
    served.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_question_fails_once_the_client_has_ended_its_side() {
    let ask = Tool::new("ask", "", json!({"type": "object"}), async |_: Value, cx: Context| {
        let asked = cx.ask("roots/list", &mut |_: &mut Vec<u8>| {}).await;
        sleep(Duration::from_millis(900)).await;
        format!("{asked:?}")
    });
    let registry = ToolRegistry::builder("toy").tool(ask).build().unwrap();
    let mut client = Client::connect(&registry, 256);
    client.call(1, "ask", json!({})).await;
    assert_eq!(client.next().await["method"], "roots/list");
    // One that is asked later fails too.
    client.call(2, "ask", json!({})).await;
    let (rest, served) = client.end().await;
    let answers: Vec<Value> = rest.lines().map(|line| line.parse().unwrap()).collect();
    let answers = answers.iter().filter(|message| message.get("result").is_some());
    assert_eq!(answers.map(text).collect::<Vec<_>>(), ["Err(Closed)"; 2], "{rest}");
    served.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_breaks_or_is_given_up_stops_its_calls() {
    struct Counted(Arc<AtomicUsize>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let dropped = Arc::new(AtomicUsize::new(0));
    let counted = dropped.clone();
    let waits = Tool::new("waits", "", json!({"type": "object"}), move |_: Value, _: Context| {
        let counted = Counted(counted.clone());
        async move {
            let _counted = counted;
            std::future::pending::<()>().await;
        }
    });
    let registry = ToolRegistry::builder("toy").tool(waits).tools(tools![add]).build().unwrap();

    let mut client = Client::connect(&registry, 256);
    client.call(1, "waits", json!({})).await;
    client.call(2, "add", json!({"a": 1, "b": 1})).await;
    client.next().await;
    client.served.abort();
    assert!(client.served.await.unwrap_err().is_cancelled());
    while dropped.load(Ordering::SeqCst) < 1 {
        yield_now().await;
    }

    let mut client = Client::connect(&registry, 256);
    client.call(1, "waits", json!({})).await;
    drop(client.reads);
    client.sends.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n").await.unwrap();
    assert_eq!(client.served.await.unwrap().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    while dropped.load(Ordering::SeqCst) < 2 {
        yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_line_that_is_too_long_is_answered_and_passed_over() {
    let mut client = Client::connect(&registry(), 256 * 1024);
    client.call(1, "add", json!({"a": 1, "b": 1, "c": "x".repeat(100 * 1024)})).await;
    client.call(2, "add", json!({"a": 1, "b": 1})).await;
    let refused = client.next().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(1), &json!(-32600)));
    assert_eq!(text(&client.next().await), "2");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_nothing_is_read_no_more_until_it_does() {
    let mut client = Client::connect(&registry(), 1024);
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    let minute = Duration::from_secs(60);
    let mut sent = 0;
    // With nothing else to do the paused clock goes on at once.
    while sent < 100_000 && timeout(minute, client.sends.write_all(ping.as_bytes())).await.is_ok() {
        sent += 1;
    }
    assert!((3_000..10_000).contains(&sent), "{sent}");

    for _ in 0..sent {
        assert_eq!(client.next().await["result"], json!({}));
    }
    // The last ping was cut.
    client.send("").await;
    client.call(2, "add", json!({"a": 1, "b": 1})).await;
    while client.next().await["id"] != 2 {}
}

/// Its end cannot be seen behind what is not read.
#[tokio::test(start_paused = true)]
async fn a_client_that_has_ended_and_is_read_no_more_loses_its_connection() {
    let mut client = Client::connect(&registry(), 1024);
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    let minute = Duration::from_secs(60);
    while timeout(minute, client.sends.write_all(ping.as_bytes())).await.is_ok() {}
    drop(client.sends);
    let served = timeout(10 * minute, client.served).await.expect("it ends").unwrap();
    assert_eq!(served.unwrap_err().kind(), io::ErrorKind::TimedOut);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_has_ended_and_reads_nothing_keeps_nobody() {
    let mut client = Client::connect(&registry(), 64);
    for id in 0..10 {
        client.call(id, "add", json!({"a": 1, "b": 1})).await;
    }
    drop(client.sends);
    client.served.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_client_that_has_ended_and_reads_slowly_gets_its_answers() {
    let mut client = Client::connect(&registry(), 64);
    for id in 0..10 {
        client.call(id, "add", json!({"a": 1, "b": 1})).await;
    }
    let Client { sends, mut reads, served } = client;
    drop(sends);
    let mut answers = 0;
    let mut line = String::new();
    while reads.read_line(&mut line).await.unwrap() > 0 {
        answers += 1;
        line.clear();
        sleep(Duration::from_millis(700)).await;
    }
    assert_eq!(answers, 10);
    served.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn calls_that_wait_for_a_client_to_read_are_answered_though_it_has_ended() {
    let long = Tool::new("long", "", json!({"type": "object"}), async |_: Value, _: Context| {
        "x".repeat(BOUNDS.max_unsent + 1)
    });
    let registry = ToolRegistry::builder("toy").tool(long).build().unwrap();
    let mut client = Client::connect(&registry, 4096);
    for id in 0..4 {
        client.call(id, "long", json!({})).await;
    }
    let Client { sends, mut reads, served } = client;
    drop(sends);
    let mut chunk = vec![0; 4096];
    let mut said = Vec::new();
    while let length @ 1.. = reads.get_mut().read(&mut chunk).await.unwrap() {
        said.extend_from_slice(&chunk[..length]);
        sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(said.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count(), 4);
    let refused = String::from_utf8(said).unwrap().contains("isError");
    assert!(!refused, "each call was made");
    served.await.unwrap().unwrap();
}
