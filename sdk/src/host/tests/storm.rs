//! A storm of calls of every kind, from several threads, at small bounds: every request is answered
//! once at most, exactly once unless it was cancelled, and nothing is left behind.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::runtime::Builder;
use toolwright::host::{Limits, Received, Runner, Shell};
use toolwright::mcp::{CallId, Host, Outbox};
use toolwright::{Context, ToolRegistry, tool, tools};

use super::scene::in_time;

/// How many times each request was answered, and the questions that are to be answered.
#[derive(Clone, Default)]
struct Ledger(Arc<Mutex<Pages>>);

#[derive(Default)]
struct Pages {
    answers: HashMap<u64, usize>,
    questions: Vec<u64>,
}

impl Shell for Ledger {
    fn said(&self, outbox: &mut Outbox) {
        let mut ledger = self.0.lock().unwrap();
        for line in outbox.take(Vec::new()).split(|byte| *byte == b'\n').filter(|l| !l.is_empty()) {
            let message: Value = serde_json::from_slice(line).unwrap();
            match (message["id"].as_u64(), message["method"].as_str()) {
                (Some(id), None) => *ledger.answers.entry(id).or_default() += 1,
                (Some(id), Some(_)) => ledger.questions.push(id),
                _ => {}
            }
        }
    }
}

/// How many calls run, and how many did at most.
static ALIVE: AtomicUsize = AtomicUsize::new(0);

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

async fn rest(us: u64) {
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

const TOOLS: [&str; 10] = [
    "quick",
    "slow",
    "forever",
    "limited",
    "plain",
    "plain_limited",
    "at_once",
    "falls",
    "plain_falls",
    "asks",
];

/// Numbers that are random enough for a test.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// One client's calls; returns those that it has cancelled.
fn client(
    runner: &Arc<Runner>,
    ledger: &Ledger,
    ids: &AtomicU64,
    seed: u64,
    calls: u64,
) -> Vec<u64> {
    let _context = runner.runtime().enter();
    let mut dice = Dice(seed);
    let mut cancelled = Vec::new();
    let mut open: Vec<(u64, CallId)> = Vec::new();
    let mut cancel = |id: u64, call: &CallId, how: u64| match how {
        0 => {
            let line = format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
            );
            if let Received::Cancelled(_) = runner.receive(line.as_bytes()) {
                cancelled.push(id);
            }
        }
        _ => {
            if runner.cancel(call) {
                cancelled.push(id);
            }
        }
    };
    for _ in 0..calls {
        let id = ids.fetch_add(1, Ordering::SeqCst);
        let tool = TOOLS[dice.roll(10) as usize];
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{{"us":{}}},"_meta":{{"progressToken":1}}}}}}"#,
            dice.roll(3_000)
        );
        let Received::Call(call) = runner.receive(line.as_bytes()) else { panic!("{line}") };
        let call_id = call.id().clone();
        if dice.roll(10) == 0 {
            // It is cancelled before it is decoded.
            cancel(id, &call_id, dice.roll(2));
        }
        match dice.roll(2) {
            0 => runner.run(call),
            _ => {
                if let Some(mut run) = runner.begin(call) {
                    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
                    match std::pin::Pin::new(&mut run).poll(&mut cx) {
                        std::task::Poll::Ready(done) => runner.finish(done),
                        std::task::Poll::Pending => runner.spawn(run),
                    }
                }
            }
        }
        match tool {
            "forever" => open.push((id, call_id)),
            _ if dice.roll(4) == 0 => open.push((id, call_id)),
            _ => {}
        }
        while open.len() > 5 {
            let (id, call) = open.swap_remove(dice.roll(open.len() as u64) as usize);
            cancel(id, &call, dice.roll(2));
        }
        if dice.roll(2) == 0 {
            let question = ledger.0.lock().unwrap().questions.pop();
            if let Some(id) = question {
                let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
                assert!(matches!(runner.receive(line.as_bytes()), Received::Nothing));
            }
        }
        if dice.roll(50) == 0 {
            thread::sleep(Duration::from_micros(dice.roll(2_000)));
        }
    }
    open.into_iter().for_each(|(id, call)| cancel(id, &call, dice.roll(2)));
    cancelled
}

fn storm(seed: u64, calls: u64, threads: usize) {
    let registry = ToolRegistry::builder("toy")
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
        .build()
        .unwrap();
    let mut limits = Limits::default();
    let mut dice = Dice(seed | 1);
    limits.max_running = 1 + dice.roll(6) as usize;
    limits.max_waiting_calls = 1 + dice.roll(20) as usize;
    limits.sync_threads = 1 + dice.roll(3) as usize;
    let runtime = match dice.roll(2) {
        0 => Builder::new_current_thread().enable_time().build().unwrap(),
        _ => Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap(),
    };
    let ledger = Ledger::default();
    let runner = {
        let _context = runtime.enter();
        Runner::new(&registry, Host::InProcess, Outbox::new(), ledger.clone(), limits)
    };
    let ids = Arc::new(AtomicU64::new(0));
    let clients: Vec<_> = (0..threads)
        .map(|at| {
            let (runner, ledger, ids) = (runner.clone(), ledger.clone(), ids.clone());
            thread::spawn(move || {
                client(&runner, &ledger, &ids, seed ^ (at as u64 + 7) << 20, calls)
            })
        })
        .collect();
    // Drives the calls and answers their questions until every call is answered.
    let is_done = || clients.iter().all(thread::JoinHandle::is_finished);
    let end = Instant::now() + Duration::from_secs(50);
    runtime.block_on(async {
        loop {
            let idle = tokio::time::timeout(Duration::from_millis(1), runner.idle()).await;
            if is_done() && idle.is_ok() {
                break;
            }
            let questions = std::mem::take(&mut ledger.0.lock().unwrap().questions);
            for id in questions {
                let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
                let _ = runner.receive(line.as_bytes());
            }
            assert!(Instant::now() < end, "{runner:?} {:?}", runner.left());
        }
    });
    let mut cancelled: Vec<u64> =
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect();
    cancelled.sort_unstable();
    assert!(cancelled.windows(2).all(|pair| pair[0] != pair[1]), "cancelled twice");
    for id in 0..ids.load(Ordering::SeqCst) {
        let answers = ledger.0.lock().unwrap().answers.get(&id).copied().unwrap_or_default();
        let was_cancelled = cancelled.binary_search(&id).is_ok();
        assert_eq!(answers, usize::from(!was_cancelled), "request {id}");
    }
    assert_eq!(runner.left(), [0; 4], "running, waiting, their bytes, for threads");
    runner.close();
    // The runtime drops stopped tasks a little later.
    while ALIVE.load(Ordering::SeqCst) > 0 {
        runtime.block_on(rest(1_000));
        assert!(Instant::now() < end, "{} calls are alive", ALIVE.load(Ordering::SeqCst));
    }
}

#[test]
fn every_request_of_a_storm_is_answered_once_and_nothing_is_left() {
    in_time(|| (1..=4).for_each(|seed| storm(seed * 0x9e37_79b9, 300, 3)));
}

/// For as many seconds as `STORM` says.
#[test]
#[ignore = "it takes as long as one likes"]
fn a_long_storm() {
    let seconds = std::env::var("STORM").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let (end, mut seed) = (Instant::now() + Duration::from_secs(seconds), 0x1234_5678_u64);
    while Instant::now() < end {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        storm(seed, 2_000, 4);
    }
}
