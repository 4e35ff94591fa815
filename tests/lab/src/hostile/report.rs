use std::path::Path;

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::Table;
use super::verdict::Verdict;
use crate::json::write;
use crate::options::Options;
use crate::table::line;

pub fn render(tables: &[Table]) -> String {
    let mut text = String::new();
    for table in tables {
        let mut header = format!("\n{:46}", table.title);
        table.servers.iter().for_each(|name| header += &format!("  {:26}", name.as_str()));
        line(&mut text, format_args!("{}", header.trim_end()));
        for (name, verdicts) in &table.rows {
            let mut row = format!("{name:46}");
            verdicts.iter().for_each(|verdict| row += &format!("  {:26}", verdict.to_string()));
            line(&mut text, format_args!("{}", row.trim_end()));
        }
        let mut sums = format!("{:46}", "right");
        for at in 0..table.servers.len() {
            let is_right = |verdicts: &[Verdict]| matches!(verdicts[at], Verdict::Right(_));
            let right = table.rows.iter().filter(|(_, verdicts)| is_right(verdicts)).count();
            sums += &format!("  {:26}", format!("{right} of {}", table.rows.len()));
        }
        line(&mut text, format_args!("{}", sums.trim_end()));
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

/// Writes every verdict, for a program.
pub fn save(path: &Path, options: &Options, tables: &[Table]) -> Result<()> {
    let of = |table: &Table| -> Value {
        let row = |(name, verdicts): &(&str, Vec<Verdict>)| {
            let cells = table.servers.iter().zip(verdicts).map(|(server, verdict)| {
                let (word, said) = (verdict.word(), verdict.to_string());
                (server.as_str().to_owned(), json!({"verdict": word, "said": said}))
            });
            ((*name).to_owned(), Value::Object(cells.collect()))
        };
        Value::Object(table.rows.iter().map(row).collect::<Map<_, _>>())
    };
    let all: Map<_, _> = tables.iter().map(|table| (table.title.to_owned(), of(table))).collect();
    let faults: Vec<_> = tables.iter().flat_map(Table::faults).map(|(name, _)| name).collect();
    let all = json!({"quick": options.quick, "cases": all, "faults": faults});
    write(path, &all)
}
