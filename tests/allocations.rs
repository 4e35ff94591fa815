//! What a call allocates if nobody listens to its span and no layer is around it, and how much
//! memory a long transcript takes.

#![allow(clippy::unwrap_used, reason = "a test says by panicking that it failed")]

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use allocation_counter::measure;
use tokio::runtime::Builder;
use toolwright::agent::sessions::Sessions;
use toolwright::host::{Limits, Received, Runner, Shell};
use toolwright::mcp::{Host, Outbox};
use toolwright::{Next, Tool, ToolCall, ToolRegistry, tool};

const LINE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","#,
    r#""params":{"name":"add","arguments":{"a":2,"b":40}}}"#,
);

/// Add two numbers.
#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

struct Nobody;

impl Shell for Nobody {
    fn said(&self, outbox: &mut Outbox) {
        drop(outbox.take(Vec::new()));
    }
}

/// How often a call allocates, from its line to its answer.
fn allocations(tool: Tool) -> u64 {
    let registry = ToolRegistry::builder("calc").tool(tool).build().unwrap();
    let runtime = Builder::new_current_thread().enable_time().build().unwrap();
    let _context = runtime.enter();
    let runner = Runner::new(&registry, Host::InProcess, Outbox::new(), Nobody, Limits::default());
    let call = || {
        let Received::Call(call) = runner.receive(LINE.as_bytes()) else { panic!("it is no call") };
        let mut run = pin!(runner.begin(call).unwrap());
        match run.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(done) => runner.finish(done),
            Poll::Pending => panic!("it waits"),
        }
    };
    // The first calls fill what the session keeps.
    (0..3).for_each(|_| call());
    measure(call).count_total
}

#[test]
fn a_call_without_layers_and_spans_allocates_six_times() {
    assert_eq!(allocations(add::tool()), 6);
    // The counter sees what a layer costs.
    let layer = async |call: ToolCall, next: Next| next.run(call).await;
    assert!(allocations(add::tool().layer(layer)) > 6);
}

/// A transcript of 100 MB is read with a few lines of it in memory.
#[test]
fn reading_a_long_transcript_needs_little_memory() {
    const ID: &str = "6f1d0f3c-3d6e-4a55-9d8b-6b1c5a0f7e21";
    let config = std::env::temp_dir().join(format!("toolwright-long-{}", std::process::id()));
    let folder = config.join("projects/-work");
    std::fs::create_dir_all(&folder).unwrap();
    let mut file = BufWriter::new(File::create(folder.join(format!("{ID}.jsonl"))).unwrap());
    let text = "x".repeat(100_000);
    for number in 0..1000 {
        let parent = number.max(1) - 1;
        // A list reads the beginning only, and shows what was said there.
        let text = if number == 0 { "Hello" } else { &*text };
        let entry = format!(r#"{{"type":"user","uuid":"{number}","parentUuid":"{parent}","#);
        let message = format!(r#""message":{{"role":"user","content":"{text}"}}}}"#);
        writeln!(file, "{entry}{message}").unwrap();
    }
    file.into_inner().unwrap().sync_all().unwrap();
    let sessions = Sessions::at(&config);
    let list = measure(|| assert_eq!(sessions.list_sessions(..).unwrap().len(), 1));
    let messages = || assert_eq!(sessions.session_messages(ID, 990..).unwrap().len(), 10);
    let read = measure(messages);
    std::fs::remove_dir_all(config).unwrap();
    assert!(list.bytes_max < 1_000_000, "{list:?}");
    // Ten messages, the line at hand, and what ties the lines together.
    assert!(read.bytes_max < 4_000_000, "{read:?}");
}
