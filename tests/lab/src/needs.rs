//! What a number of sessions a day needs, from what `fleet` has measured: the tables of
//! `docs/SCALE.md`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::table::line;

/// What is to be done, and what no run of the lab can know.
struct Plan {
    sessions: f64,
    turns: f64,
    /// Turns of the busiest hour, divided by those of an average hour.
    busiest: f64,
    /// Seconds that the model and slow tools take of a turn.
    model: f64,
    /// The share of the cores that may be busy.
    busy: f64,
}

impl Default for Plan {
    fn default() -> Self {
        Self { sessions: 1e6, turns: 3.0, busiest: 3.0, model: 10.0, busy: 0.7 }
    }
}

/// The medians of each metric of the JSON file, by the number of workers.
struct Figures(BTreeMap<String, BTreeMap<usize, f64>>);

/// Prints the tables for the file and the options that were given.
pub fn run(mut args: impl Iterator<Item = String>) -> Result<bool> {
    let file = args.next().context("needs takes the JSON of fleet")?;
    let mut plan = Plan::default();
    while let Some(option) = args.next() {
        let place = match option.as_str() {
            "--sessions" => &mut plan.sessions,
            "--turns" => &mut plan.turns,
            "--busiest" => &mut plan.busiest,
            "--model" => &mut plan.model,
            "--busy" => &mut plan.busy,
            _ => bail!("unknown option {option} of needs; --help lists them"),
        };
        let value = args.next().and_then(|value| value.parse().ok());
        *place = value
            .filter(|value: &f64| value.is_finite() && *value > 0.0)
            .with_context(|| format!("{option} needs a number above 0"))?;
    }
    print!("{}", render(&plan, &Figures::read(file.as_ref())?)?);
    Ok(true)
}

impl Figures {
    fn read(file: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(file);
        let text = text.with_context(|| format!("reading {}", file.display()))?;
        let run: Value = serde_json::from_str(&text).context("reading the JSON of fleet")?;
        let metrics = run["metrics"].as_object().context("there are no metrics")?;
        let medians = |metric: &Value| {
            let columns = metric["workers"].as_object().into_iter().flatten();
            let read = |(column, readings): (&String, &Value)| {
                let workers = column.split(' ').next()?.parse().ok()?;
                Some((workers, readings["median"].as_f64()?))
            };
            columns.filter_map(read).collect()
        };
        Ok(Self(metrics.iter().map(|(key, metric)| (key.clone(), medians(metric))).collect()))
    }

    fn of(&self, key: &str) -> Result<&BTreeMap<usize, f64>> {
        let figures = self.0.get(key).filter(|figures| !figures.is_empty());
        figures.with_context(|| format!("the JSON has no {key}: run fleet with the slow model"))
    }

    fn of_fewest(&self, key: &str) -> Result<f64> {
        Ok(*self.of(key)?.first_key_value().context("no workers")?.1)
    }

    fn of_most(&self, key: &str) -> Result<f64> {
        Ok(*self.of(key)?.last_key_value().context("no workers")?.1)
    }

    fn mean(&self, key: &str) -> Result<f64> {
        let figures = self.of(key)?;
        Ok(figures.values().sum::<f64>() / figures.len() as f64)
    }
}

