use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::Results;
use super::features::Feature;
use super::metric::GROUPS;
use super::program::Name;
use super::project::Build;
use super::tool_cost::Cost;
use crate::bars::Bar;
use crate::json::{promises, readings, write};
use crate::options::Options;

/// Writes every reading, for a program to compare with another run's.
pub fn save(
    path: &Path,
    options: &Options,
    results: &Results,
    (tools, features): (&[Cost], &[Feature]),
    bars: &[Bar],
) -> Result<()> {
    let columns: Vec<_> = Name::all().map(|name| (name, name.as_str())).collect();
    let tools: Vec<Value> = tools.iter().map(tool).collect();
    let features: Vec<Value> = features.iter().map(feature).collect();
    let all = json!({
        "rounds": options.rounds,
        "quick": options.quick,
        "metrics": readings(results, &GROUPS, &columns, "programs"),
        "tools": tools,
        "features": features,
        "bars": promises(bars),
        "faults": results.faults,
    });
    write(path, &all)
}

fn tool(cost: &Cost) -> Value {
    json!({
        "command": cost.command,
        "library": cost.library,
        "tools": cost.tools,
        "wall_ms": Build::walls(&cost.builds),
        "cpu_ms": Build::cpus(&cost.builds),
    })
}

fn feature(feature: &Feature) -> Value {
    json!({
        "feature": feature.name,
        "crates": feature.crates,
        "wall_s": Build::walls(&feature.builds),
        "cpu_s": Build::cpus(&feature.builds),
        "size_mib": feature.size,
        "edit_wall_s": Build::walls(&feature.edits),
        "edit_cpu_s": Build::cpus(&feature.edits),
    })
}
