use crate::measure::{self, Bench};
use crate::options::Options;
use crate::progress::show;
use crate::results::Results;
use crate::servers::Server;

/// Takes every measure of every server once.
///
/// All servers take a measure before the next one comes, so that the sides of a ratio are close in
/// time. Who is first changes from round to round.
pub fn run(round: usize, servers: &[Server], options: &Options, results: &mut Results) {
    let count = servers.len();
    let mut benches: Vec<Bench> = (0..count)
        .map(|at| Bench::new(&servers[(at + round) % count], options.era, options.quick))
        .collect();
    for (measure, take) in measure::ALL {
        if !measure::is_due(measure, round, options) {
            continue;
        }
        for bench in &mut benches {
            let server = bench.server.name;
            show(&format!(
                "round {} of {}: {measure}, {}",
                round + 1,
                options.rounds,
                server.as_str()
            ));
            match take(bench) {
                Ok(readings) => {
                    for (metric, value) in readings {
                        results.add(round, server, metric, value);
                    }
                }
                Err(error) => {
                    results.faults.push(format!(
                        "round {}: {}: {measure}: {error:#}",
                        round + 1,
                        server.as_str()
                    ));
                    bench.abandon();
                }
            }
        }
    }
    show("");
    for bench in benches {
        let server = bench.server.name;
        let (bad_exits, doubts) = bench.close();
        results.bad_exits.extend(bad_exits.into_iter().map(|what| (server, what)));
        results.doubts.extend(
            doubts
                .into_iter()
                .map(|what| format!("round {}: {}: {what}", round + 1, server.as_str())),
        );
    }
}
