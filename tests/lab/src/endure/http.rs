use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result};
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use toolwright_lab_mix::{Counts, Mix, deciles};

use super::connection::Connection;
use super::plan::{Endured, Plan};
use crate::http::Process;

const CONNECTIONS: usize = 32;

/// What the connections share.
pub struct Work {
    pub mix: Mix,
    pub address: SocketAddr,
    next: AtomicU64,
    end: AtomicU64,
    counts: Mutex<Counts>,
}

/// Calls the HTTP server.
pub fn run(plan: &Plan, show: &dyn Fn(&str)) -> Result<Endured> {
    let mut command = plan.server();
    command.args(["--http", "127.0.0.1:0"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().context("starting the HTTP server")?;
    let process = Arc::new(Process::listening(child)?);
    let work = Arc::new(Work {
        mix: plan.mix,
        address: process.address,
        next: AtomicU64::new(0),
        end: AtomicU64::new(0),
        counts: Mutex::default(),
    });
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let mut connections = Vec::new();
    for _ in 0..CONNECTIONS {
        connections.push(runtime.block_on(Connection::open(&work))?);
    }
    let mut endured = Endured::default();
    for (decile, calls) in deciles(plan.calls) {
        show(&format!("http: decile {decile}"));
        let clock = Instant::now();
        let end = work.end.load(Ordering::Relaxed) + calls;
        work.next.store(end - calls, Ordering::Relaxed);
        work.end.store(end, Ordering::Relaxed);
        runtime.block_on(make(&mut connections, &process))?;
        endured.add(calls, clock, process.pid())?;
    }
    endured.counts = work.counts.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(endured)
}

/// All connections call until no call is left.
async fn make(connections: &mut Vec<Connection>, process: &Arc<Process>) -> Result<()> {
    let mut tasks = JoinSet::new();
    for mut connection in connections.drain(..) {
        let process = process.clone();
        tasks.spawn(async move {
            while connection.call().await? {
                process.watchdog.feed();
            }
            anyhow::Ok(connection)
        });
    }
    while let Some(ended) = tasks.join_next().await {
        connections.push(ended??);
    }
    Ok(())
}

impl Work {
    /// The id of the next call that is to be made.
    pub fn take(&self) -> Option<u64> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        if id >= self.end.load(Ordering::Relaxed) {
            return None;
        }
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).add(self.mix.kind(id));
        Some(id)
    }
}
