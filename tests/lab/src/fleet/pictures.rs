use std::path::Path;

use anyhow::Result;

use super::Results;
use super::metric::{Model, PARTS, What};
use crate::picture::{Goal, Picture, Row};

/// Draws what the documents show.
pub fn save(
    folder: &Path,
    results: &Results,
    columns: &[(usize, &str)],
    cpus: usize,
) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let value = |workers, metric| results.median(workers, metric);
    let rows = columns.iter().filter_map(|(workers, name)| {
        let value = value(*workers, (Model::Slow, What::Rate))?;
        Some(Row { label: (*name).to_owned(), value, is_ours: true })
    });
    let goal = value(1, (Model::Slow, What::Rate))
        .map(|one| Goal { label: "eight times one worker".to_owned(), value: 8.0 * one });
    let speed = Picture {
        title: format!("Turns per second of a fleet on {cpus} CPUs"),
        unit: "turns/s, more is better; the model takes 3 s of each turn".to_owned(),
        rows: rows.collect(),
        goal,
    };
    speed.save(&folder.join("fleet-turns.svg"))?;

    let Some((most, _)) = columns.last() else { return Ok(()) };
    let rows = PARTS.into_iter().filter_map(|(label, what)| {
        let value = value(*most, (Model::Slow, what))?;
        Some(Row { label: label.to_owned(), value, is_ours: label != "CLI" })
    });
    let parts = Picture {
        title: "What a turn costs".to_owned(),
        unit: format!("CPU ms per turn, {most} workers; blue is all but the claude program"),
        rows: rows.collect(),
        goal: None,
    };
    parts.save(&folder.join("fleet-cost.svg"))
}
