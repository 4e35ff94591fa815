use std::path::Path;

use anyhow::Result;
use serde_json::{Map, Value, json};
use toolwright_lab_mix::KINDS;

use super::plan::{Endured, Plan};
use super::{Results, Sample};
use crate::json::{promises, write};

/// Writes every reading, for a program to compare with another run's.
pub fn save(path: &Path, plan: &Plan, results: &Results) -> Result<()> {
    let calls: Map<String, Value> =
        results.calls.iter().map(|(way, endured)| ((*way).to_owned(), calls(endured))).collect();
    let runs = results.runs.as_ref().map(|ended| {
        json!({
            "runs": ended.runs,
            "seconds": ended.seconds,
            "longest_seconds": ended.longest.as_secs_f64(),
            "samples": ended.samples.iter().map(sample).collect::<Vec<_>>(),
        })
    });
    let all = json!({
        "seed": plan.mix.seed,
        "quick": plan.quick,
        "calls": calls,
        "runs": runs,
        "bars": promises(&results.bars),
        "faults": results.faults,
    });
    write(path, &all)
}

fn calls(endured: &Endured) -> Value {
    let kinds = KINDS.iter().zip(endured.counts.calls);
    let kinds: Map<String, Value> =
        kinds.map(|((_, name, _), count)| ((*name).to_owned(), count.into())).collect();
    let decile = |decile: &super::plan::Decile| {
        let sample = sample(&decile.sample);
        json!({"calls": decile.calls, "seconds": decile.seconds, "sample": sample})
    };
    json!({
        "kinds": kinds,
        "cancelled_with_error": endured.refused,
        "deciles": endured.deciles.iter().map(decile).collect::<Vec<_>>(),
    })
}

fn sample(sample: &Sample) -> Value {
    json!({
        "memory_mib": sample.memory,
        "descriptors": sample.descriptors,
        "threads": sample.threads,
    })
}
