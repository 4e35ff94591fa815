use std::time::Duration;

use anyhow::Result;

use super::{Bench, Readings, warm_up};
use crate::call::Call;
use crate::driver::windowed;
use crate::metric::Metric;
use crate::process::CpuTimes;

pub fn take(bench: &mut Bench) -> Result<Readings> {
    let (rate_16, _) = rate(bench, 16, 10_000)?;
    let (rate_256, cpu_256) = rate(bench, 256, 20_000)?;
    Ok(vec![
        (Metric::Window16, rate_16),
        (Metric::Window256, rate_256),
        (Metric::Window256Cpu, cpu_256),
    ])
}

/// Calls per second, and the server's CPU time per call in microseconds.
fn rate(bench: &mut Bench, window: usize, batch_size: usize) -> Result<(f64, f64)> {
    let budget = Duration::from_millis(if bench.quick { 50 } else { 1_000 });
    let (few, many) = (bench.calls(2_000), bench.calls(batch_size));
    let first = bench.warm_up();
    let session = bench.session()?;
    let mut checker = session.checker();
    warm_up(first, || {
        let batch = session.batch(&Call::Add, few);
        windowed(session, &batch, &mut checker, window)
    })?;

    let (mut calls, mut elapsed, mut cpu) = (0, Duration::ZERO, Duration::ZERO);
    while elapsed < budget {
        let batch = session.batch(&Call::Add, many);
        let before = CpuTimes::of(session.pid())?;
        elapsed += windowed(session, &batch, &mut checker, window)?;
        cpu += CpuTimes::of(session.pid())?.since(&before);
        calls += many;
    }
    bench.doubt(&format!("{window} in flight"), &checker, calls);
    Ok((calls as f64 / elapsed.as_secs_f64(), cpu.as_secs_f64() * 1e6 / calls as f64))
}
