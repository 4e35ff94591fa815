//! What a call allocates if nobody listens to its span and no layer is around it.

#![allow(clippy::unwrap_used, reason = "a test says by panicking that it failed")]

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use allocation_counter::measure;
use tokio::runtime::Builder;
use toolwright::host::{Limits, Received, Runner, Shell};
use toolwright::mcp::{Host, Outbox};
use toolwright::{Next, Tool, ToolCall, ToolRegistry, tool};

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
        let line = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":40}}}"#;
        let Received::Call(call) = runner.receive(line) else { panic!("it is no call") };
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
fn a_call_without_layers_and_spans_allocates_no_more_than_before_there_were_any() {
    assert_eq!(allocations(add::tool()), 5);
    // The counter sees what a layer costs.
    let layer = async |call: ToolCall, next: Next| next.run(call).await;
    assert!(allocations(add::tool().layer(layer)) > 5);
}
