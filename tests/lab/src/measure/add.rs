use std::time::Duration;

use anyhow::Result;

use super::{Bench, Readings, percentile_us, warm_up};
use crate::call::Call;
use crate::driver::one_at_a_time;
use crate::metric::Metric;
use crate::process::CpuTimes;

pub fn take(bench: &mut Bench) -> Result<Readings> {
    let budget = Duration::from_millis(if bench.quick { 100 } else { 500 });
    let (few, many) = (bench.calls(500), bench.calls(2_000));
    let first = bench.warm_up();
    let session = bench.session()?;
    let mut checker = session.checker();
    warm_up(first, || {
        let batch = session.batch(&Call::Add, few);
        one_at_a_time(session, &batch, &mut checker, &mut Vec::new())
    })?;

    let (mut latencies, mut elapsed, mut cpu) = (Vec::new(), Duration::ZERO, Duration::ZERO);
    while elapsed < budget {
        let batch = session.batch(&Call::Add, many);
        let before = CpuTimes::of(session.pid())?;
        elapsed += one_at_a_time(session, &batch, &mut checker, &mut latencies)?;
        cpu += CpuTimes::of(session.pid())?.since(&before);
    }
    let calls = latencies.len();
    bench.doubt("add", &checker, calls);
    Ok(vec![
        (Metric::AddP50, percentile_us(&mut latencies, 0.5)),
        (Metric::AddP99, percentile_us(&mut latencies, 0.99)),
        (Metric::AddRate, calls as f64 / elapsed.as_secs_f64()),
        (Metric::AddCpu, cpu.as_secs_f64() * 1e6 / calls as f64),
    ])
}
