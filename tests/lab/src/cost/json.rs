use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::Results;
use super::metric::GROUPS;
use super::program::Name;
use super::tool_cost::Cost;
use crate::bars::Bar;
use crate::json::{promises, readings, write};
use crate::options::Options;

/// Writes every reading, for a program to compare with another run's.
pub fn save(
    path: &Path,
    options: &Options,
    results: &Results,
    tools: &[Cost],
    bars: &[Bar],
) -> Result<()> {
    let columns: Vec<_> = Name::all().map(|name| (name, name.as_str())).collect();
    let tools: Vec<Value> = tools.iter().map(tool).collect();
    let all = json!({
        "rounds": options.rounds,
        "quick": options.quick,
        "metrics": readings(results, &GROUPS, &columns, "programs"),
        "tools": tools,
        "bars": promises(bars),
        "faults": results.faults,
    });
    write(path, &all)
}

fn tool(cost: &Cost) -> Value {
    let rounds = |of: fn(&super::project::Build) -> f64| -> Vec<f64> {
        cost.builds.iter().map(of).collect()
    };
    json!({
        "command": cost.command,
        "library": cost.library,
        "tools": cost.tools,
        "wall_ms": rounds(|build| build.wall),
        "cpu_ms": rounds(|build| build.cpu),
    })
}
