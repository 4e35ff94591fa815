use anyhow::Result;

use super::{Bench, Readings};
use crate::call::Call;
use crate::driver::{large, windowed};
use crate::metric::Metric;
use crate::process::peak_memory;

const MIB: usize = 1024 * 1024;

pub fn take(bench: &mut Bench) -> Result<Readings> {
    let mut session = bench.fresh_session()?;
    let start = peak_memory(session.pid())?;
    let mut checker = session.checker();
    let batch = session.batch(&Call::Add, bench.calls(20_000));
    windowed(&mut session, &batch, &mut checker, 256)?;
    let calls = peak_memory(session.pid())?;
    bench.end(session);

    let mut session = bench.fresh_session()?;
    let mut checker = session.checker();
    let batch = session.batch(&Call::echo(8 * MIB), 3);
    large(&mut session, &batch, &mut checker)?;
    let echo = peak_memory(session.pid())?;
    bench.end(session);
    Ok(vec![(Metric::MemoryStart, start), (Metric::MemoryCalls, calls), (Metric::MemoryEcho, echo)])
}
