use std::time::Duration;

use anyhow::Result;

use super::{Bench, Readings, percentile_us, warm_up};
use crate::call::Call;
use crate::driver::one_at_a_time;
use crate::metric::Metric;

pub fn take(bench: &mut Bench) -> Result<Readings> {
    let budget = Duration::from_millis(if bench.quick { 50 } else { 250 });
    let (few, many) = (bench.calls(200), bench.calls(1_000));
    let first = bench.warm_up();
    let session = bench.session()?;
    let mut checker = session.checker();
    warm_up(first, || {
        let batch = session.batch(&Call::Search, few);
        one_at_a_time(session, &batch, &mut checker, &mut Vec::new())
    })?;

    let (mut latencies, mut elapsed) = (Vec::new(), Duration::ZERO);
    while elapsed < budget {
        let batch = session.batch(&Call::Search, many);
        elapsed += one_at_a_time(session, &batch, &mut checker, &mut latencies)?;
    }
    bench.doubt("search", &checker, latencies.len());
    Ok(vec![(Metric::SearchP50, percentile_us(&mut latencies, 0.5))])
}
