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
    ("a server on stdio: at most 40 crates", "toolwright-stdio", "", 40),
    ("an agent: at most 42 crates", "toolwright", "agent", 42),
];

/// A server of ours, and the one of rmcp that it is compared with.
const BUILDS: [(&str, Name, Name); 3] = [
    ("a server on stdio: build at most 0.6 x rmcp's", Name::Stdio, Name::RmcpStdio),
    ("the same, of rmcp's with a log", Name::Stdio, Name::RmcpLog),
    ("without commands: at most 0.6 x rmcp's", Name::StdioServing, Name::RmcpStdio),
];

/// How many crates our packages take in, which is the same on every machine; none if they were not
/// counted.
pub fn judge_crates(results: &Results) -> Result<Vec<Bar>> {
    if results.median(Name::Stdio, Metric::Crates).is_none() {
        return Ok(Vec::new());
    }
    let judged = |(promise, package, features, most)| {
        let crates = own_crates(package, features)?;
        let value = crates as f64;
        Ok(Bar { promise, value, unit: "", pass: crates <= most, range: None })
    };
    CRATES.into_iter().map(judged).collect()
}

/// How long the programs took to build from nothing, by the clock; none for those that were not.
pub fn judge_builds(results: &Results) -> impl Iterator<Item = Bar> {
    BUILDS.into_iter().filter_map(|(promise, ours, rmcps)| {
        let ratios = results.ratios(Metric::BuildWall, ours, rmcps);
        Bar::of(promise, ratios, "x", |value| value <= 0.6)
    })
}
