use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use crate::bars::Bar;
use crate::call::Era;
use crate::metric::GROUPS;
use crate::options::Options;
use crate::report::gain;
use crate::results::Results;
use crate::servers::{Name, Server};

/// Writes every reading, for a program to compare with another run's.
pub fn save(
    path: &Path,
    options: &Options,
    servers: &[Server],
    results: &Results,
    bars: &[Bar],
) -> Result<()> {
    let mut metrics = Map::new();
    for info in GROUPS.iter().flat_map(|(_, metrics)| *metrics) {
        let mut readings = Map::new();
        for server in servers {
            let rounds: Vec<f64> = results.rounds(server.name, info.metric).collect();
            if let Some(median) = results.median(server.name, info.metric) {
                readings.insert(
                    server.name.as_str().to_owned(),
                    json!({ "median": median, "rounds": rounds }),
                );
            }
        }
        let entry = json!({
            "label": info.label,
            "more_is_better": info.rate,
            "servers": readings,
            "vs_rmcp": gain(results, info, Name::Rmcp),
            "vs_floor": gain(results, info, Name::Floor),
            "vs_raw": gain(results, info, Name::Raw),
        });
        metrics.insert(info.key.to_owned(), entry);
    }
    let bars: Vec<Value> =
        bars.iter().map(|bar| json!({ "promise": bar.promise, "value": bar.value, "unit": bar.unit, "pass": bar.pass })).collect();
    let bad_exits: Vec<Value> = results
        .bad_exits
        .iter()
        .map(|(server, what)| json!({ "server": server.as_str(), "what": what }))
        .collect();
    let all = json!({
        "pin": if options.same_cpu { "same" } else { "free" },
        "era": if options.era == Era::Legacy { "legacy" } else { "stateless" },
        "rounds": options.rounds,
        "quick": options.quick,
        "metrics": metrics,
        "bars": bars,
        "faults": results.faults,
        "bad_exits": bad_exits,
        "doubts": results.doubts,
    });
    let text = serde_json::to_string_pretty(&all)? + "\n";
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}
