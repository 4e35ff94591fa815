use std::path::Path;

use anyhow::Result;
use serde_json::json;

use super::Results;
use super::client::Client;
use super::metric::GROUPS;
use crate::bars::Bar;
use crate::json::{promises, readings, write};
use crate::options::Options;

/// Writes every reading, for a program to compare with another run's.
pub fn save(
    path: &Path,
    options: &Options,
    clients: &[Client],
    results: &Results,
    bars: &[Bar],
) -> Result<()> {
    let columns: Vec<_> =
        clients.iter().map(|client| (client.name, client.name.as_str())).collect();
    let all = json!({
        "pin": if options.same_cpu { "same" } else { "free" },
        "runtime": if options.current_runtime { "current" } else { "multi" },
        "rounds": options.rounds,
        "quick": options.quick,
        "metrics": readings(results, &GROUPS, &columns, "clients"),
        "bars": promises(bars),
        "faults": results.faults,
    });
    write(path, &all)
}
