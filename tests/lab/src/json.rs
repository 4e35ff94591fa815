use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use crate::bars::Bar;
use crate::call::Era;
use crate::metric::{GROUPS, Info};
use crate::options::Options;
use crate::results::Results;
use crate::servers::{Name, Server};
use crate::table::gain;

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
    let mut metrics = readings(results, &GROUPS, &columns, "servers");
    for info in GROUPS.iter().flat_map(|(_, metrics)| *metrics) {
        for other in Name::others() {
            let key = format!("vs_{}", other.as_str());
            metrics[info.key][key] = gain(results, info, Name::Ours, other).into();
        }
    }
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
        "bars": promises(bars),
        "faults": results.faults,
        "bad_exits": bad_exits,
        "doubts": results.doubts,
    });
    write(path, &all)
}

/// Writes what a program reads.
pub fn write(path: &Path, all: &Value) -> Result<()> {
    let text = serde_json::to_string_pretty(all)? + "\n";
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}

/// The readings of each metric, for each of `columns` under `key`.
pub fn readings<N: Ord + Copy, M: Ord + Copy>(
    results: &Results<N, M>,
    groups: &[(&str, &[Info<M>])],
    columns: &[(N, &str)],
    key: &str,
) -> Map<String, Value> {
    let mut metrics = Map::new();
    let all = groups.iter().flat_map(|(group, infos)| infos.iter().map(move |info| (group, info)));
    for (group, info) in all {
        let mut readings = Map::new();
        for (name, text) in columns {
            if let Some(median) = results.median(*name, info.metric) {
                let rounds: Vec<f64> = results.rounds(*name, info.metric).collect();
                readings.insert((*text).to_owned(), json!({ "median": median, "rounds": rounds }));
            }
        }
        metrics.insert(
            info.key.to_owned(),
            json!({ "group": group, "label": info.label, "more_is_better": info.rate, key: readings }),
        );
    }
    metrics
}

/// What was promised, and what was measured.
pub fn promises(bars: &[Bar]) -> Vec<Value> {
    let promise = |bar: &Bar| {
        json!({
            "promise": bar.promise,
            "value": bar.value,
            "unit": bar.unit,
            "pass": bar.pass,
        })
    };
    bars.iter().map(promise).collect()
}
