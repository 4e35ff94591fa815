use toolwright_lab_mix::KINDS;

use super::Results;
use super::bars::SETTLING;
use super::plan::{Endured, Plan};
use super::runs::Ended;
use crate::report::{bar_list, trouble};
use crate::table::{line, short};

pub fn render(plan: &Plan, results: &Results, load: &str) -> String {
    let mut text = String::new();
    let seed = plan.mix.seed;
    line(&mut text, format_args!("\nseed {seed}, load {load} before"));
    for (way, endured) in &results.calls {
        calls(&mut text, way, endured);
    }
    results.runs.iter().for_each(|ended| runs(&mut text, ended));
    let note = match plan.quick {
        true => {
            format!(" (of deciles; memory may grow by {SETTLING} MiB, as the heap still settles)")
        }
        false => " (of deciles)".to_owned(),
    };
    bar_list(&mut text, &results.bars, &note);
    trouble(&mut text, "faults", &results.faults);
    text
}

fn calls(text: &mut String, way: &str, endured: &Endured) {
    let counts = &endured.counts;
    let kinds =
        KINDS.iter().zip(counts.calls).map(|((_, name, _), count)| format!("{name} {count}"));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    let total: u64 = counts.calls.iter().sum();
    line(text, format_args!("\n{way}: {total} calls, each answered once: {kinds}"));
    match endured.refused {
        Some(count) => {
            line(text, format_args!("  {count} of the cancelled calls were answered with an error"))
        }
        None => line(
            text,
            format_args!("  no cancelled call was answered where the end of the response was read"),
        ),
    }
    let columns = format!(
        "{:>9}{:>12}{:>13}{:>13}{:>10}",
        "decile", "calls/s", "memory, MiB", "descriptors", "threads"
    );
    line(text, format_args!("{columns}"));
    for (at, decile) in endured.deciles.iter().enumerate() {
        let (number, rate, sample) = (at, decile.calls as f64 / decile.seconds, &decile.sample);
        let (memory, descriptors, threads) = (sample.memory, sample.descriptors, sample.threads);
        let rate = short(rate);
        line(
            text,
            format_args!("{number:>9}{rate:>12}{memory:>13.2}{descriptors:>13}{threads:>10}"),
        );
    }
}

fn runs(text: &mut String, ended: &Ended) {
    let (runs, rate) = (ended.runs, ended.runs as f64 / ended.seconds);
    line(
        text,
        format_args!(
            "\nagent: {runs} runs, closed, killed, dropped, crashed and left by their host in \
             turn, {}/s",
            short(rate)
        ),
    );
    let longest = ended.longest.as_secs_f64();
    line(
        text,
        format_args!("  after a batch, or the death of a host, all was gone within {longest:.2} s"),
    );
    for (when, sample) in [("first", ended.samples.first()), ("last", ended.samples.last())] {
        let Some(sample) = sample else { continue };
        let (memory, descriptors, threads) = (sample.memory, sample.descriptors, sample.threads);
        line(
            text,
            format_args!(
                "  the client after the {when} batch: {memory:.2} MiB, {descriptors} descriptors, \
                 {threads} threads"
            ),
        );
    }
}
