use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::metric::{Metric, Model, What};
use super::model::Event;
use super::site::{Programs, Site, TURNS};
use super::tree::{Processes, memory};

/// The longest that no turn may end.
const SILENCE: Duration = Duration::from_secs(120);

/// How much there is to do for each worker.
#[derive(Clone, Copy)]
pub struct Load {
    pub sessions: usize,
    /// Of a slow model, for its part of a turn.
    pub delay: Duration,
}

/// The CPU time of all programs at one moment.
struct Spent {
    at: Instant,
    /// Of the workers, their CLIs, the database, the queue and the tool server, in seconds.
    cpu: [f64; 5],
}

/// What the database and the queue have counted.
struct Counted {
    statements: f64,
    transactions: f64,
    log: f64,
    messages: f64,
}

/// The most memory that was seen, in MiB.
#[derive(Default)]
struct Memory {
    worker: f64,
    cli: f64,
    tools: f64,
}

/// Has `workers` run all turns, and reads off what they take from when all are at work to when the
/// first might run out of work.
pub fn take(
    programs: &Programs,
    folder: &Path,
    (model, load): (Model, Load),
    workers: usize,
) -> Result<Vec<(Metric, f64)>> {
    let delay = if model == Model::Slow { load.delay / 2 } else { Duration::ZERO };
    let mut site = Site::start(programs, folder, delay)?;
    let sessions = load.sessions * workers;
    let turns = sessions * TURNS;
    // The queue is made by the first worker.
    site.add_worker(programs, folder)?;
    let clock = Instant::now();
    while site.queue.counts()?.consumers == 0.0 {
        ensure!(clock.elapsed() < SILENCE, "no worker asks for work");
        sleep(Duration::from_millis(50));
    }
    for _ in 1..workers {
        site.add_worker(programs, folder)?;
    }
    site.submit(sessions)?;
    let queued = site.queue.stored()?;

    let (first, last) = (2 * workers, turns - workers);
    let mut memory = Memory::default();
    until_answered(&mut site, first)?;
    let clients = site.database.counted(CLIENTS)?.parse::<f64>()?;
    let connections = (clients / workers as f64, site.queue.counts()?.connections / workers as f64);
    // Asking takes time of the database: before the first moment, and after the last one.
    let counted = Counted::of(&site)?;
    let begin = Spent::of(&site)?;
    for from in (first..last).step_by(workers) {
        memory.sample(&site)?;
        until_answered(&mut site, workers.min(last - from))?;
    }
    let end = Spent::of(&site)?;
    let counted = Counted::of(&site)?.since(&counted);
    until_answered(&mut site, turns - last)?;
    let clock = Instant::now();
    while site.recorded()? < turns {
        ensure!(clock.elapsed() < SILENCE, "not every turn is recorded");
        sleep(Duration::from_millis(100));
    }
    site.check(sessions)?;

    let each = 1.0 / (last - first) as f64;
    let cpu = |at: usize| (end.cpu[at] - begin.cpu[at]) * each * 1e3;
    let stored = site.database.number(STORED)? / 1024.0 / turns as f64;
    let readings = [
        (What::Rate, (end.at - begin.at).as_secs_f64().recip() / each),
        (What::WorkerCpu, cpu(0)),
        (What::CliCpu, cpu(1)),
        (What::DatabaseCpu, cpu(2)),
        (What::QueueCpu, cpu(3)),
        (What::ToolsCpu, cpu(4)),
        (What::WorkerMemory, memory.worker),
        (What::CliMemory, memory.cli),
        (What::ToolsMemory, memory.tools),
        (What::Statements, counted.statements * each),
        (What::Transactions, counted.transactions * each),
        (What::QueueMessages, counted.messages * each),
        (What::DatabaseConnections, connections.0),
        (What::QueueConnections, connections.1),
        (What::Stored, stored),
        (What::Written, counted.log * each / 1024.0),
        (What::Queued, queued.1 / queued.0),
    ];
    Ok(readings.map(|(what, value)| ((model, what), value)).into())
}

const CLIENTS: &str = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'postgres'";
const COUNTED: &str = "SELECT concat_ws(' ', \
    (SELECT coalesce(sum(calls), 0) FROM pg_stat_statements \
        JOIN pg_database ON pg_database.oid = dbid WHERE datname = 'postgres'), \
    (SELECT xact_commit FROM pg_stat_database WHERE datname = 'postgres'), \
    pg_current_wal_lsn() - '0/0')";
/// With indexes and what PostgreSQL keeps beside long texts.
const STORED: &str = "SELECT sum(pg_total_relation_size(oid)) FROM pg_class \
    WHERE relkind = 'r' AND (relname LIKE 'toolwright%' OR relname = 'fleet_turns')";

fn until_answered(site: &mut Site, mut turns: usize) -> Result<()> {
    while turns > 0 {
        match site.model.events.recv_timeout(SILENCE) {
            Ok(Event::Answered) => turns -= 1,
            Ok(Event::Misled(what)) => bail!("{what}"),
            Err(_) => bail!("no turn ends any more"),
        }
        for worker in &mut site.workers {
            ensure!(!worker.has_ended()?, "a worker has ended");
        }
    }
    Ok(())
}

impl Spent {
    fn of(site: &Site) -> Result<Self> {
        let (processes, at) = (Processes::now()?, Instant::now());
        let workers = || site.workers.iter().map(|worker| worker.pid());
        let both = |pid| processes.own_cpu(pid) + processes.descendants_cpu(pid);
        Ok(Self {
            at,
            cpu: [
                workers().map(|pid| processes.own_cpu(pid)).sum(),
                workers().map(|pid| processes.descendants_cpu(pid)).sum(),
                both(site.database.server.pid()),
                both(site.queue.server.pid()),
                both(site.tools.pid()),
            ],
        })
    }
}

impl Counted {
    fn of(site: &Site) -> Result<Self> {
        let text = site.database.counted(COUNTED)?;
        let mut figures = text.split(' ').map(str::parse::<f64>);
        let mut next = || Ok::<_, anyhow::Error>(figures.next().context("too few figures")??);
        let (statements, transactions, log) = (next()?, next()?, next()?);
        Ok(Self { statements, transactions, log, messages: site.queue.counts()?.messages })
    }

    fn since(self, earlier: &Self) -> Self {
        Self {
            statements: self.statements - earlier.statements,
            transactions: self.transactions - earlier.transactions,
            log: self.log - earlier.log,
            messages: self.messages - earlier.messages,
        }
    }
}

impl Memory {
    fn sample(&mut self, site: &Site) -> Result<()> {
        let processes = Processes::now()?;
        for worker in &site.workers {
            self.worker = self.worker.max(memory(worker.pid()));
            self.cli = self.cli.max(processes.descendants_memory(worker.pid()));
        }
        self.tools = self.tools.max(memory(site.tools.pid()));
        Ok(())
    }
}
