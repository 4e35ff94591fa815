use anyhow::Result;

use super::{Bench, Readings};
use crate::call::Call;
use crate::driver::windowed;
use crate::metric::Metric;
use crate::results::median;

const CALLS: usize = 200;

pub fn take(bench: &mut Bench) -> Result<Readings> {
    if bench.server.echoes_lines() {
        return Ok(Vec::new());
    }
    let repeats = if bench.quick { 1 } else { 3 };
    let session = bench.session()?;
    let mut checker = session.checker();
    let mut times = Vec::new();
    for _ in 0..repeats {
        let batch = session.batch(&Call::Sleep, CALLS);
        times.push(windowed(session, &batch, &mut checker, CALLS)?.as_secs_f64() * 1e3);
    }
    Ok(median(times).map(|time| (Metric::Sleep, time)).into_iter().collect())
}
