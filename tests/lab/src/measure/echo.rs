use std::time::Duration;

use anyhow::Result;

use super::{Bench, Readings, warm_up};
use crate::call::Call;
use crate::driver::{large, one_at_a_time};
use crate::metric::Metric;

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

/// How much text an echo has, and how many go into a batch.
const SIZES: [(Metric, usize, usize); 4] = [
    (Metric::Echo1K, KIB, 1_000),
    (Metric::Echo64K, 64 * KIB, 32),
    (Metric::Echo1M, MIB, 8),
    (Metric::Echo8M, 8 * MIB, 2),
];

pub fn take(bench: &mut Bench) -> Result<Readings> {
    SIZES
        .into_iter()
        .map(|(metric, size, count)| Ok((metric, mib_per_second(bench, size, count)?)))
        .collect()
}

/// Text per second in one direction; as much comes back.
fn mib_per_second(bench: &mut Bench, size: usize, count: usize) -> Result<f64> {
    let budget = Duration::from_millis(if bench.quick { 30 } else { 200 });
    let call = Call::echo(size);
    let (count, first) = (bench.calls(count), bench.warm_up());
    let session = bench.session()?;
    let mut checker = session.checker();
    let mut exchange = |session: &mut _, batch: &_| {
        // A small line fits the pipe and is spared the machinery of the large ones.
        if size < 4 * KIB {
            one_at_a_time(session, batch, &mut checker, &mut Vec::new())
        } else {
            large(session, batch, &mut checker)
        }
    };
    warm_up(first, || {
        let batch = session.batch(&call, 2);
        exchange(session, &batch)
    })?;

    let (mut calls, mut elapsed) = (0, Duration::ZERO);
    while elapsed < budget {
        let batch = session.batch(&call, count);
        elapsed += exchange(session, &batch)?;
        calls += count;
    }
    bench.doubt(&format!("echo of {size} bytes"), &checker, calls);
    Ok((calls * size) as f64 / MIB as f64 / elapsed.as_secs_f64())
}
