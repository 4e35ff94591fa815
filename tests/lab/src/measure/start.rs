use anyhow::Result;

use super::{Bench, Readings};
use crate::call::Call;
use crate::driver::one_at_a_time;
use crate::metric::Metric;
use crate::results::median;

pub fn take(bench: &mut Bench) -> Result<Readings> {
    let (mut times, mut listed) = (Vec::new(), Vec::new());
    for _ in 0..bench.calls(if bench.quick { 5 } else { 20 }) {
        let mut session = bench.fresh_session()?;
        times.push(session.started_in.as_secs_f64() * 1e3);
        // As a client does: a server may describe its tools as late as that.
        let ready = session.started_in + session.list_tools()?;
        listed.push(ready.as_secs_f64() * 1e3);
        // One call, off the clock: to rmcp, a stateless conversation that ends before it is a
        // failed start.
        let batch = session.batch(&Call::Add, 1);
        let mut checker = session.checker();
        one_at_a_time(&mut session, &batch, &mut checker, &mut Vec::new())?;
        bench.end(session);
    }
    let medians = [(Metric::Start, median(times)), (Metric::StartList, median(listed))];
    Ok(medians.into_iter().filter_map(|(metric, time)| Some((metric, time?))).collect())
}
