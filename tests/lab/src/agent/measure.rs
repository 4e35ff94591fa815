use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::cli::StreamBlock;
use super::client::{Client, Name};
use super::floor::{self, When};
use super::instructions;
use super::metric::Metric;
use crate::measure::INSTRUCTIONS;
use crate::results::median;

type Readings = Vec<(Metric, f64)>;
type Take = fn(&Client, bool) -> Result<Readings>;

pub const ALL: [(&str, Take); 9] = [
    ("partial", partial),
    ("large", large),
    ("calls", calls),
    ("hooks", hooks),
    ("permissions", permissions),
    ("first", first),
    ("idle", idle),
    ("warm", warm),
    (INSTRUCTIONS, instructions::take),
];

const MIB: usize = 1024 * 1024;

fn partial(client: &Client, quick: bool) -> Result<Readings> {
    let count = if quick { 5_000 } else { 200_000 };
    match client.name {
        Name::Floor => return Ok(vec![(Metric::Stream, floor::stream(count)?)]),
        Name::Batched => return Ok(Vec::new()),
        _ => {}
    }
    let figures = client.run(&format!("partial {count}"))?;
    ensure!(figures["messages"] == count, "not all messages came: {figures}");
    ensure!(
        figures["text"] == StreamBlock::render().text_length(count),
        "the texts are not those that were sent: {figures}"
    );
    // The first message is where the clock starts.
    let rate = (Metric::Stream, (count - 1) as f64 / number(&figures["seconds"])?);
    // An older build of ours does not tell its peak.
    let peak = figures["peak_kib"].as_f64().map(|kib| (Metric::StreamPeak, kib / 1024.0));
    Ok(std::iter::once(rate).chain(peak).collect())
}

fn large(client: &Client, quick: bool) -> Result<Readings> {
    if matches!(client.name, Name::Floor | Name::Batched) {
        return Ok(Vec::new());
    }
    let mut readings = Vec::new();
    for (mib, count, [rate, peak, growth]) in [
        (1, 100, [Metric::Large1M, Metric::Peak1M, Metric::Growth1M]),
        (8, 16, [Metric::Large8M, Metric::Peak8M, Metric::Growth8M]),
    ] {
        let count = if quick { 4 } else { count };
        let figures = client.run(&format!("large {} {count}", mib * MIB))?;
        ensure!(figures["messages"] == count, "not all messages came: {figures}");
        let (before, high) =
            (number(&figures["before_kib"])? / 1024.0, number(&figures["peak_kib"])? / 1024.0);
        readings.push((rate, (mib * (count - 1)) as f64 / number(&figures["seconds"])?));
        readings.push((peak, high));
        readings.push((growth, (high - before) / mib as f64));
    }
    Ok(readings)
}

fn calls(client: &Client, quick: bool) -> Result<Readings> {
    let (Some((in_flight, _)), Some((alone, p50))) =
        (answers(client, "calls 16", quick)?, answers(client, "calls 1", quick)?)
    else {
        return Ok(Vec::new());
    };
    Ok(vec![(Metric::Calls16, in_flight), (Metric::Calls1, alone), (Metric::Calls1P50, p50)])
}

fn hooks(client: &Client, quick: bool) -> Result<Readings> {
    let figures = answers(client, "hooks 16", quick)?;
    Ok(figures.map(|(rate, _)| (Metric::Hooks16, rate)).into_iter().collect())
}

fn permissions(client: &Client, quick: bool) -> Result<Readings> {
    let figures = answers(client, "permissions 16", quick)?;
    Ok(figures.map(|(rate, _)| (Metric::Permissions16, rate)).into_iter().collect())
}

/// Answers per second, and the median time of one where one request is open at a time. `None` if
/// the client is an older build that does not know the scenario.
fn answers(client: &Client, scenario: &str, quick: bool) -> Result<Option<(f64, f64)>> {
    let budget = if quick { "50 100" } else { "400 800" };
    let scenario = format!("{scenario} {budget}");
    let figures = match client.name {
        Name::Floor => floor::answers(client, &scenario, When::EachAnswer)?,
        Name::Batched => floor::answers(client, &scenario, When::EachRead)?,
        _ => client.run(&scenario)?,
    };
    if figures.is_null() {
        return Ok(None);
    }
    let report = &figures["report"];
    ensure!(
        figures["ran"] == report["total"],
        "the callback ran {} times for {} requests",
        figures["ran"],
        report["total"]
    );
    let (count, parsed) = (number(&report["calls"])?, number(&report["parsed"])?);
    ensure!(
        parsed <= 2.0 + count / 100.0,
        "{parsed} of {count} answers had to be parsed by the driver"
    );
    Ok(Some((count / number(&report["seconds"])?, number(&report["p50_us"])?)))
}

fn first(client: &Client, quick: bool) -> Result<Readings> {
    let count = if quick { 3 } else { 15 };
    let mut seconds = match client.name {
        Name::Batched => return Ok(Vec::new()),
        Name::Floor => floor::first(client, count)?,
        _ => {
            let figures = client.run(&format!("first {count}"))?;
            figures["seconds"]
                .as_array()
                .context("no times")?
                .iter()
                .map(number)
                .collect::<Result<_>>()?
        }
    };
    // The first run of a process also loads what the later ones have.
    seconds.remove(0);
    let middle = median(seconds).context("no times")?;
    Ok(vec![(Metric::First, middle * 1e3)])
}

fn idle(client: &Client, quick: bool) -> Result<Readings> {
    if matches!(client.name, Name::Floor | Name::Batched) {
        return Ok(Vec::new());
    }
    let count = if quick { 8 } else { 64 };
    let figures = client.run(&format!("idle {count}"))?;
    let growth = number(&figures["after_kib"])? - number(&figures["before_kib"])?;
    Ok(vec![(Metric::Idle, growth / f64::from(count))])
}

fn warm(client: &Client, quick: bool) -> Result<Readings> {
    // The Python SDK has nothing of the kind.
    if !matches!(client.name, Name::Ours | Name::Before | Name::TypeScript) {
        return Ok(Vec::new());
    }
    let figures = client.run_real(&format!("warm {}", if quick { 1 } else { 7 }))?;
    if figures.is_null() {
        return Ok(Vec::new());
    }
    let reading = |metric, key: &str| {
        let times = figures[key].as_array().context("no times")?;
        let times = times.iter().map(number).collect::<Result<_>>()?;
        Ok((metric, median(times).context("no times")? * 1e3))
    };
    [
        reading(Metric::ColdFirst, "cold_first"),
        reading(Metric::WarmFirst, "warm_first"),
        reading(Metric::ColdText, "cold_text"),
        reading(Metric::WarmText, "warm_text"),
    ]
    .into_iter()
    .collect()
}

fn number(value: &Value) -> Result<f64> {
    value.as_f64().with_context(|| format!("{value} is no number"))
}
