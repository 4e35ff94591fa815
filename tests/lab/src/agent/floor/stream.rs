//! What reading stream events costs at the least: one struct, from memory.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use memchr::memchr;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::agent::cli::StreamBlock;
use crate::results::median;

const RUNS: usize = 5;

#[derive(Deserialize)]
struct Event {
    r#type: String,
    uuid: String,
    session_id: String,
    event: Box<RawValue>,
}

/// Messages per second, the median of some runs, as one is short.
pub fn stream(count: usize) -> Result<f64> {
    let all: String = StreamBlock::render().parts(count).collect();
    let rates = (0..RUNS).map(|_| parse(&all, count)).collect::<Result<_>>()?;
    median(rates).context("no run")
}

fn parse(all: &str, count: usize) -> Result<f64> {
    let clock = Instant::now();
    let (mut seen, mut bytes) = (0, 0);
    let mut rest = all.as_bytes();
    while let Some(end) = memchr(b'\n', rest) {
        let event: Event =
            serde_json::from_slice(&rest[..end]).context("parsing a stream event")?;
        bytes += event.r#type.len()
            + event.uuid.len()
            + event.session_id.len()
            + event.event.get().len();
        seen += 1;
        rest = &rest[end + 1..];
    }
    let seconds = clock.elapsed().as_secs_f64();
    ensure!(seen == count && bytes > 0, "{seen} events were read");
    Ok(count as f64 / seconds)
}
