//! A storm of calls of every kind, from several threads: every request is answered once, unless it
//! was cancelled, and nothing is left behind.

mod ledger;
mod toys;

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};
use toolwright::host::{Limits, Received, Runner};
use toolwright::mcp::{CallId, Host, Outbox};

use self::ledger::Ledger;
use self::toys::{ALIVE, NAMES, registry, rest};
use super::scene::in_time;

/// How long nothing may happen.
const TOO_LONG: Duration = Duration::from_secs(50);

/// What a storm is like.
#[derive(Clone, Copy)]
struct Weather {
    seed: u64,
    threads: usize,
    /// Of each thread.
    calls: u64,
    /// A call takes less than so many microseconds.
    us: u64,
    /// Of so many calls one may be slow.
    slow: u64,
}

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

/// One client's calls.
fn client(runner: &Arc<Runner>, ledger: &Ledger, ids: &AtomicU64, at: u64, weather: Weather) {
    let _context = runner.runtime().enter();
    let mut dice = Dice(weather.seed ^ (at + 7) << 20);
    let mut open: Vec<(u64, CallId)> = Vec::new();
    for _ in 0..weather.calls {
        let id = ids.fetch_add(1, Ordering::SeqCst);
        let kinds = if dice.roll(weather.slow) == 0 { NAMES.len() } else { 3 };
        let tool = NAMES[dice.roll(kinds as u64) as usize];
        let us = dice.roll(weather.us);
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{{"us":{us}}},"_meta":{{"progressToken":1}}}}}}"#
        );
        let Received::Call(call) = runner.receive(line.as_bytes()) else { panic!("{line}") };
        let call_id = call.id().clone();
        if dice.roll(10) == 0 {
            // It is cancelled before it is decoded.
            cancel(runner, ledger, id, &call_id, dice.roll(2));
        }
        match dice.roll(2) {
            0 => runner.run(call),
            _ => {
                if let Some(mut run) = runner.begin(call) {
                    let mut cx = std::task::Context::from_waker(Waker::noop());
                    match Pin::new(&mut run).poll(&mut cx) {
                        Poll::Ready(done) => runner.finish(done),
                        Poll::Pending => runner.spawn(run),
                    }
                }
            }
        }
        if tool == "forever" || kinds > 3 && dice.roll(4) == 0 {
            open.push((id, call_id));
        }
        while open.len() > 5 {
            let (id, call) = open.swap_remove(dice.roll(open.len() as u64) as usize);
            cancel(runner, ledger, id, &call, dice.roll(2));
        }
        if dice.roll(2) == 0 {
            answer_a_question(runner, ledger);
        }
        if dice.roll(50 * weather.slow) == 0 {
            thread::sleep(Duration::from_micros(dice.roll(2_000)));
        }
    }
    open.into_iter().for_each(|(id, call)| cancel(runner, ledger, id, &call, dice.roll(2)));
}

fn cancel(runner: &Runner, ledger: &Ledger, id: u64, call: &CallId, how: u64) {
    let line = || {
        let params = format!(r#"{{"requestId":{id}}}"#);
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#)
    };
    let is_cancelled = match how {
        0 => matches!(runner.receive(line().as_bytes()), Received::Cancelled(_)),
        _ => runner.cancel(call),
    };
    if is_cancelled {
        ledger.cancelled(id);
    }
}

fn answer_a_question(runner: &Runner, ledger: &Ledger) -> bool {
    let Some(id) = ledger.question() else { return false };
    let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
    assert!(matches!(runner.receive(line.as_bytes()), Received::Nothing));
    true
}

fn runtime(dice: &mut Dice) -> Runtime {
    let mut builder = match dice.roll(2) {
        0 => Builder::new_current_thread(),
        _ => Builder::new_multi_thread(),
    };
    builder.worker_threads(2).enable_time().build().unwrap()
}

/// Returns the resident set after each tenth of the calls, in KiB.
fn storm(weather: Weather) -> Vec<u64> {
    let mut dice = Dice(weather.seed | 1);
    let limits = Limits {
        max_running: 1 + dice.roll(6) as usize,
        max_waiting_calls: 1 + dice.roll(20) as usize,
        sync_threads: 1 + dice.roll(3) as usize,
        ..Limits::default()
    };
    let runtime = runtime(&mut dice);
    let count = weather.calls as usize * weather.threads;
    let ledger = Ledger::new(count);
    let runner = {
        let _context = runtime.enter();
        Runner::new(&registry(), Host::InProcess, Outbox::new(), ledger.clone(), limits)
    };
    let ids = Arc::new(AtomicU64::new(0));
    let clients: Vec<_> = (0..weather.threads as u64)
        .map(|at| {
            let (runner, ledger, ids) = (runner.clone(), ledger.clone(), ids.clone());
            thread::spawn(move || client(&runner, &ledger, &ids, at, weather))
        })
        .collect();
    // Drives the calls and answers their questions until every call is answered.
    let is_done = || clients.iter().all(thread::JoinHandle::is_finished);
    let (mut closed, mut last, mut tenths) = (0, Instant::now(), Vec::new());
    runtime.block_on(async {
        loop {
            let idle = tokio::time::timeout(Duration::from_millis(1), runner.idle()).await;
            if is_done() && idle.is_ok() {
                break;
            }
            while answer_a_question(&runner, &ledger) {}
            let now_closed = ledger.closed();
            if now_closed > closed {
                (closed, last) = (now_closed, Instant::now());
            }
            if closed > count * (tenths.len() + 1) / 10 {
                tenths.extend(resident().or(Some(0)));
            }
            assert!(last.elapsed() < TOO_LONG, "{runner:?} {:?}", runner.left());
        }
    });
    tenths.extend(resident());
    clients.into_iter().for_each(|client| client.join().unwrap());
    ledger.assert_complete();
    assert_eq!(runner.left(), [0; 4], "running, waiting, their bytes, for threads");
    runner.close();
    // The runtime drops stopped tasks a little later.
    while ALIVE.load(Ordering::SeqCst) > 0 {
        runtime.block_on(rest(1_000));
        assert!(last.elapsed() < 2 * TOO_LONG, "{} calls are alive", ALIVE.load(Ordering::SeqCst));
    }
    tenths
}

/// The resident set in KiB, where the system says it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[test]
fn every_request_of_a_storm_is_answered_once_and_nothing_is_left() {
    let weather = Weather { seed: 0, threads: 3, calls: 300, us: 3_000, slow: 1 };
    in_time(move || {
        for seed in 1..=4 {
            storm(Weather { seed: seed * 0x9e37_79b9, ..weather });
        }
    });
}

/// `SOAK_CALLS` calls in one session, most of them quick.
#[test]
#[ignore = "it takes as long as one likes"]
#[expect(clippy::print_stderr, reason = "whoever runs it by hand reads the figures")]
fn a_long_storm() {
    let setting = |name, default| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (count, seed) = (setting("SOAK_CALLS", 1_000_000), setting("SOAK_SEED", 0x1234_5679));
    let (begin, threads) = (Instant::now(), 4);
    let weather = Weather { seed, threads, calls: count / threads as u64, us: 1_000, slow: 20 };
    let tenths = storm(weather);
    eprintln!("{count} calls in {:?}, resident KiB by tenths: {tenths:?}", begin.elapsed());
    if let [_, second, .., last] = tenths[..] {
        assert!(last.abs_diff(second) * 20 <= second, "{second} KiB became {last} KiB");
    }
}
