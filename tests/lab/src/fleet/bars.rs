use super::Results;
use super::metric::{Model, What};
use crate::bars::Bar;

/// The workers, and the least that they must do of what one does.
const BARS: [(&str, usize, f64); 3] = [
    ("2 workers, slow model: at least 1.8 x one worker", 2, 1.8),
    ("4 workers, slow model: at least 3.5 x one worker", 4, 3.5),
    ("8 workers, slow model: at least 6 x one worker", 8, 6.0),
];

/// The bars for which all that they compare was measured.
pub fn judge(results: &Results) -> Vec<Bar> {
    let judged = |&(promise, workers, least): &(&'static str, usize, f64)| {
        let value = results.median(workers, (Model::Slow, What::SpeedUp))?;
        Some(Bar { promise, value, unit: "x", pass: value >= least })
    };
    BARS.iter().filter_map(judged).collect()
}
