//! Tools of all kinds.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use toolwright::{Context, Next, ToolCall, ToolRegistry, ToolResult, tool, tools};

/// How many calls run.
pub(super) static ALIVE: AtomicUsize = AtomicUsize::new(0);

struct Alive;

impl Alive {
    fn new() -> Self {
        ALIVE.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

pub(super) async fn rest(us: u64) {
    tokio::time::sleep(Duration::from_micros(us)).await;
}

#[tool]
async fn quick() {}

#[tool]
async fn slow(us: u64) {
    let _alive = Alive::new();
    rest(us).await;
}

#[tool]
async fn forever() {
    let _alive = Alive::new();
    std::future::pending::<()>().await;
}

#[tool(timeout = "1ms")]
async fn limited(us: u64) {
    let _alive = Alive::new();
    rest(us).await;
}

#[tool]
fn plain(us: u64) {
    let _alive = Alive::new();
    thread::sleep(Duration::from_micros(us));
}

#[tool(timeout = "1ms")]
fn plain_limited(us: u64, cx: &Context) {
    let _alive = Alive::new();
    let end = Instant::now() + Duration::from_micros(us);
    while Instant::now() < end && !cx.is_cancelled() {
        thread::yield_now();
    }
}

#[tool(inline)]
fn at_once() {}

#[tool]
async fn falls(us: u64) {
    let _alive = Alive::new();
    rest(us).await;
    std::panic::resume_unwind(Box::new("a bug"));
}

#[tool]
fn plain_falls() {
    std::panic::resume_unwind(Box::new("a bug"));
}

#[tool]
async fn asks(cx: &Context) {
    let _alive = Alive::new();
    cx.progress(0.5, "half");
    let _ = cx.ask("roots/list", &mut |_: &mut Vec<u8>| {}).await;
}

#[tool(timeout = "2ms")]
async fn layered(us: u64) {
    let _alive = Alive::new();
    rest(us).await;
}

#[tool(timeout = "2ms")]
fn plain_layered(us: u64) {
    let _alive = Alive::new();
    thread::sleep(Duration::from_micros(us));
}

/// A layer that waits as long as the tool in it.
async fn waits(call: ToolCall, next: Next) -> ToolResult {
    let _alive = Alive::new();
    let us = call.decode::<HashMap<String, u64>>().unwrap_or_default()["us"];
    rest(us).await;
    let result = next.run(call).await;
    rest(us).await;
    result
}

/// Those that are done at once come first.
pub(super) const NAMES: [&str; 12] = [
    "quick",
    "at_once",
    "plain_falls",
    "slow",
    "forever",
    "limited",
    "plain",
    "plain_limited",
    "falls",
    "asks",
    "layered",
    "plain_layered",
];

pub(super) fn registry() -> ToolRegistry {
    ToolRegistry::builder("toy")
        .tools(tools![
            quick,
            slow,
            forever,
            limited,
            plain,
            plain_limited,
            at_once,
            falls,
            plain_falls,
            asks
        ])
        .tools([layered::tool().layer(waits), plain_layered::tool().layer(waits)])
        .build()
        .unwrap()
}
