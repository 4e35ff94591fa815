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

    /// The median of the ratios inside the rounds: what slows a whole round down leaves it alone.
    pub fn ratio(&self, metric: M, of: N, to: N) -> Option<f64> {
        let (of, to) = (self.readings.get(&(of, metric))?, self.readings.get(&(to, metric))?);
        median(of.iter().filter_map(|(round, value)| Some(value / to.get(round)?)).collect())
    }
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
