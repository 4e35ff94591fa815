use super::Results;
use super::metric::{Model, PARTS, What};
use crate::bars::Bar;

/// The workers, and the least that they must do of what one does.
const BARS: [(&str, usize, f64); 3] = [
    ("2 workers, slow model: 1.8 x one worker, or no core is free", 2, 1.8),
    ("4 workers, slow model: 3.5 x one worker, or no core is free", 4, 3.5),
    ("8 workers, slow model: 6 x one worker, or no core is free", 8, 6.0),
];

/// With this share of the cores at work for the fleet, none is free: the model and the measuring
/// need the rest.
const BUSY: f64 = 0.85;

/// The bars for which all that they compare was measured, on so many CPUs.
pub fn judge(results: &Results, cpus: usize) -> Vec<Bar> {
    let judged = |&(promise, workers, least): &(&'static str, usize, f64)| {
        let rounds = results.rounds(workers, (Model::Slow, What::SpeedUp)).collect();
        let is_busy = || cores(results, workers).is_some_and(|cores| cores >= BUSY * cpus as f64);
        Bar::of(promise, rounds, "x", |value| value >= least || is_busy())
    };
    BARS.iter().filter_map(judged).collect()
}

/// How many cores the fleet keeps busy.
fn cores(results: &Results, workers: usize) -> Option<f64> {
    let median = |what| results.median(workers, (Model::Slow, what));
    let a_turn = PARTS.into_iter().map(|(_, what)| median(what)).sum::<Option<f64>>()?;
    Some(median(What::Rate)? * a_turn / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_workers_may_be_slow_only_where_no_core_is_free() {
        for (cpu, passes) in [(100.0, false), (1e6, true)] {
            let mut results = Results::default();
            for (what, value) in [
                (What::SpeedUp, 4.0),
                (What::Rate, 1.5),
                (What::WorkerCpu, 10.0),
                (What::CliCpu, cpu),
                (What::DatabaseCpu, 7.0),
                (What::QueueCpu, 4.0),
                (What::ToolsCpu, 1.0),
            ] {
                results.add(0, 8, (Model::Slow, what), value);
            }
            let passed: Vec<_> = judge(&results, 2).iter().map(|bar| bar.pass).collect();
            assert_eq!(passed, [passes], "{cpu} ms");
        }
    }
}
