//! Pictures of what was measured, from the JSON of a run.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::picture::{Picture, Row};

#[derive(Deserialize)]
struct Run {
    metrics: Map<String, Value>,
}

#[derive(Deserialize)]
struct Measured {
    group: String,
    label: String,
    more_is_better: bool,
    #[serde(alias = "servers", alias = "clients", alias = "workers")]
    programs: Map<String, Value>,
}

/// Draws the medians of a metric, which `key` names in the file `json`.
pub fn run(json: &Path, key: &str, picture: &Path) -> Result<bool> {
    let text = fs::read_to_string(json).with_context(|| format!("reading {}", json.display()))?;
    let mut run: Run =
        serde_json::from_str(&text).with_context(|| format!("reading {}", json.display()))?;
    let measured = run.metrics.remove(key).with_context(|| format!("there is no metric {key}"))?;
    drawn(serde_json::from_value(measured)?).save(picture)?;
    Ok(true)
}

fn drawn(Measured { group, label, more_is_better, programs }: Measured) -> Picture {
    let unit = if more_is_better { "more is better" } else { "less is better" };
    let row = |(name, readings): (&String, &Value)| {
        let value = readings["median"].as_f64()?;
        Some(Row { label: name.clone(), value, is_ours: name.starts_with("ours") })
    };
    let mut rows: Vec<Row> = programs.iter().filter_map(row).collect();
    let worth = |row: &Row| if more_is_better { -row.value } else { row.value };
    rows.sort_by(|one, other| worth(one).total_cmp(&worth(other)));
    Picture { title: format!("{group}: {label}"), unit: unit.to_owned(), rows, goal: None }
}