/// Both tables.
fn render(plan: &Plan, figures: &Figures) -> Result<String> {
    let Plan { sessions, turns, busiest, model, busy } = *plan;
    let cpu = (figures.of_most("slow_cli_cpu_ms")? + figures.of_most("slow_worker_cpu_ms")?) / 1e3;
    let memory = figures.of_fewest("slow_cli_mib")? + figures.of_fewest("slow_worker_mib")?;
    let to_postgres = figures.mean("slow_postgres_clients")?;
    let to_nats = figures.mean("slow_nats_clients")?;
    let statements = figures.mean("slow_statements")?;
    let postgres = figures.mean("slow_postgres_cpu_ms")?;
    let log = figures.mean("slow_wal_kib")?;
    let stored = figures.of_most("slow_stored_kib")?;
    let messages = figures.mean("slow_nats_messages")?;
    let nats = figures.mean("slow_nats_cpu_ms")?;
    let queued = figures.mean("slow_queued_bytes")?;
    let tools = figures.of_most("slow_tools_cpu_ms")?;

    let a_day = sessions * turns;
    let rate = a_day / 86_400.0;
    let (peak, seconds) = (busiest * rate, model + cpu);
    let workers = peak * seconds;
    let (short, long, whole) = (|v| digits(v, 3), |v| digits(v, 4), |v| digits(v, 15));
    let cores = |ms: f64| short(peak * ms / 1e3 / busy);
    // From KiB or MiB to GiB, and so on.
    let up = |value: f64| short(value / 1024.0);
    let rows = [
        ("N", "sessions a day", whole(sessions)),
        ("T", "turns of a session", whole(turns)),
        ("f", "turns of the busiest hour, divided by those of an average hour", whole(busiest)),
        ("m", "seconds that the model and slow tools take of a turn", whole(model)),
        ("c", "CPU seconds of CLI and worker a turn", short(cpu)),
        ("M", "MiB of a CLI and its worker", short(memory)),
        ("u", "the share of the cores that may be busy", whole(busy)),
    ];
    let mut text = "| name | what it is | here |\n|---|---|---|\n".to_owned();
    for (name, what, value) in rows {
        line(&mut text, format_args!("| {name} | {what} | {value} |"));
    }
    line(&mut text, format_args!("\n| what | formula | here |\n|---|---|---|"));
    for [what, formula, value] in [
        ["turns a second, average", "N T / 86,400", &short(rate)],
        ["turns a second, peak: R", "f N T / 86,400", &short(peak)],
        ["seconds of a turn: s", "m + c, if a core is free", &short(seconds)],
        ["**workers**", "R s", &short(workers)],
        ["**cores for workers and CLIs**", "R c / u", &cores(cpu * 1e3)],
        ["**memory for workers and CLIs**", "R s M", &(up(workers * memory) + " GiB")],
        [
            "connections to PostgreSQL",
            &format!("R s x {}", long(to_postgres)),
            &short(workers * to_postgres),
        ],
        ["connections to NATS", &format!("R s x {}", long(to_nats)), &short(workers * to_nats)],
        [
            "**store operations**",
            &format!("R x {} statements", long(statements)),
            &(short(peak * statements) + " statements/s"),
        ],
        ["cores for PostgreSQL", &format!("R x {} ms / u", long(postgres)), &cores(postgres)],
        [
            "PostgreSQL's log",
            &format!("R x {} KiB", long(log)),
            &format!(
                "{} MiB/s at the peak, {} GiB a day",
                up(peak * log),
                up(a_day * log / 1024.0)
            ),
        ],
        [
            "PostgreSQL keeps",
            &format!("N T x {} KiB", long(stored)),
            &(up(a_day * stored / 1024.0) + " GiB a day, until sessions are deleted"),
        ],
        ["messages of NATS", &format!("R x {}", long(messages)), &(short(peak * messages) + "/s")],
        ["cores for NATS", &format!("R x {} ms / u", long(nats)), &cores(nats)],
        [
            "bytes on the queue, after ten minutes without workers",
            &format!("600 R x {} bytes", long(queued)),
            &(up(600.0 * peak * queued / 1024.0) + " MiB"),
        ],
        ["cores for tools", &format!("R x {} ms / u", long(tools)), &cores(tools)],
    ] {
        line(&mut text, format_args!("| {what} | {formula} | {value} |"));
    }
    Ok(text)
}

/// Rounded to so many significant digits, with commas between thousands.
fn digits(value: f64, most: i32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let places = most - 1 - value.log10().floor() as i32;
    let unit = 10_f64.powi((-places).max(0));
    let places = places.max(0) as usize;
    let text = match unit > 1.0 {
        true => format!("{:.0}", (value / unit).round() * unit),
        false => format!("{value:.places$}"),
    };
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match rest.trim_end_matches('0') {
        "" => grouped,
        rest => format!("{grouped}.{rest}"),
    }
}

#[cfg(test)]
mod tests;
