use std::time::Duration;

use anyhow::{Context, Result};

use crate::answer::Checker;
use crate::call::Era;
use crate::metric::Metric;
use crate::options::Options;
use crate::servers::Server;
use crate::session::Session;

mod add;
mod echo;
mod instructions;
mod memory;
mod search;
mod sleep;
mod start;
mod window;

pub type Readings = Vec<(Metric, f64)>;
type Take = fn(&mut Bench) -> Result<Readings>;

/// Taken in the first round alone, as it hardly differs; it takes long, so quick runs leave it out.
pub const INSTRUCTIONS: &str = "instructions";

/// In the order in which they are taken. The large echoes come after the calls whose speed a grown
/// heap could change.
pub const ALL: [(&str, Take); 8] = [
    ("start", start::take),
    ("add", add::take),
    ("search", search::take),
    ("window", window::take),
    ("sleep", sleep::take),
    ("echo", echo::take),
    ("memory", memory::take),
    (INSTRUCTIONS, instructions::take),
];

/// True if a round takes a measure.
pub fn is_due(measure: &str, round: usize, options: &Options) -> bool {
    let is_left_out = measure == INSTRUCTIONS && (round > 0 || options.quick);
    !is_left_out && options.wants_measure(measure)
}

/// One server during one round.
pub struct Bench<'a> {
    pub server: &'a Server,
    pub quick: bool,
    era: Era,
    /// The process that measures share, unless they need a fresh one.
    shared: Option<Session>,
    bad_exits: Vec<String>,
    doubts: Vec<String>,
}

impl<'a> Bench<'a> {
    pub fn new(server: &'a Server, era: Era, quick: bool) -> Self {
        Self { server, quick, era, shared: None, bad_exits: Vec::new(), doubts: Vec::new() }
    }

    pub fn fresh_session(&self) -> Result<Session> {
        Session::start(self.server, self.era)
    }

    pub fn session(&mut self) -> Result<&mut Session> {
        if self.shared.is_none() {
            self.shared = Some(self.fresh_session()?);
        }
        self.shared.as_mut().context("a session was just started")
    }

    pub fn end(&mut self, session: Session) {
        if let Err(error) = session.close() {
            self.bad_exits.push(format!("{error:#}"));
        }
    }

    /// Ends the shared session the hard way, as it is in an unknown state.
    pub fn abandon(&mut self) {
        self.shared = None;
    }

    /// How long calls are made before others are measured, at least.
    pub fn warm_up(&self) -> Duration {
        self.server.warm_up() / if self.quick { 10 } else { 1 }
    }

    /// How many calls to make instead of `usual` ones.
    pub fn calls(&self, usual: usize) -> usize {
        if self.server.is_slow() { usual.div_ceil(20) } else { usual }
    }

    /// Notes it when the driver rather than the server was kept busy.
    pub fn doubt(&mut self, measure: &str, checker: &Checker, calls: usize) {
        if !self.server.is_slow() && checker.parsed as usize > calls / 100 + 2 {
            let parsed = checker.parsed;
            self.doubts.push(format!(
                "{measure}: {parsed} of {calls} answers had to be parsed by the driver"
            ));
        }
    }

    /// What was wrong with exits, and with readings.
    pub fn close(mut self) -> (Vec<String>, Vec<String>) {
        if let Some(session) = self.shared.take() {
            self.end(session);
        }
        (self.bad_exits, self.doubts)
    }
}

/// Makes calls that are not measured, once or for so long.
fn warm_up(budget: Duration, mut calls: impl FnMut() -> Result<Duration>) -> Result<()> {
    let mut elapsed = calls()?;
    while elapsed < budget {
        elapsed += calls()?;
    }
    Ok(())
}

/// Nanoseconds to microseconds, at this share of the sorted list.
fn percentile_us(latencies: &mut [u64], share: f64) -> f64 {
    latencies.sort_unstable();
    let at = ((latencies.len() - 1) as f64 * share).round() as usize;
    latencies[at] as f64 / 1e3
}
