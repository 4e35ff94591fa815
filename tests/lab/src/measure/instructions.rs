use anyhow::Result;

use super::{Bench, Readings};
use crate::call::Call;
use crate::callgrind::Callgrind;
use crate::driver::windowed;
use crate::metric::Metric;
use crate::servers::Server;
use crate::session::Session;

/// Nothing where valgrind is not installed.
pub fn take(bench: &mut Bench) -> Result<Readings> {
    // What an interpreter executes says nothing about the server.
    let callgrind = Callgrind::installed()?.filter(|_| bench.server.name.interpreter().is_none());
    let Some(callgrind) = callgrind else { return Ok(Vec::new()) };
    let (program, args) = callgrind.command(&bench.server.program, &bench.server.args);
    let server = Server { name: bench.server.name, program, args };
    let measures = [
        ([Metric::AddInstructions, Metric::AddCodeMisses], Call::Add, 1),
        ([Metric::SearchInstructions, Metric::SearchCodeMisses], Call::Search, 1),
        ([Metric::Window256Instructions, Metric::Window256CodeMisses], Call::Add, 256),
    ];
    let mut readings = Vec::new();
    for (metrics, call, window) in measures {
        let counts = callgrind.of_a_call(|calls| {
            let mut session = Session::start(&server, bench.era)?;
            let mut checker = session.checker();
            let batch = session.batch(&call, calls);
            windowed(&mut session, &batch, &mut checker, window)?;
            bench.end(session);
            Ok(())
        })?;
        readings.extend(metrics.into_iter().zip(counts));
    }
    Ok(readings)
}
