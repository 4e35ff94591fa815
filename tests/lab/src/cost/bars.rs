use anyhow::Result;

use super::Results;
use super::measure::own_crates;
use super::metric::Metric;
use super::program::Name;
use crate::bars::Bar;

/// The package, its features, and the most crates that it may take in, itself included: as in
/// `tests/it/dependencies.rs`.
const CRATES: [(&str, &str, &str, usize); 3] = [
    ("tools alone: at most 28 crates", "toolwright", "", 28),
    ("a server on stdio: at most 55 crates", "toolwright-stdio", "", 55),
    ("an agent: at most 42 crates", "toolwright", "agent", 42),
];

/// The bars for which all that they compare was measured.
pub fn judge(results: &Results) -> Result<Vec<Bar>> {
    let mut bars = Vec::new();
    if results.median(Name::Stdio, Metric::Crates).is_some() {
        for (promise, package, features, most) in CRATES {
            let crates = own_crates(package, features)?;
            bars.push(Bar { promise, value: crates as f64, unit: "", pass: crates <= most });
        }
    }
    if let Some(value) = results.ratio(Metric::BuildWall, Name::Stdio, Name::RmcpStdio) {
        let promise = "a server on stdio from nothing: wall at most 0.6 x rmcp's";
        bars.push(Bar { promise, value, unit: "x", pass: value <= 0.6 });
    }
    Ok(bars)
}
