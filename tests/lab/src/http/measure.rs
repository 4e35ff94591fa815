use std::time::Duration;

use anyhow::{Context, Result};
use tokio::runtime::{Builder, Runtime};

use super::connection::Connection;
use super::metric::{Answer, Metric};
use super::server::{Process, Server};
use super::session::Sessions;
use super::{instructions, load};
use crate::measure::INSTRUCTIONS;
use crate::options::Options;
use crate::process::{CpuTimes, cpus, resident_memory, stay_on};

pub type Readings = Vec<(Metric, f64)>;
type Take = fn(&Driver, &Server) -> Result<Readings>;

pub const ALL: [(&str, Take); 5] = [
    ("json", json),
    ("sse", sse),
    ("memory", memory),
    ("sessions", sessions),
    (INSTRUCTIONS, instructions::take),
];

const CONNECTIONS: [usize; 3] = [1, 8, 64];
const IDLE: usize = 1_000;
/// As many as ours keeps by default.
const SESSIONS: usize = 10_000;

/// What makes the calls: one thread.
pub struct Driver {
    pub runtime: Runtime,
    quick: bool,
    /// The CPU of the servers and its own.
    split: Option<(usize, usize)>,
}

impl Driver {
    pub fn new(options: &Options) -> Result<Self> {
        let split = match &cpus()?[..] {
            _ if !options.split_cpus => None,
            [server, driver, ..] => Some((*server, *driver)),
            _ => anyhow::bail!("--pin split needs two CPUs"),
        };
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(Self { runtime, quick: options.quick, split })
    }

    pub fn start(&self, server: &Server, answer: Answer) -> Result<Option<Process>> {
        let Some((theirs, own)) = self.split else { return server.start(answer) };
        stay_on(theirs)?;
        let process = server.start(answer);
        stay_on(own)?;
        process
    }

    fn milliseconds(&self, usual: u64) -> Duration {
        Duration::from_millis(if self.quick { usual / 10 } else { usual })
    }
}

fn json(driver: &Driver, server: &Server) -> Result<Readings> {
    calls(driver, server, Answer::Json)
}

fn sse(driver: &Driver, server: &Server) -> Result<Readings> {
    calls(driver, server, Answer::Stream)
}

fn calls(driver: &Driver, server: &Server, answer: Answer) -> Result<Readings> {
    let Some(process) = driver.start(server, answer)? else { return Ok(Vec::new()) };
    let mut readings = Vec::new();
    for count in CONNECTIONS {
        process.watchdog.feed();
        let (done, cpu) = driver.runtime.block_on(async {
            let mut connections = Vec::new();
            for number in 0..count {
                connections.push(Connection::open(server, process.address, answer, number).await?);
            }
            load::run(&mut connections, driver.milliseconds(server.warm_up())).await?;
            let before = CpuTimes::of(process.pid())?;
            let done = load::run(&mut connections, driver.milliseconds(600)).await?;
            anyhow::Ok((done, CpuTimes::of(process.pid())?.since(&before)))
        })?;
        let calls = done.calls as f64;
        readings.push((Metric::Rate(answer, count), calls / done.elapsed.as_secs_f64()));
        readings.push((Metric::Cpu(answer, count), cpu.as_secs_f64() * 1e6 / calls));
    }
    Ok(readings)
}

/// Each of the connections makes a call before it is idle.
fn memory(driver: &Driver, server: &Server) -> Result<Readings> {
    // All but the example have answers in JSON.
    let (answer, process) = match driver.start(server, Answer::Json)? {
        Some(process) => (Answer::Json, process),
        None => {
            let process = driver.start(server, Answer::Stream)?;
            (Answer::Stream, process.context("no answers at all")?)
        }
    };
    let start = resident_memory(process.pid())?;
    let idle = driver.runtime.block_on(async {
        let mut connections = Vec::with_capacity(IDLE);
        for number in 0..IDLE {
            let mut connection = Connection::open(server, process.address, answer, number).await?;
            connection.call().await?;
            connections.push(connection);
        }
        resident_memory(process.pid())
    })?;
    Ok(vec![
        (Metric::MemoryStart, start),
        (Metric::MemoryIdle, idle),
        (Metric::Connection, (idle - start) * 1024.0 / IDLE as f64),
    ])
}

/// Sessions of the legacy era: each makes a call, and no client ends any.
fn sessions(driver: &Driver, server: &Server) -> Result<Readings> {
    let process = driver.start(server, Answer::Json)?.filter(|_| server.has_sessions());
    let Some(process) = process else { return Ok(Vec::new()) };
    let start = resident_memory(process.pid())?;
    let count = if driver.quick { SESSIONS / 10 } else { SESSIONS };
    let [first, more] = driver.runtime.block_on(async {
        let mut sessions = Sessions::open(process.address).await?;
        let (mut readings, mut ids) = ([0.0; 2], Vec::new());
        for reading in &mut readings {
            process.watchdog.feed();
            for _ in 0..count {
                ids.push(sessions.begin().await?);
            }
            *reading = resident_memory(process.pid())?;
        }
        // As many are kept as are said to be, no fewer and no more.
        let gone = ids.len().saturating_sub(SESSIONS);
        sessions.call(&ids[gone]).await.context("the oldest session that must be kept")?;
        if gone > 0 {
            sessions.fails_in(&ids[gone - 1]).await?;
        }
        anyhow::Ok(readings)
    })?;
    Ok(vec![
        (Metric::Sessions, first),
        (Metric::Session, (first - start) * 1024.0 / count as f64),
        (Metric::MoreSessions, more),
    ])
}
