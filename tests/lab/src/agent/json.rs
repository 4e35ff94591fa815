use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use super::Results;
use super::client::Client;
use super::metric::GROUPS;
use crate::bars::Bar;
use crate::options::Options;

/// Writes every reading, for a program to compare with another run's.
pub fn save(
    path: &Path,
    options: &Options,
    clients: &[Client],
    results: &Results,
    bars: &[Bar],
) -> Result<()> {
    let mut metrics = Map::new();
    for info in GROUPS.iter().flat_map(|(_, metrics)| *metrics) {
        let mut readings = Map::new();
        for client in clients {
            let rounds: Vec<f64> = results.rounds(client.name, info.metric).collect();
            if let Some(median) = results.median(client.name, info.metric) {
                readings.insert(
                    client.name.as_str().to_owned(),
                    json!({ "median": median, "rounds": rounds }),
                );
            }
        }
        metrics.insert(
            info.key.to_owned(),
            json!({ "label": info.label, "more_is_better": info.rate, "clients": readings }),
        );
    }
    let bars: Vec<Value> =
        bars.iter().map(|bar| json!({ "promise": bar.promise, "value": bar.value, "unit": bar.unit, "pass": bar.pass })).collect();
    let all = json!({
        "pin": if options.same_cpu { "same" } else { "free" },
        "runtime": if options.current_runtime { "current" } else { "multi" },
        "rounds": options.rounds,
        "quick": options.quick,
        "metrics": metrics,
        "bars": bars,
        "faults": results.faults,
    });
    let text = serde_json::to_string_pretty(&all)? + "\n";
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}
