use std::path::Path;

use anyhow::Result;
use serde_json::json;

use super::Results;
use super::metric::GROUPS;
use super::server::Server;
use crate::bars::Bar;
use crate::json::{promises, readings, write};
use crate::options::Options;

/// Writes every reading, for a program to compare with another run's.
pub fn save(
    path: &Path,
    options: &Options,
    servers: &[Server],
    results: &Results,
    bars: &[Bar],
) -> Result<()> {
    let columns: Vec<_> =
        servers.iter().map(|server| (server.name, server.name.as_str())).collect();
    let pin = match (options.same_cpu, options.split_cpus) {
        (true, _) => "same",
        (_, true) => "split",
        _ => "free",
    };
    let all = json!({
        "pin": pin,
        "rounds": options.rounds,
        "quick": options.quick,
        "metrics": readings(results, &GROUPS, &columns, "servers"),
        "bars": promises(bars),
        "faults": results.faults,
    });
    write(path, &all)
}
