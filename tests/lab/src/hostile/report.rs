use std::path::Path;

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::verdict::Verdict;
use super::{Row, Table};
use crate::json::write;
use crate::options::Options;
use crate::table::line;

pub fn render(tables: &[Table]) -> String {
    let mut text = String::new();
    for table in tables {
        let mut header = format!("\n{:46}", table.title);
        table.servers.iter().for_each(|name| header += &format!("  {:26}", name.as_str()));
        line(&mut text, format_args!("{}", header.trim_end()));
        for Row { name, verdicts, .. } in &table.rows {
            let mut row = format!("{name:46}");
            verdicts.iter().for_each(|verdict| row += &format!("  {:26}", verdict.to_string()));
            line(&mut text, format_args!("{}", row.trim_end()));
        }
        sums(&mut text, "right", table, |_| true);
        sums(&mut text, "where the specification demands it", table, |row| row.is_demanded);
        sums(&mut text, "where this project chooses", table, |row| !row.is_demanded);
        sums(&mut text, "in 2026-07-28", table, |row| row.name.starts_with("2026-07-28"));
    }
    for table in tables {
        for (name, verdict) in table.faults() {
            line(
                &mut text,
                format_args!("\nours is not right: {}, {name}: {verdict}", table.title),
            );
        }
    }
    text
}

/// In how many of these cases each server is right.
fn sums(text: &mut String, title: &str, table: &Table, is_meant: fn(&Row) -> bool) {
    let rows: Vec<_> = table.rows.iter().filter(|row| is_meant(row)).collect();
    let mut sums = format!("{title:46}");
    for at in 0..table.servers.len() {
        let is_right = |row: &&&Row| matches!(row.verdicts[at], Verdict::Right(_));
        let right = rows.iter().filter(is_right).count();
        sums += &format!("  {:26}", format!("{right} of {}", rows.len()));
    }
    if !rows.is_empty() {
        line(text, format_args!("{}", sums.trim_end()));
    }
}

/// Writes every verdict, for a program.
pub fn save(path: &Path, options: &Options, tables: &[Table]) -> Result<()> {
    let of = |table: &Table| -> Value {
        let row = |row: &Row| {
            let cells = table.servers.iter().zip(&row.verdicts).map(|(server, verdict)| {
                let (word, said) = (verdict.word(), verdict.to_string());
                (server.as_str().to_owned(), json!({"verdict": word, "said": said}))
            });
            (row.name.to_owned(), Value::Object(cells.collect()))
        };
        Value::Object(table.rows.iter().map(row).collect::<Map<_, _>>())
    };
    let all: Map<_, _> = tables.iter().map(|table| (table.title.to_owned(), of(table))).collect();
    let faults: Vec<_> = tables.iter().flat_map(Table::faults).map(|(name, _)| name).collect();
    let all = json!({"quick": options.quick, "cases": all, "faults": faults});
    write(path, &all)
}
