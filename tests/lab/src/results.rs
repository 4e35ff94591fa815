use std::collections::BTreeMap;

use crate::metric::Metric;
use crate::servers::Name;

/// Every reading of every round.
pub struct Results<N = Name, M = Metric> {
    readings: BTreeMap<(N, M), BTreeMap<usize, f64>>,
    /// Wrong and missing answers.
    pub faults: Vec<String>,
    /// Servers that did not end with status 0 soon after their input was closed.
    pub bad_exits: Vec<(N, String)>,
    /// What makes a reading doubtful though no answer was wrong.
    pub doubts: Vec<String>,
}

impl<N, M> Default for Results<N, M> {
    fn default() -> Self {
        Self {
            readings: BTreeMap::new(),
            faults: Vec::new(),
            bad_exits: Vec::new(),
            doubts: Vec::new(),
        }
    }
}

impl<N: Ord + Copy, M: Ord + Copy> Results<N, M> {
    pub fn add(&mut self, round: usize, server: N, metric: M, value: f64) {
        self.readings.entry((server, metric)).or_default().insert(round, value);
    }

    pub fn rounds(&self, server: N, metric: M) -> impl Iterator<Item = f64> + '_ {
        self.readings.get(&(server, metric)).into_iter().flat_map(|rounds| rounds.values().copied())
    }

    pub fn median(&self, server: N, metric: M) -> Option<f64> {
        median(self.rounds(server, metric).collect())
    }

    /// The ratios inside the rounds: what slows a whole round down leaves them alone.
    pub fn ratios(&self, metric: M, of: N, to: N) -> Vec<f64> {
        self.compared((of, metric), (to, metric), |of, to| of / to)
    }

    /// What two readings of the same round come to, for the rounds that have both.
    pub fn compared(&self, of: (N, M), to: (N, M), with: fn(f64, f64) -> f64) -> Vec<f64> {
        let (Some(of), Some(to)) = (self.readings.get(&of), self.readings.get(&to)) else {
            return Vec::new();
        };
        let pairs = of.iter().filter_map(|(round, value)| Some(with(*value, *to.get(round)?)));
        // A ratio to nothing says nothing.
        pairs.filter(|compared| compared.is_finite()).collect()
    }
}

/// The lowest and the highest, if there are several.
pub fn range(values: &[f64]) -> Option<(f64, f64)> {
    let low = values.iter().copied().min_by(f64::total_cmp)?;
    let high = values.iter().copied().max_by(f64::total_cmp)?;
    (values.len() > 1).then_some((low, high))
}

pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}
